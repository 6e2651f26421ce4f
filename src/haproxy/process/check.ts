import type { ChildProcess } from 'node:child_process';
import type { Clock } from '../runtime/clock.ts';
import { type Alert, parseAlerts, refusals } from './alerts.ts';
import { processFailure, type ProcessResult } from './result.ts';
import { describeExit, exitOf, type Spawn } from './spawn.ts';

export interface CheckReport {
  readonly warnings: readonly Alert[];
  readonly milliseconds: number;
}

export interface CheckOptions {
  readonly binary: string;
  readonly file: string;
  readonly spawn: Spawn;
  readonly clock: Clock;
  readonly timeoutMs: number;
}

/** `haproxy -c -f FILE`: a child of its own, so even a crash of the parser harms nobody. */
export async function checkConfig(options: CheckOptions): Promise<ProcessResult<CheckReport>> {
  const began = options.clock.now();
  const child = options.spawn(options.binary, ['-c', '-f', options.file], { stdio: ['ignore', 'pipe', 'pipe'] });
  const output = collect(child);
  let late = false;
  const cancel = options.clock.after(options.timeoutMs, () => {
    late = true;
    child.kill('SIGKILL');
  });
  const exit = await exitOf(child);
  cancel();
  if (exit.kind === 'failed') return processFailure('spawn', exit.detail);
  if (late) return processFailure('timeout', `no verdict on ${options.file} in ${String(options.timeoutMs)} ms`);
  const alerts = parseAlerts(await output);
  if (exit.kind === 'exited' && exit.code === 0) {
    const warnings = alerts.filter((alert) => alert.level === 'warning');
    return { ok: true, value: { warnings, milliseconds: options.clock.now() - began } };
  }
  const refused = refusals(alerts);
  return processFailure('config', refused[0]?.message ?? describeExit(exit), refused);
}

function collect(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    child.stdout?.resume();
    child.stderr?.on('data', (chunk: Buffer) => chunks.push(chunk));
    child.once('error', () => {
      resolve('');
    });
    child.once('close', () => {
      resolve(Buffer.concat(chunks).toString('utf8'));
    });
  });
}

import { readFileSync } from 'node:fs';
import type { Clock } from '../runtime/clock.ts';
import { sleep } from '../runtime/clock.ts';
import { parseAlerts, refusals } from './alerts.ts';
import type { ProcessLog } from './events.ts';
import type { RunPaths } from './paths.ts';
import { processFailure, type ProcessResult } from './result.ts';
import { describeExit, type Exit, exitOf, type Spawn } from './spawn.ts';

export interface Master {
  readonly pid: number;
  readonly startedAt: number;
  readonly exit: Promise<Exit>;
  /** Undefined while it runs. */
  exited(): Exit | undefined;
  /** What it printed so far, the first 64 kB. */
  startupText(): string;
  signal(signal: NodeJS.Signals): void;
}

export interface LaunchOptions {
  readonly binary: string;
  readonly configFile: string;
  readonly paths: RunPaths;
  readonly spawn: Spawn;
  readonly clock: Clock;
  readonly log: ProcessLog;
}

const STARTUP_TEXT_LIMIT = 65_536;

/** Starts `haproxy -W`. Undefined pid means that the binary could not be run; `exit` says why. */
export function launchMaster(options: LaunchOptions): Master | Promise<Exit> {
  const { binary, configFile, paths, clock, log } = options;
  const args = ['-W', '-S', `${paths.masterSocket},mode,600`, '-p', paths.readyFile, '-f', configFile];
  // A session of its own: Ctrl-C in a terminal reaches us, and we stop HAProxy in our order.
  const child = options.spawn(binary, args, { stdio: ['ignore', 'pipe', 'pipe'], detached: true });
  let ended: Exit | undefined;
  let startup = '';
  const exit = exitOf(child).then((outcome) => {
    ended = outcome;
    return outcome;
  });
  let rest = '';
  child.stdout?.resume();
  child.stderr?.on('data', (chunk: Buffer) => {
    const text = chunk.toString('utf8');
    if (startup.length < STARTUP_TEXT_LIMIT) startup += text;
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    logLines(log, lines);
  });
  const pid = child.pid;
  if (pid === undefined) return exit;
  return {
    pid,
    startedAt: clock.now(),
    exit,
    exited: () => ended,
    startupText: () => startup,
    signal: (signal) => {
      // `kill` of a ChildProcess does nothing once it ended, so a reused pid is safe.
      child.kill(signal);
    },
  };
}

function logLines(log: ProcessLog, lines: readonly string[]): void {
  for (const alert of parseAlerts(lines.join('\n'))) {
    const fields = { component: 'haproxy', file: alert.file, line: alert.line };
    switch (alert.level) {
      case 'alert':
        log.error(fields, alert.message);
        break;
      case 'warning':
        log.warn(fields, alert.message);
        break;
      case 'notice':
        log.info(fields, alert.message);
        break;
    }
  }
}

export interface ReadyOptions {
  readonly paths: RunPaths;
  readonly clock: Clock;
  readonly timeoutMs: number;
  readonly aborted: () => boolean;
}

/**
 * The pid file is written when the first worker says that it serves. The master's socket is not a
 * sign: it answers while the worker still reads its configuration.
 */
export async function masterReady(master: Master, options: ReadyOptions): Promise<ProcessResult<void>> {
  const deadline = options.clock.now() + options.timeoutMs;
  for (;;) {
    const exit = master.exited();
    if (exit !== undefined) {
      await sleep(options.clock, 10);
      const alerts = refusals(parseAlerts(master.startupText()));
      return processFailure(exit.kind === 'failed' ? 'spawn' : 'config', alerts[0]?.message ?? describeExit(exit), alerts);
    }
    if (readPid(options.paths.readyFile) === master.pid) return { ok: true, value: undefined };
    if (options.aborted()) return processFailure('state', 'stopped meanwhile');
    if (options.clock.now() > deadline) return processFailure('timeout', `no worker in ${String(options.timeoutMs)} ms`);
    await sleep(options.clock, 5);
  }
}

function readPid(file: string): number | undefined {
  try {
    const pid = Number(readFileSync(file, 'utf8').trim());
    return Number.isSafeInteger(pid) && pid > 1 ? pid : undefined;
  } catch {
    return undefined;
  }
}

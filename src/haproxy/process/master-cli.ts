import { type Clock, sleep } from '../runtime/clock.ts';
import { exchange } from '../runtime/exchange.ts';
import { parseProcesses, type ProcessRow } from '../runtime/show.ts';
import { type Alert, parseAlerts, refusals } from './alerts.ts';
import { processFailure, type ProcessResult } from './result.ts';

export interface MasterCli {
  processes(): Promise<ProcessResult<readonly ProcessRow[]>>;
  /** Returns when the new worker serves, or when it failed and the old one goes on. */
  reload(): Promise<ProcessResult<readonly Alert[]>>;
}

export interface MasterCliOptions {
  readonly socketPath: string;
  readonly clock: Clock;
  /** Longest wait for a new worker; reading a large configuration takes seconds. */
  readonly reloadTimeoutMs: number;
}

const SHOW_TIMEOUT_MS = 2_000;
const BUSY = 'Another reload is still in progress.';

export function createMasterCli(options: MasterCliOptions): MasterCli {
  const { socketPath, clock } = options;
  return {
    async processes() {
      const outcome = await exchange({ socketPath, text: 'show proc\n', timeoutMs: SHOW_TIMEOUT_MS, clock, halfClose: true });
      if (outcome.kind !== 'answered') return processFailure('master-lost', outcome.kind);
      return { ok: true, value: parseProcesses(outcome.text) };
    },
    async reload() {
      const deadline = clock.now() + options.reloadTimeoutMs;
      for (;;) {
        const timeoutMs = Math.max(1, deadline - clock.now());
        const outcome = await exchange({ socketPath, text: 'reload\n', timeoutMs, clock, halfClose: true });
        switch (outcome.kind) {
          case 'answered':
            // A worker that is still starting makes the master refuse; it did not reload then.
            if (outcome.text.includes(BUSY) && clock.now() < deadline) break;
            return verdict(outcome.text);
          case 'timeout':
            return processFailure('timeout', `no answer to the reload in ${String(options.reloadTimeoutMs)} ms`);
          case 'unreachable':
            return processFailure('master-lost', outcome.detail);
          case 'broken':
            return processFailure('master-lost', outcome.detail);
        }
        await sleep(clock, 20);
      }
    },
  };
}

/** `Success=1` or `Success=0`, `--`, and the log of the attempt. Nothing at all: the master died of it. */
function verdict(text: string): ProcessResult<readonly Alert[]> {
  const alerts = parseAlerts(text.slice(text.indexOf('--\n') + 3));
  if (text.startsWith('Success=1\n')) return { ok: true, value: alerts.filter((alert) => alert.level === 'warning') };
  if (!text.startsWith('Success=0\n')) return processFailure('master-lost', 'the master closed the connection without a verdict');
  const refused = refusals(alerts);
  return processFailure('config', refused[0]?.message ?? text.slice('Success=0\n--\n'.length).trim(), refused);
}

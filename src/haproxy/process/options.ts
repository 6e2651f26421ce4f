import type { Clock } from '../runtime/clock.ts';
import type { Alert } from './alerts.ts';
import type { ProcessLog } from './events.ts';
import type { ProcTable } from './proc-table.ts';
import type { Spawn } from './spawn.ts';

export interface HaproxyProcessOptions {
  readonly binary: string;
  readonly configFile: string;
  /** Ours alone: its sockets and pid files say which HAProxy belongs to us. */
  readonly runDir: string;
  readonly log: ProcessLog;
  readonly clock?: Clock;
  readonly spawn?: Spawn;
  readonly procTable?: ProcTable;
  readonly signal?: SendSignal;
  readonly reloadIntervalMs?: number;
  readonly startTimeoutMs?: number;
  readonly reloadTimeoutMs?: number;
}

/** May be told of a pid that is gone; that is not an error. */
export type SendSignal = (pid: number, signal: NodeJS.Signals) => void;

export const systemSignal: SendSignal = (pid, signal) => {
  try {
    process.kill(pid, signal);
  } catch {
    // Gone between the look and the signal, which is what was wanted.
  }
};

export interface StartReport {
  readonly masterPid: number;
  readonly workerPid: number;
}

export interface ReloadReport {
  readonly reasons: readonly string[];
  readonly workerPid: number;
  /** From the command to the new worker serving; the check before it is not in it. */
  readonly milliseconds: number;
  readonly warnings: readonly Alert[];
}

export interface StopOptions {
  /** Keep serving for that long while load balancers notice that we are not ready any more. */
  readonly lameDuckMs?: number;
  /** Then accept nothing new and let connections end for that long. */
  readonly drainMs: number;
}

export interface ProcessInfo {
  readonly pid: number;
  readonly role: 'master' | 'worker' | 'old-worker';
  readonly rssBytes: number;
  readonly reloads: number;
  readonly version: string;
}

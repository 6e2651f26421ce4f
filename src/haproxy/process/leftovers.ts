import { type Clock, sleep } from '../runtime/clock.ts';
import { isOurs, type ProcTable } from './proc-table.ts';

export interface LeftoverOptions {
  readonly masterSocket: string;
  readonly procTable: ProcTable;
  readonly clock: Clock;
  readonly signal: (pid: number, signal: NodeJS.Signals) => void;
  /** How long they may take to end by themselves after each step. */
  readonly patienceMs: number;
}

/**
 * Ends every HAProxy of our run directory: a stale master of an earlier life, or the workers of a
 * master that was killed (these notice within milliseconds and go by themselves). Each pid is
 * looked at again right before its signal. Answers with the pids that had to be told.
 */
export async function endLeftovers(options: LeftoverOptions, first: 'SIGTERM' | 'wait'): Promise<readonly number[]> {
  const told = new Set<number>();
  if (first === 'SIGTERM') for (const pid of tell(options, 'SIGTERM')) told.add(pid);
  if (await gone(options)) return [...told];
  for (const pid of tell(options, 'SIGKILL')) told.add(pid);
  await gone(options);
  return [...told];
}

function leftovers(options: Pick<LeftoverOptions, 'masterSocket' | 'procTable'>): readonly number[] {
  const { procTable, masterSocket } = options;
  return procTable.pids().filter((pid) => isOurs(procTable.argv(pid), masterSocket) && procTable.sameFiles(pid) && procTable.alive(pid));
}

function tell(options: LeftoverOptions, signal: NodeJS.Signals): readonly number[] {
  const found = leftovers(options);
  for (const pid of found) options.signal(pid, signal);
  return found;
}

async function gone(options: LeftoverOptions): Promise<boolean> {
  const deadline = options.clock.now() + options.patienceMs;
  for (;;) {
    if (leftovers(options).length === 0) return true;
    if (options.clock.now() >= deadline) return false;
    await sleep(options.clock, 5);
  }
}

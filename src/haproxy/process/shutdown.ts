import type { Clock } from '../runtime/clock.ts';
import type { Master } from './master.ts';

const TERM_PATIENCE_MS = 2_000;

/** Soft stop, and when its time is over an end without regard; a master that hangs is killed. */
export async function endMaster(master: Master, drainMs: number, clock: Clock): Promise<void> {
  if (drainMs > 0) {
    master.signal('SIGUSR1');
    if (await exitsWithin(master, drainMs, clock)) return;
  }
  master.signal('SIGTERM');
  if (await exitsWithin(master, TERM_PATIENCE_MS, clock)) return;
  master.signal('SIGKILL');
  await master.exit;
}

async function exitsWithin(master: Master, milliseconds: number, clock: Clock): Promise<boolean> {
  let cancel: () => void = () => undefined;
  const late = new Promise<void>((resolve) => {
    cancel = clock.after(milliseconds, resolve);
  });
  await Promise.race([master.exit, late]);
  cancel();
  return master.exited() !== undefined;
}

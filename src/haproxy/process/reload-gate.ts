import type { Clock } from '../runtime/clock.ts';

export interface ReloadGate<T> {
  /** Answers with the outcome of the run that began after this call. */
  request(reason: string): Promise<T>;
}

interface Waiting<T> {
  readonly reasons: string[];
  readonly promise: Promise<T>;
  readonly settle: (outcome: Promise<T>) => void;
}

/**
 * At most one run per interval, start to start: the first at once, later ones together at the end
 * of the interval. A request during a run waits for the next one: the run may have read the files
 * before they changed.
 */
export function createReloadGate<T>(clock: Clock, intervalMs: number, run: (reasons: readonly string[]) => Promise<T>): ReloadGate<T> {
  let running = false;
  let lastStart = Number.NEGATIVE_INFINITY;
  let waiting: Waiting<T> | undefined;
  let timed = false;

  function proceed(): void {
    if (running || timed || waiting === undefined) return;
    const delay = lastStart + intervalMs - clock.now();
    if (delay > 0) {
      timed = true;
      clock.after(delay, () => {
        timed = false;
        proceed();
      });
      return;
    }
    const batch = waiting;
    waiting = undefined;
    running = true;
    lastStart = clock.now();
    const outcome = run([...new Set(batch.reasons)]);
    batch.settle(outcome);
    outcome
      .catch(() => undefined)
      .finally(() => {
        running = false;
        proceed();
      });
  }

  return {
    request(reason) {
      waiting ??= newWaiting();
      waiting.reasons.push(reason);
      const { promise } = waiting;
      proceed();
      return promise;
    },
  };
}

function newWaiting<T>(): Waiting<T> {
  let settle: (outcome: Promise<T>) => void = () => undefined;
  const promise = new Promise<T>((resolve) => {
    settle = resolve;
  });
  return { reasons: [], promise, settle };
}

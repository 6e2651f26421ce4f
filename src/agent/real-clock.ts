import type { Clock } from './server/clock.ts';

/** The real time. Its timers do not keep the process alive. */
export const realClock: Clock = {
  now: () => performance.now(),
  after: (delayMs, callback) => {
    const timer = setTimeout(callback, delayMs).unref();
    return () => clearTimeout(timer);
  },
};

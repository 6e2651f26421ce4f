/** Time as a dependency. `after` returns its own cancellation. */
export interface Clock {
  /** Milliseconds, monotonic. */
  now(): number;
  after(milliseconds: number, run: () => void): () => void;
}

export const systemClock: Clock = {
  now() {
    return performance.now();
  },
  after(milliseconds, run) {
    const timer = setTimeout(run, milliseconds);
    return () => {
      clearTimeout(timer);
    };
  },
};

export function sleep(clock: Clock, milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    clock.after(milliseconds, resolve);
  });
}

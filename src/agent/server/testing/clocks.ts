import type { Cancel, Clock } from '../clock.ts';

export { realClock } from '../../real-clock.ts';

/** Time that stands still until `advance`. */
export class FakeClock implements Clock {
  #now = 1000;
  readonly #timers = new Set<{ readonly at: number; readonly callback: () => void }>();

  /** Timers that are neither fired nor cancelled. */
  get pending(): number {
    return this.#timers.size;
  }

  now(): number {
    return this.#now;
  }

  after(delayMs: number, callback: () => void): Cancel {
    const timer = { at: this.#now + delayMs, callback };
    this.#timers.add(timer);
    return () => this.#timers.delete(timer);
  }

  advance(ms: number): void {
    this.#now += ms;
    const due = [...this.#timers].filter((timer) => timer.at <= this.#now).sort((a, b) => a.at - b.at);
    for (const timer of due) {
      if (this.#timers.delete(timer)) timer.callback();
    }
  }
}

import type { Cancel, Clock } from './clock.ts';

export interface PendingOptions {
  readonly clock: Clock;
  /** A path is handed on when nothing happened to it for so long. */
  readonly quietMs: number;
  /** A path that never comes to rest is handed on all the same. */
  readonly maxWaitMs: number;
  readonly onDue: (paths: readonly string[]) => void;
}

interface Waiting {
  readonly dueAt: number;
  readonly firstAt: number;
}

/** Collects changed paths until each has come to rest, and hands them on together. */
export class PendingPaths {
  readonly #options: PendingOptions;
  readonly #waiting = new Map<string, Waiting>();
  #timer: { readonly at: number; readonly cancel: Cancel } | undefined;
  #lastRun = Number.NEGATIVE_INFINITY;

  constructor(options: PendingOptions) {
    this.#options = options;
  }

  touch(path: string): void {
    const { clock, quietMs, maxWaitMs } = this.#options;
    const now = clock.now();
    const firstAt = this.#waiting.get(path)?.firstAt ?? now;
    this.#waiting.set(path, { firstAt, dueAt: Math.min(now + quietMs, firstAt + maxWaitMs) });
    this.#schedule();
  }

  /** To be looked at again later, without prejudice to what happens until then. */
  postpone(path: string, afterMs: number): void {
    if (this.#waiting.has(path)) return;
    const dueAt = this.#options.clock.now() + afterMs;
    this.#waiting.set(path, { firstAt: dueAt, dueAt });
    this.#schedule();
  }

  stop(): void {
    this.#timer?.cancel();
    this.#timer = undefined;
    this.#waiting.clear();
  }

  #schedule(): void {
    let at = Number.POSITIVE_INFINITY;
    for (const { dueAt } of this.#waiting.values()) at = Math.min(at, dueAt);
    if (at === Number.POSITIVE_INFINITY) return;
    // In a burst of changes every run serves many of them.
    at = Math.max(at, this.#lastRun + this.#options.quietMs / 2);
    if (this.#timer && this.#timer.at <= at) return;
    this.#timer?.cancel();
    const { clock } = this.#options;
    this.#timer = { at, cancel: clock.after(Math.max(0, at - clock.now()), () => this.#run()) };
  }

  #run(): void {
    this.#timer = undefined;
    const now = this.#options.clock.now();
    this.#lastRun = now;
    // Timers may come a hair early.
    const due = [...this.#waiting].filter(([, waiting]) => waiting.dueAt <= now + 1).map(([path]) => path);
    for (const path of due) this.#waiting.delete(path);
    if (due.length > 0) this.#options.onDue(due);
    this.#schedule();
  }
}

import type { Cancel, Clock } from './clock.ts';

/** A slice of work between two chances for others to run. */
const SLICE_MS = 8;

export interface RescansOptions {
  readonly clock: Clock;
  readonly periodMs: number;
  /** The work in small steps; its value says whether anything changed. */
  readonly steps: () => Generator<void, boolean>;
  readonly onDone: (changed: boolean) => void;
}

/** Runs the rescan periodically, in slices, one at a time. */
export class Rescans {
  readonly #options: RescansOptions;
  #cancel: Cancel | undefined;
  #stopped = false;

  constructor(options: RescansOptions) {
    this.#options = options;
  }

  first(): Promise<boolean> {
    return new Promise((resolve) => this.#slice(this.#options.steps(), resolve));
  }

  start(): void {
    if (this.#stopped) return;
    this.#cancel = this.#options.clock.after(this.#options.periodMs, () => {
      this.#slice(this.#options.steps(), (changed) => {
        this.#options.onDone(changed);
        this.start();
      });
    });
  }

  stop(): void {
    this.#stopped = true;
    this.#cancel?.();
  }

  #slice(steps: Generator<void, boolean>, onDone: (changed: boolean) => void): void {
    if (this.#stopped) {
      onDone(false);
      return;
    }
    const { clock } = this.#options;
    const end = clock.now() + SLICE_MS;
    for (;;) {
      const step = steps.next();
      if (step.done === true) {
        onDone(step.value);
        return;
      }
      if (clock.now() >= end) break;
    }
    this.#cancel = clock.after(0, () => this.#slice(steps, onDone));
  }
}

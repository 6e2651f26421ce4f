import type { Action } from '../wire/action.ts';
import type { Notify } from '../wire/frame.ts';
import { NO_ACTIONS } from './handler.ts';
import { Run } from './run.ts';
import type { Services } from './services.ts';

/** One NOTIFY frame until its ACK: its messages are handled side by side, and answered together. */
export class Exchange {
  readonly streamId: number;
  readonly frameId: number;
  readonly #runs: Run[] = [];

  constructor(notify: Notify) {
    this.streamId = notify.streamId;
    this.frameId = notify.frameId;
  }

  /** Calls the handlers. `onSettled` is called later if, and only if, the exchange is not settled on return. */
  start(notify: Notify, services: Services, engineId: string | undefined, onSettled: () => void): void {
    const now = services.clock.now();
    for (const message of notify.messages) {
      const registered = services.registry.get(message.name);
      if (registered === undefined) {
        services.stats.counters.unknownMessages += 1;
        continue;
      }
      const run = new Run(registered, services, now, engineId);
      this.#runs.push(run);
      run.start(message, () => {
        if (this.settled) onSettled();
      });
    }
  }

  get settled(): boolean {
    return this.#runs.every((run) => run.settled);
  }

  get messageNames(): readonly string[] {
    return this.#runs.map((run) => run.messageName);
  }

  /** In the order of the messages, so of two that set one variable the later wins, whichever was faster. */
  get actions(): readonly Action[] {
    const [only, second] = this.#runs;
    if (only === undefined) return NO_ACTIONS;
    return second === undefined ? only.actions : this.#runs.flatMap((run) => run.actions);
  }

  /** In place of `actions` that cannot be sent. Whose they are is not known, so every message counts as failed. */
  get failureActions(): readonly Action[] {
    return this.#runs.flatMap((run) => run.failureActions);
  }

  cancel(reason: Error): void {
    for (const run of this.#runs) run.cancel(reason);
  }
}

import type { Action } from '../wire/action.ts';
import type { Message } from '../wire/message.ts';
import type { Cancel } from './clock.ts';
import { FAILED, type HandlerContext, NO_ACTIONS } from './handler.ts';
import type { Registered } from './registry.ts';
import type { Services } from './services.ts';

/** One message in the hands of its handler, until the handler answers, fails, or is no longer waited for. */
export class Run implements HandlerContext {
  readonly deadline: number;
  readonly engineId: string | undefined;
  readonly #registered: Registered;
  readonly #services: Services;
  readonly #delayMs: number;
  #actions: readonly Action[] = NO_ACTIONS;
  #settled = false;
  #controller: AbortController | undefined;
  #abortReason: Error | undefined;
  #cancelTimer: Cancel | undefined;

  constructor(registered: Registered, services: Services, now: number, engineId: string | undefined) {
    this.#registered = registered;
    this.#services = services;
    this.#delayMs = registered.handler.deadlineMs ?? services.limits.deadlineMs;
    this.deadline = now + this.#delayMs;
    this.engineId = engineId;
  }

  /** Made on first use: most handlers answer at once, and a signal costs more than such an answer. */
  get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    if (this.#abortReason !== undefined) this.#controller.abort(this.#abortReason);
    return this.#controller.signal;
  }

  get settled(): boolean {
    return this.#settled;
  }

  /** What to answer; nothing until settled. */
  get actions(): readonly Action[] {
    return this.#actions;
  }

  get messageName(): string {
    return this.#registered.handler.message;
  }

  get failureActions(): readonly Action[] {
    return this.#registered.handler.onFailure ?? FAILED;
  }

  /** Calls the handler. `onSettled` is called later if, and only if, the run is not settled on return. */
  start(message: Message, onSettled: () => void): void {
    try {
      const result = this.#registered.handler.handle(new Map(message.args), this);
      if (result instanceof Promise) this.#await(result, onSettled);
      else this.#answer(result);
    } catch (error) {
      this.#fail(error);
    }
  }

  /** Nobody waits any more: the connection is gone. */
  cancel(reason: Error): void {
    if (!this.#settled) this.#abandon(NO_ACTIONS, reason);
  }

  #await(promise: Promise<readonly Action[]>, onSettled: () => void): void {
    this.#cancelTimer = this.#services.clock.after(this.#delayMs, () => {
      this.#registered.counters.timedOut += 1;
      const actions = this.#registered.handler.onDeadline ?? NO_ACTIONS;
      this.#abandon(actions, new Error(`no answer within ${this.#delayMs} ms`));
      onSettled();
    });
    const late = (settle: () => void): void => {
      if (this.#settled) {
        this.#services.stats.counters.abandoned -= 1;
        return;
      }
      settle();
      onSettled();
    };
    promise.then(
      (actions) => late(() => this.#answer(actions)),
      (error: unknown) => late(() => this.#fail(error)),
    );
  }

  #answer(actions: readonly Action[]): void {
    // The compiler forbids it, but a handler that slips past it must not take the connection down.
    if (!Array.isArray(actions)) {
      this.#fail(new TypeError('the handler returned no list of actions'));
      return;
    }
    this.#settle(actions);
    this.#registered.counters.answered += 1;
  }

  #fail(error: unknown): void {
    this.#settle(this.failureActions);
    this.#registered.counters.failed += 1;
    this.#services.report({ kind: 'handler-failed', message: this.messageName, error });
  }

  #abandon(actions: readonly Action[], reason: Error): void {
    this.#settle(actions);
    this.#services.stats.counters.abandoned += 1;
    this.#abortReason = reason;
    this.#controller?.abort(reason);
  }

  #settle(actions: readonly Action[]): void {
    this.#settled = true;
    this.#actions = actions;
    this.#cancelTimer?.();
  }
}

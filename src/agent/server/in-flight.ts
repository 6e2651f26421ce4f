import type { Notify } from '../wire/frame.ts';
import { Exchange } from './exchange.ts';
import { NO_ACTIONS } from './handler.ts';
import type { Outbox } from './outbox.ts';
import type { Services } from './services.ts';

/** The questions of one connection that have no answer yet, and how their answers go out. */
export class InFlight {
  readonly #services: Services;
  readonly #outbox: Outbox;
  readonly #onAcked: () => void;
  readonly #exchanges = new Set<Exchange>();
  #engineId: string | undefined;
  #maxFrameSize = 0;

  /** `onAcked` is called after an answer that was not given at once. */
  constructor(services: Services, outbox: Outbox, onAcked: () => void) {
    this.#services = services;
    this.#outbox = outbox;
    this.#onAcked = onAcked;
  }

  /** What the handshake settled. */
  open(engineId: string | undefined, maxFrameSize: number): void {
    this.#engineId = engineId;
    this.#maxFrameSize = maxFrameSize;
  }

  get size(): number {
    return this.#exchanges.size;
  }

  get full(): boolean {
    return this.#exchanges.size >= this.#services.limits.maxInFlightPerConnection;
  }

  /** The caller has entered the gate; it is left with the ACK, or with `cancel`. */
  start(notify: Notify): void {
    const { counters } = this.#services.stats;
    counters.notifies += 1;
    counters.inFlight += 1;
    const exchange = new Exchange(notify);
    exchange.start(notify, this.#services, this.#engineId, () => {
      // After `cancel` nobody is there to be told.
      if (!this.#exchanges.delete(exchange)) return;
      this.#acknowledge(exchange);
      this.#onAcked();
    });
    if (exchange.settled) this.#acknowledge(exchange);
    else this.#exchanges.add(exchange);
  }

  cancel(reason: Error): void {
    for (const exchange of this.#exchanges) {
      exchange.cancel(reason);
      this.#leave();
    }
    this.#exchanges.clear();
  }

  #acknowledge(exchange: Exchange): void {
    this.#leave();
    this.#services.stats.counters.acks += 1;
    const { streamId, frameId } = exchange;
    const ack = { kind: 'ack', streamId, frameId } as const;
    const error = this.#outbox.append({ ...ack, actions: exchange.actions }, this.#maxFrameSize);
    if (error === undefined) return;
    const messages = exchange.messageNames;
    this.#services.stats.counters.refusedAcks += 1;
    this.#services.report({ kind: 'ack-refused', messages, error });
    const refused = this.#outbox.append({ ...ack, actions: exchange.failureActions }, this.#maxFrameSize);
    // HAProxy waits for an ACK in any case. Empty, it always fits.
    if (refused !== undefined) this.#outbox.append({ ...ack, actions: NO_ACTIONS }, this.#maxFrameSize);
  }

  #leave(): void {
    this.#services.stats.counters.inFlight -= 1;
    this.#services.gate.leave();
  }
}

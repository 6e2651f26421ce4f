import type { SpopErrorCode } from '../wire/errors.ts';

/** What became of the messages of one name. */
export interface MessageStats {
  /** Answered by the handler in time. */
  readonly answered: number;
  readonly failed: number;
  readonly timedOut: number;
}

/** A moment's copy of the counters. All count from the server's creation; the gauges say so. */
export interface AgentStats {
  /** Gauge: open connections, health checks included. */
  readonly connections: number;
  readonly connectionsAccepted: number;
  readonly healthChecks: number;
  readonly framesReceived: number;
  readonly framesSent: number;
  readonly notifies: number;
  readonly acks: number;
  /** Gauge: NOTIFY frames whose ACK is not sent yet. */
  readonly inFlight: number;
  /** Gauge: handlers that still run although their answer is no longer wanted. */
  readonly abandoned: number;
  /** How often a connection was not read for a while because of a bound. */
  readonly pauses: number;
  /** Messages whose name has no handler. */
  readonly unknownMessages: number;
  /** ACKs that went out without their handlers' actions because these could not be sent. */
  readonly refusedAcks: number;
  readonly socketErrors: number;
  /** Faults of the peer's bytes, by code. */
  readonly protocolErrors: Readonly<Partial<Record<SpopErrorCode, number>>>;
  /** DISCONNECT frames of HAProxy, by status. */
  readonly disconnects: Readonly<Record<number, number>>;
  /** One entry for each handler. */
  readonly messages: Readonly<Record<string, MessageStats>>;
}

type Counter =
  | 'connections'
  | 'connectionsAccepted'
  | 'healthChecks'
  | 'framesReceived'
  | 'framesSent'
  | 'notifies'
  | 'acks'
  | 'inFlight'
  | 'abandoned'
  | 'pauses'
  | 'unknownMessages'
  | 'refusedAcks'
  | 'socketErrors';

/** The counters of one message name, written to directly: they are on the path of every message. */
export interface MessageCounters {
  answered: number;
  failed: number;
  timedOut: number;
}

/** The live counters behind `AgentStats`. */
export class StatsBook {
  readonly counters: Record<Counter, number> = {
    connections: 0,
    connectionsAccepted: 0,
    healthChecks: 0,
    framesReceived: 0,
    framesSent: 0,
    notifies: 0,
    acks: 0,
    inFlight: 0,
    abandoned: 0,
    pauses: 0,
    unknownMessages: 0,
    refusedAcks: 0,
    socketErrors: 0,
  };
  readonly #protocolErrors = new Map<SpopErrorCode, number>();
  readonly #disconnects = new Map<number, number>();
  readonly #messages = new Map<string, MessageCounters>();

  protocolError(code: SpopErrorCode): void {
    this.#protocolErrors.set(code, (this.#protocolErrors.get(code) ?? 0) + 1);
  }

  /** A peer chooses the status; unknown ones are counted together as 99, so that it cannot make the map grow. */
  disconnect(status: number): void {
    const bounded = status >= 0 && status < 14 ? status : 99;
    this.#disconnects.set(bounded, (this.#disconnects.get(bounded) ?? 0) + 1);
  }

  message(name: string): MessageCounters {
    const counters = this.#messages.get(name) ?? { answered: 0, failed: 0, timedOut: 0 };
    this.#messages.set(name, counters);
    return counters;
  }

  snapshot(): AgentStats {
    return {
      ...this.counters,
      protocolErrors: Object.fromEntries(this.#protocolErrors),
      disconnects: Object.fromEntries(this.#disconnects),
      messages: Object.fromEntries([...this.#messages].map(([name, counters]) => [name, { ...counters }])),
    };
  }
}

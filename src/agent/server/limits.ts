/** Bounds of a server. Sizes are bytes, times milliseconds. */
export interface AgentLimits {
  /** Announced to HAProxy, 256 and more; the smaller of the two sides' sizes is used. HAProxy's is `tune.bufsize` - 4. */
  readonly maxFrameSize: number;
  /** NOTIFY frames without ACK on one connection, from which on it is not read. HAProxy itself sends at most 20. */
  readonly maxInFlightPerConnection: number;
  /** The same over all connections. */
  readonly maxInFlight: number;
  /** For a message whose handler has no `deadlineMs`. Keep below `timeout processing`. */
  readonly deadlineMs: number;
  /** How long a connection may take to say HAPROXY-HELLO. */
  readonly helloMs: number;
  /** How long a peer may take to close after the last frame of ours. */
  readonly closeMs: number;
}

export const DEFAULT_LIMITS: AgentLimits = {
  maxFrameSize: 1_048_572,
  maxInFlightPerConnection: 32,
  maxInFlight: 4096,
  deadlineMs: 1000,
  helloMs: 5000,
  closeMs: 1000,
};

import type { SpopError } from '../wire/errors.ts';

/** What happened that an operator may want to read. Counted in the statistics as well; frequent under an attack. */
export type AgentEvent =
  | { readonly kind: 'handler-failed'; readonly message: string; readonly error: unknown }
  /** The actions of these messages could not be sent: too big, or a value outside the range of its type. */
  | { readonly kind: 'ack-refused'; readonly messages: readonly string[]; readonly error: SpopError }
  | { readonly kind: 'protocol-error'; readonly error: SpopError }
  | { readonly kind: 'socket-error'; readonly error: Error }
  /** HAProxy closed the connection with a status other than 0. */
  | { readonly kind: 'peer-disconnect'; readonly status: number; readonly message: string };

export type Report = (event: AgentEvent) => void;

/**
 * `argument`: refused here, nothing was sent. `connect`: nobody listens, nothing was sent.
 * `refused`: HAProxy said no. `timeout` and `protocol`: nobody knows whether the command ran; the
 * caller must read back or reload from disk.
 */
export type RuntimeErrorCode = 'argument' | 'connect' | 'refused' | 'timeout' | 'protocol';

/** A fault as a value. `command` never holds a payload, so no key can reach a log through it. */
export interface RuntimeError {
  readonly code: RuntimeErrorCode;
  readonly command: string;
  readonly answer: string;
}

export interface Failure {
  readonly ok: false;
  readonly error: RuntimeError;
}

export type Result<T> = { readonly ok: true; readonly value: T } | Failure;

/** What HAProxy answered to one command, without the blank line that ends it. */
export type Reply = Result<string>;

export function success<T>(value: T): { readonly ok: true; readonly value: T } {
  return { ok: true, value };
}

export function failure(code: RuntimeErrorCode, command: string, answer: string): Failure {
  return { ok: false, error: { code, command, answer } };
}

/** The first failure among replies, or undefined if all went well. */
export function firstFailure(replies: readonly Reply[]): Failure | undefined {
  for (const reply of replies) if (!reply.ok) return reply;
  return undefined;
}

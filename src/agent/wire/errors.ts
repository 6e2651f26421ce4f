import { assertNever } from './assert-never.ts';
import { type KnownStatus, STATUS } from './status.ts';

/** Everything that can be wrong with bytes received or with values to send. */
export type SpopErrorCode =
  /** A value runs past the end of its frame. */
  | 'truncated'
  /** A varint of more than 64 bits, or one of more than 53 bits where a count, a size or an identifier is due. */
  | 'varint-overflow'
  | 'unknown-data-type'
  | 'unknown-frame-type'
  | 'unknown-action'
  | 'unknown-scope'
  /** An action with another number of arguments than SPOE.txt 3.4 gives it. */
  | 'bad-argument-count'
  /** A value outside the range of its type: an int32 of 40 bits, text with a character above U+00FF, no address. */
  | 'value-out-of-range'
  /** An item of a HELLO or DISCONNECT frame has another type than SPOE.txt gives it. */
  | 'bad-item-type'
  /** Stream or frame identifier: zero where one is due, or given where zero is due. */
  | 'bad-identifier'
  | 'frame-too-big'
  /** Shorter than the seven bytes that every frame has. */
  | 'frame-too-short'
  /** No FIN flag. Fragmentation was removed from the protocol (SPOE.txt 3.2). */
  | 'fragmented'
  | 'missing-version'
  | 'missing-max-frame-size'
  | 'missing-capabilities'
  | 'missing-status'
  | 'unsupported-version'
  | 'bad-max-frame-size'
  /** A frame that is valid, but not from this peer or not in this state of the connection. */
  | 'unexpected-frame';

/** A fault as a value. `detail` is for people and carries no bytes of the peer. */
export interface SpopError {
  readonly code: SpopErrorCode;
  readonly detail: string;
}

export type SpopResult<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: SpopError };

export function spopError(code: SpopErrorCode, detail: string): SpopError {
  return { code, detail };
}

export function success<T>(value: T): SpopResult<T> {
  return { ok: true, value };
}

export function failure(error: SpopError): { readonly ok: false; readonly error: SpopError } {
  return { ok: false, error };
}

/** The status to put into a DISCONNECT frame for this fault (SPOE.txt 3.5). */
export function statusOf(code: SpopErrorCode): KnownStatus {
  switch (code) {
    case 'frame-too-big':
      return STATUS.frameTooBig;
    case 'fragmented':
      return STATUS.fragmentationNotSupported;
    case 'missing-version':
      return STATUS.noVersion;
    case 'missing-max-frame-size':
      return STATUS.noMaxFrameSize;
    case 'missing-capabilities':
      return STATUS.noCapabilities;
    case 'unsupported-version':
      return STATUS.badVersion;
    case 'bad-max-frame-size':
      return STATUS.badFrameSize;
    case 'truncated':
    case 'varint-overflow':
    case 'unknown-data-type':
    case 'unknown-frame-type':
    case 'unknown-action':
    case 'unknown-scope':
    case 'bad-argument-count':
    case 'value-out-of-range':
    case 'bad-item-type':
    case 'bad-identifier':
    case 'frame-too-short':
    case 'missing-status':
    case 'unexpected-frame':
      return STATUS.invalidFrame;
    default:
      return assertNever(code);
  }
}

import { fromByteString, toByteString } from './text.ts';

/**
 * Typed data (SPOE.txt 3.1). HAProxy sends every integer as int64 whatever the sample, and reads all four integer
 * types into a signed 64-bit one: an uint64 of 2^63 and more arrives there negative.
 */
export type SpopValue =
  /** A sample that HAProxy could not fetch. In a set-var it unsets the variable. */
  | { readonly type: 'null' }
  | { readonly type: 'bool'; readonly value: boolean }
  | { readonly type: 'int32'; readonly value: number }
  | { readonly type: 'uint32'; readonly value: number }
  | { readonly type: 'int64'; readonly value: bigint }
  | { readonly type: 'uint64'; readonly value: bigint }
  /** Dotted decimal. */
  | { readonly type: 'ipv4'; readonly value: string }
  /** Canonical text of RFC 5952. */
  | { readonly type: 'ipv6'; readonly value: string }
  /** A byte string (see `text.ts`): one character, U+0000 to U+00FF, for each byte. */
  | { readonly type: 'string'; readonly value: string }
  /** May be a view into the frame it came in; do not write to it. */
  | { readonly type: 'binary'; readonly value: Uint8Array };

export const NULL_VALUE: SpopValue = { type: 'null' };
export const TRUE_VALUE: SpopValue = { type: 'bool', value: true };
export const FALSE_VALUE: SpopValue = { type: 'bool', value: false };

export function boolValue(value: boolean): SpopValue {
  return value ? TRUE_VALUE : FALSE_VALUE;
}

/**
 * A whole number from -2^53+1 to 2^53-1, as int64: what HAProxy makes of every integer. Anything else is a mistake of
 * the caller and throws a `RangeError`; in a handler that counts as its failure.
 */
export function integerValue(value: number): SpopValue {
  return { type: 'int64', value: BigInt(value) };
}

/** A text of ours, sent as UTF-8. What came from HAProxy goes back as it is: `{ type: 'string', value }`. */
export function textValue(text: string): SpopValue {
  return { type: 'string', value: toByteString(text) };
}

/** The byte string of a string value; nothing for null, for a missing argument and for any other type. */
export function bytesOf(value: SpopValue | undefined): string | undefined {
  return value?.type === 'string' ? value.value : undefined;
}

/** A string or an address for people to read. Never decide on it: bytes that are not UTF-8 become U+FFFD. */
export function readableOf(value: SpopValue | undefined): string | undefined {
  switch (value?.type) {
    case 'string':
      return fromByteString(value.value);
    case 'ipv4':
    case 'ipv6':
      return value.value;
    default:
      return undefined;
  }
}

/** True or false of a bool value; nothing for anything else. */
export function booleanOf(value: SpopValue | undefined): boolean | undefined {
  return value?.type === 'bool' ? value.value : undefined;
}

/** Any of the four integer types as a number; nothing for anything else and beyond 2^53-1 either way. */
export function integerOf(value: SpopValue | undefined): number | undefined {
  switch (value?.type) {
    case 'int32':
    case 'uint32':
      return value.value;
    case 'int64':
    case 'uint64': {
      const number = Number(value.value);
      return Number.isSafeInteger(number) ? number : undefined;
    }
    default:
      return undefined;
  }
}

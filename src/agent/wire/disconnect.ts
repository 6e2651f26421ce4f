import type { ByteReader } from './byte-reader.ts';
import type { KeyValue } from './key-value.ts';
import { bytesOf, integerOf } from './value.ts';

/**
 * The last frame of a side (SPOE.txt 3.2.8 and 3.2.9). `status` is one of `STATUS`, or a number of an agent's own.
 * The specification calls both items mandatory; an absent message reads as empty, since it is only for people.
 */
export interface Disconnect {
  readonly kind: 'haproxy-disconnect' | 'agent-disconnect';
  /** 0 to 2^32-1. */
  readonly status: number;
  /** A byte string. */
  readonly message: string;
}

const KEY = { status: 'status-code', message: 'message' } as const;

/** Faults: `missing-status`, `bad-item-type`. */
export function disconnect(reader: ByteReader, kind: Disconnect['kind'], items: readonly KeyValue[]): Disconnect {
  const map = new Map(items);
  const value = map.get(KEY.status);
  const status = integerOf(value);
  if (value === undefined) reader.fail('missing-status', `the item ${KEY.status} is missing`);
  else if (status === undefined || status < 0) {
    reader.fail('bad-item-type', `the item ${KEY.status} is not an unsigned integer`);
  }
  return { kind, status: status ?? 0, message: bytesOf(map.get(KEY.message)) ?? '' };
}

export function disconnectItems(frame: Disconnect): readonly KeyValue[] {
  return [
    [KEY.status, { type: 'uint32', value: frame.status }],
    [KEY.message, { type: 'string', value: frame.message }],
  ];
}

import type { ByteReader } from './byte-reader.ts';
import type { ByteWriter } from './byte-writer.ts';

/*
 * The variable-length integer of SPOE.txt 3.1. The first byte holds values below 240. From 240 on, its low four bits
 * and then seven bits of each following byte count on from where the shorter form ended, so every value has exactly
 * one form. The longest, for 2^64-1, has ten bytes.
 */

const ONE_BYTE = 240;
const CONTINUES = 128;
const MAX_UINT64 = 0xffff_ffff_ffff_ffffn;

/** Bytes after the first whose sum a number still holds exactly: 4 + 6 * 7 = 46 bits, and carries. */
const EXACT_BYTES = 6;
const EXACT_BITS = 46n;
/** What may follow those up to 64 bits: 46 + 3 * 7 = 67, so the last one can overflow and is checked. */
const WIDE_BYTES = 3;

/** 0 to 2^53-1: counts, sizes, identifiers. More is the fault `varint-overflow`. */
export function readVarint(reader: ByteReader): number {
  const first = reader.byte();
  if (first < ONE_BYTE) return first;
  let value = first;
  let scale = 16;
  for (let i = 0; i <= EXACT_BYTES; i += 1) {
    const byte = reader.byte();
    value += byte * scale;
    if (byte < CONTINUES) return Number.isSafeInteger(value) ? value : overflow(reader, 53);
    scale *= 128;
  }
  return overflow(reader, 53);
}

/** 0 to 2^64-1. More is the fault `varint-overflow`. */
export function readVarint64(reader: ByteReader): bigint {
  const first = reader.byte();
  if (first < ONE_BYTE) return BigInt(first);
  let low = first;
  let scale = 16;
  for (let i = 0; i < EXACT_BYTES; i += 1) {
    const byte = reader.byte();
    low += byte * scale;
    if (byte < CONTINUES) return BigInt(low);
    scale *= 128;
  }
  return readWide(reader, BigInt(low));
}

/** `value` is a whole number from 0 to 2^53-1; anything else is the fault `value-out-of-range`. */
export function writeVarint(writer: ByteWriter, value: number): void {
  if (!Number.isSafeInteger(value) || value < 0) {
    writer.fail('value-out-of-range', 'not a whole number from 0 to 2^53-1');
    return;
  }
  if (value < ONE_BYTE) {
    writer.byte(value);
    return;
  }
  writer.byte((value % 16) | 0xf0);
  let rest = Math.floor((value - ONE_BYTE) / 16);
  while (rest >= CONTINUES) {
    writer.byte((rest % 128) | CONTINUES);
    rest = Math.floor((rest - CONTINUES) / 128);
  }
  writer.byte(rest);
}

/** `value` is 0 to 2^64-1; anything else is the fault `value-out-of-range`. */
export function writeVarint64(writer: ByteWriter, value: bigint): void {
  if (value < 0n || value > MAX_UINT64) {
    writer.fail('value-out-of-range', 'not a whole number from 0 to 2^64-1');
    return;
  }
  if (value <= BigInt(Number.MAX_SAFE_INTEGER)) {
    writeVarint(writer, Number(value));
    return;
  }
  writer.byte(Number(value & 15n) | 0xf0);
  let rest = (value - 240n) >> 4n;
  while (rest >= 128n) {
    writer.byte(Number(rest & 127n) | CONTINUES);
    rest = (rest - 128n) >> 7n;
  }
  writer.byte(Number(rest));
}

function readWide(reader: ByteReader, low: bigint): bigint {
  let value = low;
  let shift = EXACT_BITS;
  for (let i = 0; i < WIDE_BYTES; i += 1) {
    const byte = reader.byte();
    value += BigInt(byte) << shift;
    if (byte < CONTINUES) {
      if (value <= MAX_UINT64) return value;
      break;
    }
    shift += 7n;
  }
  overflow(reader, 64);
  return 0n;
}

function overflow(reader: ByteReader, bits: number): number {
  reader.fail('varint-overflow', `a varint of more than ${bits} bits`);
  return 0;
}

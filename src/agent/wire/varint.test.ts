import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ByteReader } from './byte-reader.ts';
import { ByteWriter } from './byte-writer.ts';
import { bytes, fromHex, hex } from './testing/bytes.ts';
import { readVarint, readVarint64, writeVarint, writeVarint64 } from './varint.ts';

/** The ends of each form in SPOE.txt 3.1, and of 64 bits. */
const FORMS: readonly (readonly [bigint, string])[] = [
  [0n, '00'],
  [239n, 'ef'],
  [240n, 'f000'],
  [241n, 'f100'],
  [256n, 'f001'],
  [2287n, 'ff7f'],
  [2288n, 'f08000'],
  [264_431n, 'ffff7f'],
  [264_432n, 'f0808000'],
  [33_818_863n, 'ffffff7f'],
  [33_818_864n, 'f080808000'],
  [4_328_786_159n, 'ffffffff7f'],
  [4_328_786_160n, 'f08080808000'],
  [2n ** 64n - 1n, 'fff0fefefefefefefe0e'],
];

function encode(value: bigint): Uint8Array {
  const writer = new ByteWriter();
  writeVarint64(writer, value);
  expect(writer.error).toBeUndefined();
  return writer.take();
}

describe('varint', () => {
  it.each(FORMS)('writes and reads %s as %s', (value, form) => {
    expect(hex(encode(value))).toBe(form);
    expect(readVarint64(new ByteReader(fromHex(form)))).toBe(value);
    if (value <= BigInt(Number.MAX_SAFE_INTEGER)) {
      expect(readVarint(new ByteReader(fromHex(form)))).toBe(Number(value));
    }
  });

  it('gives back every 64-bit number, and reads nothing beyond it', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }), fc.uint8Array({ maxLength: 4 }), (value, rest) => {
        const reader = new ByteReader(bytes(encode(value), rest));
        expect(readVarint64(reader)).toBe(value);
        expect(hex(reader.bytes(rest.length))).toBe(hex(rest));
        expect(reader.error).toBeUndefined();
      }),
    );
  });

  it('gives back every safe whole number, in the bytes of the wide form', () => {
    fc.assert(
      fc.property(fc.nat({ max: Number.MAX_SAFE_INTEGER }), (value) => {
        const writer = new ByteWriter();
        writeVarint(writer, value);
        const form = writer.take();
        expect(readVarint(new ByteReader(form))).toBe(value);
        expect(hex(form)).toBe(hex(encode(BigInt(value))));
      }),
    );
  });

  it('refuses more than 53 bits where a number is due', () => {
    for (const value of [2n ** 53n, 2n ** 60n, 2n ** 64n - 1n]) {
      const reader = new ByteReader(encode(value));
      expect(readVarint(reader)).toBe(0);
      expect(reader.error?.code).toBe('varint-overflow');
    }
  });

  it('refuses more than 64 bits, and a varint that never ends', () => {
    // 2^64 is one more than the longest form above.
    for (const form of ['f0f1fefefefefefefe0e', `ff${'ff'.repeat(40)}`, `f0${'80'.repeat(9)}00`]) {
      const reader = new ByteReader(fromHex(form));
      expect(readVarint64(reader)).toBe(0n);
      expect(reader.error?.code).toBe('varint-overflow');
    }
  });

  it('refuses a form that is cut short', () => {
    for (const [, form] of FORMS) {
      for (let length = 0; length < form.length / 2; length += 1) {
        const reader = new ByteReader(fromHex(form).subarray(0, length));
        readVarint64(reader);
        expect(reader.error?.code).toBe('truncated');
      }
    }
  });

  it('refuses to write what has no form', () => {
    for (const value of [-1, 0.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53]) {
      const writer = new ByteWriter();
      writeVarint(writer, value);
      expect(writer.error?.code).toBe('value-out-of-range');
    }
    for (const value of [-1n, 2n ** 64n]) {
      const writer = new ByteWriter();
      writeVarint64(writer, value);
      expect(writer.error?.code).toBe('value-out-of-range');
    }
  });
});

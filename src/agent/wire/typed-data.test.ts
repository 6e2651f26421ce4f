import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ByteReader } from './byte-reader.ts';
import { ByteWriter } from './byte-writer.ts';
import { value as anyValue } from './testing/arbitraries.ts';
import { bytes, fromHex, hex } from './testing/bytes.ts';
import { readTypedData, writeTypedData } from './typed-data.ts';
import type { SpopValue } from './value.ts';

const MINUS_ONE = 'fff0fefefefefefefe0e';

const FORMS: readonly (readonly [SpopValue, string])[] = [
  [{ type: 'null' }, '00'],
  [{ type: 'bool', value: false }, '01'],
  [{ type: 'bool', value: true }, '11'],
  [{ type: 'int32', value: 7 }, '0207'],
  [{ type: 'int32', value: -1 }, `02${MINUS_ONE}`],
  [{ type: 'uint32', value: 2288 }, '03f08000'],
  [{ type: 'int64', value: -1n }, `04${MINUS_ONE}`],
  [{ type: 'uint64', value: 2n ** 64n - 1n }, `05${MINUS_ONE}`],
  [{ type: 'ipv4', value: '192.0.2.1' }, '06c0000201'],
  [{ type: 'ipv6', value: '2001:db8::1' }, '0720010db8000000000000000000000001'],
  [{ type: 'string', value: 'caf\u00e9' }, '0804636166e9'],
  [{ type: 'binary', value: Buffer.of(0, 255) }, '090200ff'],
];

function write(data: SpopValue): ByteWriter {
  const writer = new ByteWriter();
  writeTypedData(writer, data);
  return writer;
}

describe('typed data', () => {
  it.each(FORMS)('writes and reads %o', (data, form) => {
    expect(hex(write(data).take())).toBe(form);
    const reader = new ByteReader(fromHex(form));
    expect(readTypedData(reader)).toEqual(data);
    expect(reader.error).toBeUndefined();
    expect(reader.more).toBe(false);
  });

  it('gives back every value', () => {
    fc.assert(
      fc.property(anyValue, (data) => {
        const reader = new ByteReader(write(data).take());
        expect(readTypedData(reader)).toEqual(data);
        expect(reader.error).toBeUndefined();
      }),
    );
  });

  it('finds every cut', () => {
    fc.assert(
      fc.property(anyValue, fc.nat(), (data, cut) => {
        const form = write(data).take();
        const reader = new ByteReader(form.subarray(0, cut % form.length));
        readTypedData(reader);
        expect(reader.error?.code).toBe('truncated');
      }),
    );
  });

  it.each([10, 11, 12, 13, 14, 15])('refuses the reserved type %i', (type) => {
    const reader = new ByteReader(bytes(type, 0, 0));
    readTypedData(reader);
    expect(reader.error?.code).toBe('unknown-data-type');
  });

  it('refuses 32-bit numbers of more bits', () => {
    for (const form of ['02f08080808000', '03f08080808000']) {
      const reader = new ByteReader(fromHex(form));
      readTypedData(reader);
      expect(reader.error?.code).toBe('value-out-of-range');
    }
  });

  it.each<SpopValue>([
    { type: 'int32', value: 2 ** 31 },
    { type: 'int32', value: -(2 ** 31) - 1 },
    { type: 'int32', value: 0.5 },
    { type: 'uint32', value: -1 },
    { type: 'uint32', value: 2 ** 32 },
    { type: 'int64', value: 2n ** 63n },
    { type: 'int64', value: -(2n ** 63n) - 1n },
    { type: 'uint64', value: -1n },
    { type: 'uint64', value: 2n ** 64n },
    { type: 'ipv4', value: '1.2.3' },
    { type: 'ipv6', value: '1.2.3.4' },
    { type: 'string', value: '\u0100' },
  ])('refuses to write %o', (data) => {
    expect(write(data).error?.code).toBe('value-out-of-range');
  });

  it('keeps a path that is not UTF-8 as it is', () => {
    const form = bytes(8, 3, '/', 0xff, 0xc3);
    const data = readTypedData(new ByteReader(form));
    expect(data).toEqual({ type: 'string', value: '/\u00ff\u00c3' });
    expect(hex(write(data).take())).toBe(hex(form));
  });
});

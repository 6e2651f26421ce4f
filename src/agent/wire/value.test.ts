import { describe, expect, it } from 'vitest';
import { fromByteString, toByteString } from './text.ts';
import { booleanOf, boolValue, bytesOf, integerOf, integerValue, readableOf, textValue } from './value.ts';

describe('values', () => {
  it('sends text as UTF-8 and reads it back', () => {
    expect(textValue('plain')).toEqual({ type: 'string', value: 'plain' });
    expect(textValue('ü€')).toEqual({ type: 'string', value: '\u00c3\u00bc\u00e2\u0082\u00ac' });
    expect(readableOf(textValue('ü€'))).toBe('ü€');
    expect(fromByteString(toByteString('日本'))).toBe('日本');
    expect(fromByteString('\u00ff')).toBe('\ufffd');
  });

  it('gives nothing for another type', () => {
    expect(bytesOf(boolValue(true))).toBeUndefined();
    expect(bytesOf(undefined)).toBeUndefined();
    expect(readableOf({ type: 'binary', value: new Uint8Array() })).toBeUndefined();
    expect(booleanOf({ type: 'null' })).toBeUndefined();
    expect(integerOf(textValue('1'))).toBeUndefined();
  });

  it('gives what it holds', () => {
    expect(bytesOf(textValue('a'))).toBe('a');
    expect(readableOf({ type: 'ipv6', value: '::1' })).toBe('::1');
    expect(booleanOf(boolValue(false))).toBe(false);
    expect(integerOf(integerValue(-5))).toBe(-5);
    expect(integerOf({ type: 'uint32', value: 5 })).toBe(5);
    expect(integerOf({ type: 'uint64', value: 2n ** 60n })).toBeUndefined();
  });
});

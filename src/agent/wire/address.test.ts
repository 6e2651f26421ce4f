import fc from 'fast-check';
import { isIPv4, isIPv6 } from 'node:net';
import { describe, expect, it } from 'vitest';
import { formatIpv4, formatIpv6, parseIpv4, parseIpv6 } from './address.ts';
import { fromHex, hex } from './testing/bytes.ts';

const IPV6: readonly (readonly [string, string])[] = [
  ['::', '00000000000000000000000000000000'],
  ['::1', '00000000000000000000000000000001'],
  ['1::', '00010000000000000000000000000000'],
  ['2001:db8::1', '20010db8000000000000000000000001'],
  ['2001:db8:0:1:1:1:1:1', '20010db8000000010001000100010001'],
  ['2001:0:0:1::1', '20010000000000010000000000000001'],
  ['1::2:0:0:3', '00010000000000000002000000000003'],
  ['::ffff:192.0.2.1', '00000000000000000000ffffc0000201'],
  ['ff02::fb', 'ff0200000000000000000000000000fb'],
];

describe('ip addresses', () => {
  it('gives back every IPv4 address', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 4, maxLength: 4 }), (address) => {
        const text = formatIpv4(address);
        expect(isIPv4(text)).toBe(true);
        expect(parseIpv4(text)).toEqual(address);
      }),
    );
  });

  it('gives back every IPv6 address, many of them with zero groups', () => {
    const group = fc.oneof(fc.constant([0, 0]), fc.tuple(fc.nat({ max: 255 }), fc.nat({ max: 255 })));
    fc.assert(
      fc.property(fc.array(group, { minLength: 8, maxLength: 8 }), (groups) => {
        const address = Uint8Array.from(groups.flat());
        const text = formatIpv6(address);
        expect(isIPv6(text)).toBe(true);
        expect(parseIpv6(text)).toEqual(address);
      }),
    );
  });

  it.each(IPV6)('writes and reads %s', (text, form) => {
    expect(formatIpv6(fromHex(form))).toBe(text);
    expect(hex(parseIpv6(text) ?? new Uint8Array())).toBe(form);
  });

  it('reads forms it does not write', () => {
    expect(parseIpv6('2001:DB8:0:0:0:0:0:1')).toEqual(parseIpv6('2001:db8::1'));
    expect(parseIpv6('::192.0.2.1')).toEqual(parseIpv6('::c000:201'));
    expect(parseIpv6('1:2:3:4:5:6:192.0.2.1')).toEqual(parseIpv6('1:2:3:4:5:6:c000:201'));
  });

  it('agrees with Node on what is an address', () => {
    const alphabet = fc.constantFrom('0', '1', '12', '255', '256', '01', 'fe80', '12345', ':', '::', '.', '%', 'g');
    fc.assert(
      fc.property(fc.array(alphabet, { maxLength: 16 }), (parts) => {
        const text = parts.join('');
        expect(parseIpv4(text) !== undefined).toBe(isIPv4(text));
        expect(parseIpv6(text) !== undefined).toBe(isIPv6(text) && !text.includes('%'));
      }),
      { numRuns: 2000 },
    );
  });

  it.each(['', ':', ':::', '1:2', '1::2::3', '1:2:3:4:5:6:7::8', '1.2.3.4::', '::1%eth0', '1:2:3:4:5:6:7:8:9'])(
    'refuses %j as IPv6',
    (text) => {
      expect(parseIpv6(text)).toBeUndefined();
    },
  );
});

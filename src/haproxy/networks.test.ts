import { describe, expect, test } from 'vitest';
import { networkListId, networkListRows, networkPrefixes } from './networks.ts';

describe('networkPrefixes', () => {
  test.each([
    ['10.0.0.0/8', ['40A']],
    ['0.0.0.0/0', ['4']],
    ['192.0.2.7/32', ['4C0000207']],
    ['10.255.255.255/8', ['40A']],
    ['128.0.0.0/1', ['48', '49', '4A', '4B', '4C', '4D', '4E', '4F']],
    ['10.64.0.0/10', ['40A4', '40A5', '40A6', '40A7']],
    ['::/0', ['6']],
    ['2001:db8::/32', ['620010DB8']],
    ['2001:DB8:0:8000::/50', ['620010DB800008', '620010DB800009', '620010DB80000A', '620010DB80000B']],
    ['::1/128', ['600000000000000000000000000000001']],
    ['1:2:3:4:5:6:7:8/128', ['600010002000300040005000600070008']],
    ['1::8/128', ['600010000000000000000000000000008']],
    ['::ffff:10.1.2.3/128', ['40A010203']],
    ['::ffff:a01:203/104', ['40A']],
    ['64:ff9b::10.1.2.3/128', ['60064FF9B00000000000000000A010203']],
  ])('%s', (network, prefixes) => {
    expect(networkPrefixes(network)).toEqual(prefixes);
  });

  test.each(['10.0.0.0', '10.0.0.0/33', '::/129', 'x/8', '10.0.0.0/-1', 'fe80::1%eth0/64', ''])('refuses %j', (network) => {
    expect(() => networkPrefixes(network)).toThrow(/not a network|zone/);
  });
});

describe('networkListRows', () => {
  const rows = (allow: readonly string[], deny: readonly string[]) => {
    const list = { allow, deny, otherwise: allow.length > 0 ? 'd' : 'a' } as const;
    const id = networkListId(list);
    return Object.fromEntries(
      networkListRows(list)
        .rows()
        .map((row) => [row.key.slice(id.length + 1), row.value]),
    );
  };

  test('a permission inside a denial is left out', () => {
    expect(rows(['10.1.0.0/16', '192.0.2.0/24'], ['10.0.0.0/8'])).toEqual({ '4': 'd', '6': 'd', '4C00002': 'a', '40A': 'd' });
  });

  test('a denial inside a permission is the longer match', () => {
    expect(rows(['10.0.0.0/8'], ['10.1.0.0/16'])).toEqual({ '4': 'd', '6': 'd', '40A': 'a', '40A01': 'd' });
  });

  test('the same network in both is denied', () => {
    expect(rows(['10.0.0.0/8'], ['10.0.0.0/8'])).toEqual({ '4': 'd', '6': 'd', '40A': 'd' });
  });

  test('the order of entries makes no other list', () => {
    const one = networkListId({ allow: ['10.0.0.0/8', '::1/128'], deny: [], otherwise: 'd' });
    expect(networkListId({ allow: ['::1/128', '10.0.0.0/8'], deny: [], otherwise: 'd' })).toBe(one);
    expect(networkListId({ allow: [], deny: ['10.0.0.0/8', '::1/128'], otherwise: 'a' })).not.toBe(one);
  });
});

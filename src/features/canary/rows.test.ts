import { describe, expect, test } from 'vitest';
import type { Canary, CanaryRule } from '../../model/model.ts';
import { canaryRow, DRAW, weightCount } from './haproxy-rows.ts';

const origin = { kind: 'Ingress', namespace: 'shop', name: 'canary' };

function canary(parts: Partial<Canary>): Canary {
  return { backend: 'be', rules: [], weight: 0, total: 100, origin, ...parts };
}

const ALWAYS: CanaryRule = { on: 'header', name: 'x', match: { type: 'always-never' } };

describe('the row of a route', () => {
  test('weights are rising thresholds, exact to a billionth', () => {
    const row = canaryRow([
      canary({ backend: 'a', weight: 1, total: DRAW }),
      canary({ backend: 'b', weight: 0 }),
      canary({ backend: 'c', weight: 50 }),
    ]);
    expect(row.weights).toBe('1=a=500000001=c');
  });

  test('weights that are the whole end at the whole', () => {
    const thirds = ['a', 'b', 'c'].map((backend) => canary({ backend, weight: 1, total: 3 }));
    expect(canaryRow(thirds).weights.split('=').at(-2)).toBe(String(DRAW));
    expect(weightCount(thirds)).toBe(3);
  });

  test('comparisons of headers and cookies stand in tables, anything else in a list of all rules', () => {
    const cookie: CanaryRule = { on: 'cookie', name: 'c', match: { type: 'value', value: 'v' } };
    expect(canaryRow([canary({ rules: [ALWAYS, cookie] })])).toMatchObject({
      kinds: 'r',
      rules: '\nh\rx\ralways\rbe\nh\rx\rnever\r-\nc\rc\rv\rbe\n\u0001\n',
      list: '',
    });
    const pattern: CanaryRule = { on: 'header', name: 'x', match: { type: 'pattern', pattern: 'a;b&c|d!e' } };
    expect(canaryRow([canary({ rules: [pattern] }), canary({ backend: 'b', rules: [ALWAYS] })])).toMatchObject({
      kinds: 'l',
      rules: '',
      list: 'be|h!x!p!a%3Bb%26c%7Cd%21e;b|h!x!a!',
    });
  });

  test('cookies come after the headers of all canaries, joined conditions before them', () => {
    const cookie: CanaryRule = { on: 'cookie', name: 'c', match: { type: 'always-never' } };
    const query = { on: 'query', name: 'q', match: { type: 'value', value: 'v' } } as const;
    const all: CanaryRule = { on: 'all', rules: [query, { on: 'header', name: 'h', match: { type: 'value', value: 'v' } }] };
    const row = canaryRow([
      canary({ backend: 'a', rules: [cookie] }),
      canary({ backend: 'b', rules: [query] }),
      canary({ backend: 'c', rules: [all] }),
    ]);
    expect(row.list.split(';').map((item) => item[0])).toEqual(['c', 'b', 'a']);
  });

  test('sessions stand only while weight brings requests, production’s only while it keeps some', () => {
    const session = { cookie: 's', canary: 'cabc.', production: 'p.' };
    expect(canaryRow([canary({ weight: 0, session })]).rules).toBe('');
    expect(canaryRow([canary({ weight: 1, session })]).rules).toBe('\ns\rs\rcabc.\rbe\ns\rs\rp.\r-\n\u0001\n');
    expect(canaryRow([canary({ weight: 100, session })]).rules).toBe('\ns\rs\rcabc.\rbe\n\u0001\n');
  });
});

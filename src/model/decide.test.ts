import { describe, expect, test } from 'vitest';
import { decide } from './decide.ts';
import { normalisePath } from './decide-path.ts';
import { matcherOf } from './decide-pattern.ts';
import type { Canary, HostMatch, Model, PathMatch, Route } from './model.ts';

const ORIGIN = { kind: 'Ingress', namespace: 'default', name: 'web' };

function routeOf(id: string, host: HostMatch, path: PathMatch, more: Partial<Route> = {}): Route {
  return { id, host, path, policies: {}, backend: id, canaries: [], createdAt: 0, origin: ORIGIN, ...more };
}

function modelOf(routes: readonly Route[], defaultBackend?: string): Model {
  return { hosts: [], routes, backends: [], certificates: [], ...(defaultBackend === undefined ? {} : { defaultBackend }) };
}

function ask(model: Model, url: string, headers: Readonly<Record<string, string>> = {}) {
  const [, host = '', path = '', query = ''] = /^([^/]*)([^?]*)\??(.*)$/.exec(url) ?? [];
  return decide(model, { host, path, query, headers: Object.entries(headers) });
}

const A: HostMatch = { type: 'exact', name: 'a.example' };
const WILD: HostMatch = { type: 'wildcard', suffix: 'example' };
const ANY: HostMatch = { type: 'any' };
const root: PathMatch = { type: 'segments', path: '' };

describe('the host', () => {
  const model = modelOf([
    routeOf('any', ANY, root),
    routeOf('wild', WILD, root),
    routeOf('exact', A, { type: 'segments', path: '/known' }),
    routeOf('regex', { type: 'regex', pattern: 'x[0-9]+\\.test' }, root),
  ]);

  test.each([
    ['a.example/known', 'exact'],
    ['A.Example.:8080/known/x', 'exact'],
    ['b.example/known', 'wild'],
    ['a.b.example/', 'any'],
    ['x12.test/', 'regex'],
    ['x12.test.org/', 'any'],
    ['[::1]:80/', 'any'],
  ])('%s goes to %s', (url, id) => {
    expect(ask(model, url).route?.id).toBe(id);
  });

  test('a known host without a fitting path does not fall through', () => {
    const decision = ask(model, 'a.example/other');
    expect(decision.outcome).toBe('not-found');
    expect(decision.losers.map(({ route, reason }) => [route.id, reason])).toEqual([
      ['any', 'host'],
      ['wild', 'host'],
      ['exact', 'path'],
    ]);
  });

  test('the default backend answers what no route holds', () => {
    const decision = ask(modelOf([routeOf('exact', A, { type: 'exact', path: '/x' })], 'fallback'), 'a.example/y');
    expect(decision).toMatchObject({ outcome: 'default-backend', shares: [{ backend: 'fallback', percent: 100 }] });
    expect(decide(modelOf([], 'fallback'), { host: 'a.example', path: '*', query: '', headers: [] }).outcome).toBe('not-found');
  });
});

describe('the path', () => {
  const model = modelOf([
    routeOf('root', A, root),
    routeOf('exact', A, { type: 'exact', path: '/shop' }),
    routeOf('segments', A, { type: 'segments', path: '/shop' }),
    routeOf('prefix', A, { type: 'prefix', path: '/sho' }),
    routeOf('short-regex', A, { type: 'regex', pattern: '/s', caseSensitive: true }),
    routeOf('long-regex', A, { type: 'regex', pattern: '/shop/[a-z]+$', caseSensitive: false }),
  ]);

  test.each([
    ['/shop', 'exact'],
    ['/shop/', 'segments'],
    ['/shop/1', 'segments'],
    ['/shop/CART', 'long-regex'],
    ['/shoes', 'prefix'],
    ['/s', 'short-regex'],
    ['/x', 'root'],
    ['/a/../shop', 'exact'],
    ['/%73hop', 'exact'],
  ])('%s goes to %s', (path, id) => {
    expect(ask(model, `a.example${path}`).route?.id).toBe(id);
  });

  test('losers are told why', () => {
    const reasons = ask(model, 'a.example/shop/cart').losers.map(({ route, reason }) => `${route.id} ${reason}`);
    expect(reasons).toEqual(['root regex', 'exact path', 'segments regex', 'prefix regex', 'short-regex regex']);
    expect(ask(model, 'a.example/shop').losers.find(({ route }) => route.id === 'short-regex')?.reason).toBe('plain');
    expect(ask(model, 'a.example/shop').losers.find(({ route }) => route.id === 'root')?.reason).toBe('shorter');
  });

  test.each([
    ['/a//b/./c', '/a/b/c'],
    ['/a/b/..', '/a/'],
    ['/..', ''],
    ['/%', ''],
    ['/%4', ''],
    ['/%zz', ''],
    ['/%00', ''],
    ['/%2e%2e/x', ''],
    ['/%C3%A4%20%23%25', '/%C3%A4%20%23%25'],
    ['/%7e', '/~'],
    ['*', '*'],
  ])('%s is normalised to %s', (path, normal) => {
    expect(normalisePath(path)).toBe(normal);
  });

  test('a bad path is no request', () => {
    expect(ask(model, 'a.example/%zz')).toMatchObject({ outcome: 'bad-path', route: undefined, shares: [] });
  });

  test('a pattern that JavaScript can not evaluate is named', () => {
    const foreign = modelOf([routeOf('foreign', A, { type: 'regex', pattern: '/(?>a+)b', caseSensitive: true })]);
    expect(ask(foreign, 'a.example/aab')).toMatchObject({ outcome: 'not-found', unevaluated: ['/(?>a+)b'] });
    expect(matcherOf('(?i)^/A', { caseSensitive: true, from: 'start' })?.('/a')).toBe(true);
    expect(matcherOf('\\A/x\\z', { caseSensitive: true, from: 'start' })).toBeUndefined();
  });
});

describe('canaries', () => {
  const canary = (backend: string, more: Partial<Canary>): Canary => ({
    backend,
    rules: [],
    weight: 0,
    total: 100,
    origin: ORIGIN,
    ...more,
  });
  const served = (canaries: readonly Canary[], headers: Readonly<Record<string, string>> = {}, query = '') =>
    ask(modelOf([routeOf('web', A, root, { canaries })]), `a.example/${query}`, headers);
  const winners = (decision: ReturnType<typeof served>) => decision.shares.map(({ backend, percent }) => [backend, percent]);

  test('weights leave the rest to production', () => {
    const decision = served([canary('v2', { weight: 20 }), canary('v3', { weight: 1, total: 8 })]);
    expect(winners(decision)).toEqual([
      ['web', 67.5],
      ['v2', 20],
      ['v3', 12.5],
    ]);
    expect(decision.decider.by).toBe('weight');
  });

  test('a canary with everything leaves nothing', () => {
    expect(winners(served([canary('v2', { weight: 100 })]))).toEqual([['v2', 100]]);
  });

  test('a header decides before a cookie, and never means production', () => {
    const canaries = [
      canary('v2', { weight: 100, rules: [{ on: 'cookie', name: 'beta', match: { type: 'always-never' } }] }),
      canary('v3', { rules: [{ on: 'header', name: 'x-canary', match: { type: 'always-never' } }] }),
    ];
    expect(winners(served(canaries, { Cookie: 'beta=always', 'X-Canary': 'always' }))).toEqual([['v3', 100]]);
    expect(winners(served(canaries, { Cookie: 'a=b; Beta = always', 'X-Canary': 'maybe' }))).toEqual([['v2', 100]]);
    expect(winners(served(canaries, { 'x-canary': 'never' }))).toEqual([['web', 100]]);
  });

  test('queries and joined conditions', () => {
    const canaries = [
      canary('v2', {
        rules: [
          {
            on: 'all',
            rules: [
              { on: 'header', name: 'x-user', match: { type: 'pattern', pattern: '^a' } },
              { on: 'query', name: 'v', match: { type: 'value', value: '2 é' } },
            ],
          },
        ],
      }),
    ];
    expect(winners(served(canaries, { 'X-User': 'anna' }, '?w=1&v=2+%C3%A9'))).toEqual([['v2', 100]]);
    expect(winners(served(canaries, { 'X-User': 'anna' }, '?v=1&v=2+%C3%A9'))).toEqual([['web', 100]]);
    expect(winners(served(canaries, { 'X-User': 'bob' }, '?v=2+%C3%A9'))).toEqual([['web', 100]]);
  });

  test('a session stays on its side', () => {
    const session = { cookie: 'side', canary: 'c.', production: 'p.' };
    const canaries = [canary('v2', { weight: 50, session })];
    expect(served(canaries, { cookie: 'side=c.1' })).toMatchObject({
      shares: [{ backend: 'v2' }],
      decider: { by: 'session', to: 'canary' },
    });
    expect(served(canaries, { cookie: 'side=p.1' })).toMatchObject({
      shares: [{ backend: 'web' }],
      decider: { by: 'session', to: 'production' },
    });
    expect(served(canaries, { cookie: 'side=x' }).decider.by).toBe('weight');
  });

  test('a closed route has no canaries', () => {
    const closed = routeOf('web', A, root, { canaries: [canary('v2', { weight: 100 })], closed: { status: 503, features: ['access'] } });
    expect(ask(modelOf([closed]), 'a.example/').shares).toEqual([{ backend: 'web', percent: 100 }]);
  });
});

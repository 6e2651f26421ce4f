import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer as createHttpServer, type Server } from 'node:http';
import { type AddressInfo, connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { driverOf } from '../haproxy/driver.ts';
import { planFiles, writeFiles } from '../haproxy/files/write.ts';
import { Planner } from '../haproxy/plan/build.ts';
import { PLAN_DEFAULTS } from '../haproxy/plan/settings.ts';
import { send } from '../testing/client.ts';
import { haproxyBinary } from '../testing/haproxy-binary.ts';
import { selfSigned } from '../testing/self-signed.ts';
import { decide } from './decide.ts';
import { shortDigest, hostKey, pathKey } from './identity.ts';
import type { Canary, CanaryMatch, HostMatch, Model, PathMatch, Route } from './model.ts';
import { Secret } from './secret.ts';

const HOSTS: readonly HostMatch[] = [
  { type: 'any' },
  { type: 'exact', name: 'a.shop.test' },
  { type: 'exact', name: 'b.shop.test' },
  { type: 'wildcard', suffix: 'shop.test' },
  { type: 'regex', pattern: 'x[0-9]+\\.(test|example)' },
];

const PATHS: readonly PathMatch[] = [
  { type: 'segments', path: '/a' },
  { type: 'segments', path: '/a/b' },
  { type: 'exact', path: '/a' },
  { type: 'exact', path: '/a/b/' },
  { type: 'prefix', path: '/a/bc' },
  { type: 'prefix', path: '/ä b' },
  { type: 'regex', pattern: '^/a/[a-z]+$', caseSensitive: true },
  { type: 'regex', pattern: '^/A/(b|c)(/|$)(.*)', caseSensitive: false },
  { type: 'regex', pattern: '^/a', caseSensitive: true },
  { type: 'regex', pattern: '/a/b', caseSensitive: true },
  { type: 'regex', pattern: '/A/bc', caseSensitive: false },
  { type: 'regex', pattern: '/a(/|$)(.*)', caseSensitive: true },
  { type: 'regex', pattern: '/(a|b)/ä b', caseSensitive: true },
];

const ORIGIN = { kind: 'Ingress', namespace: 'test', name: 'model' };
const always: CanaryMatch = { type: 'always-never' };

/** Deterministic: weights are nothing or everything. */
const CANARIES: Readonly<Record<string, readonly Omit<Canary, 'backend' | 'origin'>[]>> = {
  'a.shop.test': [
    {
      rules: [
        { on: 'header', name: 'x-canary', match: always },
        { on: 'cookie', name: 'beta', match: always },
      ],
      weight: 0,
      total: 100,
    },
    { rules: [{ on: 'cookie', name: 'beta', match: { type: 'value', value: 'two' } }], weight: 0, total: 100 },
  ],
  'b.shop.test': [{ rules: [{ on: 'header', name: 'x-canary', match: { type: 'value', value: 'one' } }], weight: 7, total: 7 }],
  '*.shop.test': [
    {
      rules: [
        {
          on: 'all',
          rules: [
            { on: 'header', name: 'x-canary', match: { type: 'pattern', pattern: '^(one|always)$' } },
            { on: 'query', name: 'v', match: { type: 'value', value: '2' } },
          ],
        },
      ],
      weight: 0,
      total: 100,
    },
    { rules: [{ on: 'query', name: 'v', match: { type: 'value', value: 'a b' } }], weight: 0, total: 100 },
  ],
};

/** Every host has some of the paths, the any host has no root: some requests find nothing. */
function modelOf(ports: readonly number[]): Model {
  const backends: Model['backends'][number][] = [];
  const backend = (): string => {
    const index = backends.length;
    const port = ports[index % ports.length] ?? 0;
    const endpoint = { name: `127.0.0.1:${port}`, address: '127.0.0.1', port, state: 'ready' as const };
    backends.push({
      id: `test_${index}_80`,
      namespace: 'test',
      service: String(index),
      port: 80,
      policies: {},
      endpoints: [endpoint],
      origin: ORIGIN,
    });
    return `test_${index}_80`;
  };
  const routes = HOSTS.flatMap((host, hostIndex) => {
    const paths = PATHS.filter((_, pathIndex) => (pathIndex * 7 + hostIndex * 3) % 5 < 3);
    const all: readonly PathMatch[] = host.type === 'any' ? paths : [...paths, { type: 'segments', path: '' }];
    return all.map((path): Route => {
      const canaries = (CANARIES[hostKey(host)] ?? []).map((canary): Canary => ({ ...canary, backend: backend(), origin: ORIGIN }));
      return {
        id: shortDigest(hostKey(host), pathKey(path)),
        host,
        path,
        policies: {},
        backend: backend(),
        canaries,
        createdAt: 0,
        origin: ORIGIN,
      };
    });
  });
  return { hosts: [], routes, backends, certificates: [] };
}

const word = fc.constantFrom(
  'a',
  'A',
  'b',
  'bc',
  'c',
  '..',
  '.',
  '',
  '%61',
  '%2F',
  '%2e',
  '%C3%A4%20b',
  '%',
  '%zz',
  '%00',
  '~',
  'x|y',
  "'",
);
const request = fc.record({
  host: fc.constantFrom(
    'a.shop.test',
    'b.shop.test',
    'c.shop.test',
    'A.Shop.Test.',
    'd.e.shop.test',
    'x1.test',
    'x22.example',
    'x.test',
    'other.test',
    'a.shop.test:8080',
  ),
  path: fc.array(word, { minLength: 1, maxLength: 5 }).map((words) => `/${words.join('/')}`),
  query: fc.constantFrom('', '?v=2', '?w=1&v=a+b', '?v=a%20b', '?v='),
  canary: fc.constantFrom(undefined, 'always', 'never', 'one', 'x'),
  cookie: fc.constantFrom(undefined, 'beta=always', 'x=1; beta=two', 'Beta=never', 'beta=', 'alphabeta=always'),
});

describe.each(['3.4', '3.2'] as const)('decide() and HAProxy %s', (version) => {
  let directory = '';
  let child: ChildProcess | undefined;
  let model: Model = { hosts: [], routes: [], backends: [], certificates: [] };
  let port = 0;
  const servers: Server[] = [];

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'ramjet-'));
    const count = modelOf([0]).backends.length;
    for (let index = 0; index < count; index += 1)
      servers.push(createHttpServer((_, response) => response.end(`test_${index}_80`)).listen(0, '127.0.0.1'));
    model = modelOf(await Promise.all(servers.map(portOf)));
    port = await freePort();
    const listeners = { ...PLAN_DEFAULTS.listeners, http: [`127.0.0.1:${port}`], https: [] };
    const settings = { ...PLAN_DEFAULTS, version, runDir: directory, listeners };
    await writeFiles(
      directory,
      planFiles(new Planner(await driverOf(), settings, new Secret(selfSigned())).plan(model), settings),
      new Map(),
    );
    child = spawn(haproxyBinary(version), ['-f', join(directory, 'haproxy.cfg')], { stdio: 'ignore' });
    await untilServing(port);
  });

  afterAll(async () => {
    const ended = new Promise((resolve) => child?.once('exit', resolve));
    child?.kill('SIGKILL');
    await ended;
    for (const server of servers) server.close().closeAllConnections();
    await rm(directory, { recursive: true, force: true });
  });

  test('agree on the backend of 300 requests', async () => {
    const outcomes = new Set<string>();
    for (const { host, path, query, canary, cookie } of fc.sample(request, { numRuns: 300, seed: 20_260_701 })) {
      const headers = { ...(canary === undefined ? {} : { 'X-Canary': canary }), ...(cookie === undefined ? {} : { Cookie: cookie }) };
      const decision = decide(model, { host, path, query: query.slice(1), headers: Object.entries(headers) });
      const [share] = decision.shares;
      const expected =
        share?.backend ?? { 'bad-path': '400', 'not-found': '404', route: '503', 'default-backend': 'none' }[decision.outcome];
      const response = await send({ http: port, https: 0 }, { method: 'GET', url: `http://${host}${path}${query}`, headers });
      const actual = response.status === 200 ? response.body : String(response.status);
      outcomes.add(
        decision.route === undefined ? decision.outcome : `${decision.route.host.type} ${decision.route.path.type} ${decision.decider.by}`,
      );
      expect(actual, `${host} ${path} ${query} ${JSON.stringify(headers)}`).toBe(expected);
      expect(decision.shares.length).toBeLessThan(2);
    }
    // The requests reach every kind of outcome, or the comparison would say little.
    expect(outcomes.size).toBeGreaterThan(15);
    expect(outcomes).toContain('bad-path');
    expect(outcomes).toContain('not-found');
  });
});

async function portOf(server: Server): Promise<number> {
  if (!server.listening) await new Promise((resolve) => server.once('listening', resolve));
  return (server.address() as AddressInfo).port;
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}

async function untilServing(port: number): Promise<void> {
  for (let attempt = 0; attempt < 400; attempt += 1) {
    const open = await new Promise((resolve) => {
      const socket = connect(port, '127.0.0.1', () => resolve(true)).once('error', () => resolve(false));
      socket.once('connect', () => socket.destroy());
    });
    if (open === true) return;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  throw new Error('HAProxy does not accept connections');
}

import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { setVar } from '../wire/action.ts';
import { bytesOf, boolValue, readableOf, textValue } from '../wire/value.ts';
import type { AgentArgs, AgentHandler } from './handler.ts';
import { AgentServer } from './server.ts';
import { realClock } from './testing/clocks.ts';
import { type Haproxy, haproxyBinary, SERIES, sleep, startHaproxy } from './testing/haproxy.ts';

const PROCESSING_MS = 300;
const LIMITS = { deadlineMs: 200, maxFrameSize: 8192 };

const SPOE = `[ramjet]
spoe-agent ramjet
    groups auth broken hung slow
    option var-prefix ramjet
    option set-on-error err
    option dontlog-normal
    timeout processing ${PROCESSING_MS}ms
    use-backend agent

spoe-message auth
    args header=req.hdr(authorization) path=path
spoe-message broken
spoe-message hung
spoe-message slow

spoe-group auth
    messages auth
spoe-group broken
    messages broken
spoe-group hung
    messages hung
spoe-group slow
    messages slow
`;

const CONFIG = `global
    stats socket {folder}/admin.sock level admin
defaults
    mode http
    timeout connect 1s
    timeout client 5s
    timeout server 5s
frontend front
    bind unix@{folder}/front.sock
    filter spoe engine ramjet config {folder}/spoe.conf
    http-request send-spoe-group ramjet auth if { path_beg /auth }
    http-request send-spoe-group ramjet broken if { path /broken }
    http-request send-spoe-group ramjet hung if { path_beg /hung }
    http-request send-spoe-group ramjet slow if { path /slow }
    http-request return status 503 hdr err "%[var(txn.ramjet.err),add(0)]" if !{ path_end /open } { var(txn.ramjet.err) -m found }
    http-request return status 500 if { var(txn.ramjet.failed) -m bool }
    http-request deny status 403 if { path_beg /auth /slow } !{ var(txn.ramjet.allowed) -m bool }
    http-request return status 200 hdr user "%[var(txn.ramjet.user)]"
backend agent
    mode spop
    option spop-check
    default-server check inter 100ms fall 1 rise 1
    server first unix@{first}
    server second unix@{second} backup
`;

const handlers: readonly AgentHandler[] = [
  {
    message: 'auth',
    handle: (args: AgentArgs) => [
      setVar('txn', 'allowed', boolValue(bytesOf(args.get('header')) === 'Bearer good')),
      setVar('txn', 'user', textValue(`alice at ${readableOf(args.get('path'))}`)),
    ],
  },
  {
    message: 'broken',
    handle: () => {
      throw new Error('broken');
    },
  },
  // Answers, but later than HAProxy waits.
  { message: 'hung', deadlineMs: 10_000, handle: () => sleep(2 * PROCESSING_MS).then(() => []) },
  { message: 'slow', handle: () => new Promise(() => undefined) },
];

const GOOD = { headers: { authorization: 'Bearer good' } };

describe.each(SERIES)('HAProxy %s', (series) => {
  const folder = mkdtempSync(join(tmpdir(), 'ramjet-agents-'));
  const first = { kind: 'unix', path: join(folder, 'first.sock') } as const;
  const second = { kind: 'unix', path: join(folder, 'second.sock') } as const;
  let haproxy: Haproxy;
  let server: AgentServer;

  async function start(address: typeof first | typeof second): Promise<AgentServer> {
    const started = new AgentServer({ handlers, clock: realClock, limits: LIMITS });
    await started.listen(address);
    return started;
  }

  async function untilUp(name: string, up: boolean): Promise<void> {
    const line = new RegExp(`^agent,${name},.*,(UP|DOWN)`, 'm');
    for (;;) {
      const [, state] = line.exec(await haproxy.ask('show stat')) ?? [];
      if (state === (up ? 'UP' : 'DOWN')) return;
      await sleep(20);
    }
  }

  beforeAll(async () => {
    server = await start(first);
    const config = CONFIG.replace('{first}', first.path).replace('{second}', second.path);
    haproxy = await startHaproxy(haproxyBinary(series), config, SPOE);
    await untilUp('second', false);
  }, 300_000);

  afterAll(async () => {
    await haproxy.stop();
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it('uses the variables of an answer in its rules', async () => {
    const allowed = await haproxy.get('/auth/here', GOOD);
    expect(allowed).toMatchObject({ status: 200, headers: { user: 'alice at /auth/here' } });
    expect(await haproxy.get('/auth')).toMatchObject({ status: 403 });
    expect(await haproxy.get('/auth', { headers: { authorization: 'Bearer bad' } })).toMatchObject({
      status: 403,
    });
    const unasked = await haproxy.get('/elsewhere');
    expect(unasked.status).toBe(200);
    expect(unasked.headers['user']).toBeUndefined();
  });

  it('finds the agent healthy', async () => {
    await untilUp('first', true);
    const before = server.stats().healthChecks;
    await sleep(350);
    expect(server.stats().healthChecks).toBeGreaterThan(before);
    expect(server.stats()).toMatchObject({ protocolErrors: {}, disconnects: {} });
    expect(await haproxy.ask('show stat')).toMatch(/^agent,first,.*,(\* )?L7OK,/m);
  });

  it('can tell that a handler failed', async () => {
    expect(await haproxy.get('/broken')).toMatchObject({ status: 500 });
    expect(await haproxy.get('/auth', GOOD)).toMatchObject({ status: 200 });
  });

  it('sees nothing set when a handler misses its deadline', async () => {
    const reply = await haproxy.get('/slow');
    expect(reply.status).toBe(403);
    expect(reply.ms).toBeGreaterThan(LIMITS.deadlineMs - 1);
    // 403 and not 503: HAProxy itself did not time out.
  });

  it('gives up on a hung agent after timeout processing, and goes on with it when it is back', async () => {
    const closed = await haproxy.get('/hung');
    expect(closed).toMatchObject({ status: 503, headers: { err: '1' } });
    expect(closed.ms).toBeGreaterThan(PROCESSING_MS - 1);
    expect(closed.ms).toBeLessThan(2 * PROCESSING_MS);
    expect(await haproxy.get('/hung/open')).toMatchObject({ status: 200 });
    // The late ACKs come now; HAProxy ignores them and keeps the connection.
    await sleep(2 * PROCESSING_MS);
    expect(await haproxy.get('/auth', GOOD)).toMatchObject({ status: 200 });
    expect(server.stats().disconnects).toEqual({});
  });

  it('gets many questions answered at once', async () => {
    const replies = await Promise.all(Array.from({ length: 300 }, () => haproxy.get('/auth', GOOD)));
    expect(replies.every((reply) => reply.status === 200)).toBe(true);
  });

  it('is told when a question is too big for a frame', async () => {
    const fits = await haproxy.get('/auth', { headers: { authorization: 'x'.repeat(8000) } });
    expect(fits.status).toBe(403);
    const exceeds = await haproxy.get('/auth', { headers: { authorization: 'x'.repeat(8200) } });
    expect(exceeds).toMatchObject({ status: 503, headers: { err: '259' } });
    expect(await haproxy.get('/auth', GOOD)).toMatchObject({ status: 200 });
  });

  it('does without an agent that is down, and finds it again', async () => {
    await server.stop();
    await untilUp('first', false);
    const closed = await haproxy.get('/auth', GOOD);
    expect(closed).toMatchObject({ status: 503, headers: { err: '257' } });
    expect(closed.ms).toBeLessThan(PROCESSING_MS);
    expect(await haproxy.get('/auth/open')).toMatchObject({ status: 403 });
    server = await start(first);
    await untilUp('first', true);
    expect(await haproxy.get('/auth', GOOD)).toMatchObject({ status: 200 });
  });

  it('takes an agent that accepts but never speaks for down', async () => {
    await server.stop();
    const silent = await listenSilently(first.path);
    await untilUp('first', false);
    const reply = await haproxy.get('/auth', GOOD);
    expect(reply).toMatchObject({ status: 503, headers: { err: '257' } });
    await new Promise((resolve) => silent.close(resolve));
    server = await start(first);
    await untilUp('first', true);
  });

  it('loses no request when an agent that has a second one stops with notice', async () => {
    const other = await start(second);
    await untilUp('second', true);
    const counts = { good: 0, bad: 0 };
    let going = true;
    const load = Array.from({ length: 20 }, async () => {
      while (going) {
        const reply = await haproxy.get('/auth', GOOD);
        counts[reply.status === 200 ? 'good' : 'bad'] += 1;
      }
    });
    await sleep(200);
    await server.stop({ noticeMs: 500 });
    await sleep(100);
    going = false;
    await Promise.all(load);
    expect(counts.bad).toBe(0);
    expect(counts.good).toBeGreaterThan(100);
    expect(other.stats().acks).toBeGreaterThan(10);
    await other.stop();
    server = await start(first);
  });
});

async function listenSilently(path: string): Promise<Server> {
  const sockets = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.resume();
  });
  await new Promise<void>((resolve) => sockets.listen(path, resolve));
  return sockets;
}

import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { HaproxyProcess } from './haproxy-process.ts';
import type { ProcessInfo } from './options.ts';
import { isOurs, systemProcTable } from './proc-table.ts';
import { basicConfig, type Fixture, type FixtureOptions, makeFixture, startFixture, VERSIONS } from './testing/fixture.ts';
import { pause, request, startLoad, startUpstream, until, type Upstream } from './testing/load.ts';

describe.each(VERSIONS)('supervising HAProxy %s', (version) => {
  const open: { close(): Promise<void> }[] = [];
  afterEach(async () => {
    for (const one of open.splice(0)) await one.close();
  });
  async function start(options?: FixtureOptions): Promise<Fixture> {
    const fixture = await startFixture(version, options);
    open.push(fixture);
    return fixture;
  }
  async function upstream(): Promise<Upstream> {
    const made = await startUpstream('one');
    open.push(made);
    return made;
  }

  it('checks a configuration and says where it is wrong', async () => {
    const haproxy = await makeFixture(version);
    open.push(haproxy);
    expect(await haproxy.process.checkConfig()).toMatchObject({ ok: true });
    haproxy.writeConfig(`${basicConfig(haproxy, 9)}\nbogus here\n`);
    const line = basicConfig(haproxy, 9).split('\n').length + 1;
    const alerts = [{ level: 'alert', file: haproxy.configFile, line, message: "unknown keyword 'bogus' in 'backend' section" }];
    expect(await haproxy.process.checkConfig()).toMatchObject({ ok: false, error: { code: 'config', alerts } });
    expect(await haproxy.process.start()).toMatchObject({ ok: false, error: { code: 'config', alerts } });
    expect(haproxy.process.ready).toBe(false);
    expect(await haproxy.process.checkConfig('/no/such/file')).toMatchObject({ ok: false, error: { code: 'config' } });
    haproxy.writeConfig(basicConfig(haproxy, 9));
    expect(await haproxy.process.start()).toMatchObject({ ok: true });
    expect(await haproxy.process.start()).toMatchObject({ ok: false, error: { code: 'state' } });
  });

  it('says as values what it can not do', async () => {
    const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
    const of = (binary: string, runDir: string) => new HaproxyProcess({ binary, configFile: '/no.cfg', runDir, log });
    expect(await of('/no/such/haproxy', mkdtempSync('/tmp/ramjet-none-')).start()).toMatchObject({ ok: false, error: { code: 'spawn' } });
    expect(await of('/no/such/haproxy', '/tmp').checkConfig()).toMatchObject({ ok: false, error: { code: 'spawn' } });
    expect(await of('/bin/true', '/proc/no').start()).toMatchObject({ ok: false, error: { code: 'path' } });
    expect(await of('/bin/true', `/tmp/${'x'.repeat(100)}`).start()).toMatchObject({ ok: false, error: { code: 'path' } });
    expect(await of('/bin/true', '/tmp/ramjet-none').reload('never started')).toMatchObject({ ok: false, error: { code: 'state' } });
    await of('/bin/true', '/tmp/ramjet-none').stop({ drainMs: 0 });
  });

  it('reloads under load without one failure; websocket and download stay open', async () => {
    const { port: upstreamPort } = await upstream();
    const haproxy = await start({ upstreamPort });
    const load = startLoad(haproxy.port, 8, '/', ({ status, body }) =>
      status === 200 && body === 'ok one' ? undefined : `${String(status)} ${body}`,
    );
    const socket = new WebSocket(`ws://127.0.0.1:${String(haproxy.port)}/`);
    await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
    const download = request(haproxy.port, '/?ms=1500');
    const pids = new Set<number>();
    for (let round = 0; round < 5; round += 1) {
      const reloaded = await haproxy.process.reload(`round ${String(round)}`);
      expect(reloaded).toMatchObject({ ok: true, value: { reasons: [`round ${String(round)}`] } });
      if (reloaded.ok) pids.add(reloaded.value.workerPid);
      // The answer came when the new worker served.
      if (reloaded.ok) expect((await request(haproxy.port, '/map')).pid).toBe(String(reloaded.value.workerPid));
      await pause(50);
    }
    expect(pids.size).toBe(5);
    const processes = await haproxy.process.processes();
    const roles = processes.ok ? processes.value.map(({ role }) => role) : [];
    expect(roles.filter((role) => role === 'master' || role === 'worker')).toHaveLength(2);
    expect(roles).toContain('old-worker');
    for (const { rssBytes } of processes.ok ? processes.value : []) expect(rssBytes).toBeGreaterThan(5_000_000);
    const echoed = new Promise((resolve) => socket.once('message', (data: Buffer) => resolve(data.toString())));
    socket.send('still here');
    expect(await echoed).toBe('still here');
    expect((await download).body).toHaveLength(7_500);
    socket.terminate();
    await load.stop();
    expect(load.failures).toEqual([]);
    await until('the old workers end', async () => (await roleCount(haproxy, 'old-worker')) === 0);
  });

  it('serves on with a refused configuration, and takes the next good one', async () => {
    const haproxy = await start();
    const good = basicConfig(haproxy, 9);
    const before = await request(haproxy.port, '/map');
    for (const bad of [`${good}bogus\n`, `${good}.if bogus(\n`, good.replace('global\n', 'global\n  log "unclosed\n'), good.slice(0, -1)]) {
      haproxy.writeConfig(bad);
      expect(await haproxy.process.reload('bad')).toMatchObject({ ok: false, error: { code: 'config' } });
      expect(await request(haproxy.port, '/map')).toEqual(before);
    }
    rmSync(haproxy.configFile);
    expect(await haproxy.process.reload('missing')).toMatchObject({ ok: false, error: { code: 'config' } });
    haproxy.writeConfig(good);
    expect(await haproxy.process.reload('good')).toMatchObject({ ok: true });
    expect(haproxy.events.filter(({ kind }) => kind === 'crashed')).toEqual([]);
  });

  it('serves on if only the new worker finds out, and revives a worker that dies after that', async () => {
    const haproxy = await start();
    const good = basicConfig(haproxy, 9);
    // `-c` does not bind: an address that is not ours fails in the new worker.
    haproxy.writeConfig(good.replace('bind 127.0.0.1', 'bind 192.0.2.1:9\n  bind 127.0.0.1'));
    const failed = await haproxy.process.reload('bad address');
    expect(failed).toMatchObject({ ok: false, error: { code: 'config', alerts: [{ file: haproxy.configFile }, {}] } });
    expect(await request(haproxy.port, '/map')).toMatchObject({ status: 200 });
    expect(await roleCount(haproxy, 'worker')).toBe(1);
    haproxy.writeConfig(good);
    await killWorker(haproxy);
    expect(await until('service is back', () => serves(haproxy))).toBeLessThan(1_000);
  });

  it('revives a worker while its master stays with an older one', async () => {
    const { port: upstreamPort } = await upstream();
    const config = (...args: Parameters<typeof basicConfig>) =>
      basicConfig(...args).replace('global\n', 'global\n  master-worker no-exit-on-failure\n');
    const haproxy = await start({ upstreamPort, config });
    const socket = new WebSocket(`ws://127.0.0.1:${String(haproxy.port)}/`);
    await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
    await haproxy.process.reload('an old worker with a connection');
    await killWorker(haproxy);
    expect(await until('service is back', () => serves(haproxy))).toBeLessThan(1_000);
    await until('the event', () => haproxy.events.length === 4);
    expect(haproxy.events.map(({ kind }) => kind)).toEqual(['ready', 'reloaded', 'crashed', 'reloaded']);
    const echoed = new Promise((resolve) => socket.once('message', (data: Buffer) => resolve(data.toString())));
    socket.send('still here');
    expect(await echoed).toBe('still here');
    socket.terminate();
  });

  it.each(['worker', 'master'] as const)('is back within a second after kill -9 of the %s, again and again', async (who) => {
    const haproxy = await start();
    for (let round = 0; round < 2; round += 1) {
      const before = await listed(haproxy);
      const victim = before.find(({ role }) => role === who);
      process.kill(victim?.pid ?? 0, 'SIGKILL');
      await until('it is gone', () => !systemProcTable.alive(victim?.pid ?? 0));
      expect(await until('service is back', () => serves(haproxy))).toBeLessThan(1_000);
      await until('the event', () => haproxy.events.at(-1)?.kind === 'restarted');
      const after = await listed(haproxy);
      expect(after.map(({ pid }) => pid).some((pid) => before.some((one) => one.pid === pid))).toBe(false);
      for (const { pid } of before) expect(systemProcTable.alive(pid)).toBe(false);
    }
    expect(haproxy.events.filter((event) => event.kind === 'crashed').map((event) => event.kind === 'crashed' && event.who)).toEqual([
      who,
      who,
    ]);
  });

  it('tries again and again when it can not come back, and does when it can', async () => {
    const haproxy = await start();
    haproxy.writeConfig('bogus\n');
    await killWorker(haproxy);
    await until('two tries', () => haproxy.events.filter(({ kind }) => kind === 'restart-failed').length >= 2);
    expect(await haproxy.process.waitReady(10)).toMatchObject({ ok: false, error: { code: 'timeout' } });
    haproxy.writeConfig(basicConfig(haproxy, 9));
    expect(await haproxy.process.waitReady(5_000)).toMatchObject({ ok: true });
    expect(await serves(haproxy)).toBe(true);
  });

  it('joins reloads that come too fast', async () => {
    const haproxy = await start({ reloadIntervalMs: 300 });
    const results = await Promise.all(['a', 'b', 'c', 'b'].map((reason) => haproxy.process.reload(reason)));
    expect(results.map((result) => result.ok && result.value.reasons)).toEqual([['a'], ['b', 'c'], ['b', 'c'], ['b', 'c']]);
    expect(haproxy.events.filter(({ kind }) => kind === 'reloaded')).toHaveLength(2);
  });

  it('stops softly: serves as a lame duck, then finishes what runs and takes nothing new', async () => {
    const { port: upstreamPort } = await upstream();
    const haproxy = await start({ upstreamPort });
    const download = request(haproxy.port, '/?ms=500');
    await pause(50);
    const stopping = haproxy.process.stop({ lameDuckMs: 100, drainMs: 5_000 });
    await pause(50);
    expect(await serves(haproxy)).toBe(true);
    await pause(100);
    expect(await connects(haproxy.port)).toBe(false);
    expect((await download).body).toHaveLength(2_500);
    await stopping;
    expect(haproxy.events.map(({ kind }) => kind)).toEqual(['ready', 'lame-duck', 'draining', 'stopped']);
    expect(await haproxy.process.reload('too late')).toMatchObject({ ok: false, error: { code: 'state' } });
    expect(await haproxy.process.start()).toMatchObject({ ok: true });
  });

  it('leaves nothing behind when it is stopped during a start or a recovery', async () => {
    const haproxy = await makeFixture(version);
    open.push(haproxy);
    const ours = () => systemProcTable.pids().filter((pid) => isOurs(systemProcTable.argv(pid), `${haproxy.dir}/run/master.sock`));
    for (const delay of [0, 15, 40]) {
      const readyBefore = haproxy.events.filter(({ kind }) => kind === 'ready').length;
      const starting = haproxy.process.start();
      await pause(delay);
      await haproxy.process.stop({ drainMs: 0 });
      expect(ours()).toEqual([]);
      expect((await starting).ok).toBe(haproxy.events.filter(({ kind }) => kind === 'ready').length > readyBefore);
    }
    await haproxy.process.start();
    await killWorker(haproxy);
    await until('it notices', () => !haproxy.process.ready);
    await Promise.all([haproxy.process.stop({ drainMs: 0 }), haproxy.process.stop({ drainMs: 0 })]);
    expect(ours()).toEqual([]);
    await pause(150);
    expect(ours()).toEqual([]);
    expect(await connects(haproxy.port)).toBe(false);
  });

  it('ends what does not end in time', async () => {
    const { port: upstreamPort } = await upstream();
    const haproxy = await start({ upstreamPort });
    const download = request(haproxy.port, '/?ms=10000').catch((error: unknown) => error);
    await pause(50);
    const pids = (await listed(haproxy)).map(({ pid }) => pid);
    const began = performance.now();
    await haproxy.process.stop({ drainMs: 200 });
    expect(performance.now() - began).toBeLessThan(1_500);
    expect(pids.some((pid) => systemProcTable.alive(pid))).toBe(false);
    expect(await download).toBeInstanceOf(Error);
  });
});

async function listed(haproxy: Fixture): Promise<readonly ProcessInfo[]> {
  const processes = await haproxy.process.processes();
  if (!processes.ok) throw new Error(processes.error.detail);
  return processes.value;
}

async function roleCount(haproxy: Fixture, role: ProcessInfo['role']): Promise<number> {
  return (await listed(haproxy)).filter((one) => one.role === role).length;
}

async function killWorker(haproxy: Fixture): Promise<void> {
  const worker = (await listed(haproxy)).find(({ role }) => role === 'worker');
  process.kill(worker?.pid ?? 0, 'SIGKILL');
  await until('the worker is gone', () => !systemProcTable.alive(worker?.pid ?? 0));
}

async function serves(haproxy: Fixture): Promise<boolean> {
  return request(haproxy.port, '/map').then(
    ({ status }) => status === 200,
    () => false,
  );
}

function connects(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}

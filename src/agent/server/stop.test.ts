import { execFileSync } from 'node:child_process';
import { access, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { AgentServer } from './server.ts';
import { realClock } from './testing/clocks.ts';
import { handler, Manual, run, temporaryFolder } from './testing/fixture.ts';
import { HELLO, SpopClient } from './testing/spop-client.ts';

describe('stop', () => {
  it('says farewell on idle connections and takes no new ones', async () => {
    const { client, server, address } = await run([]);
    const peers = [await client(), await client()];
    await server.stop();
    for (const peer of peers) {
      await peer.closed;
      expect(peer.received.at(-1)).toEqual({ kind: 'agent-disconnect', status: 0, message: 'normal' });
    }
    await expect(SpopClient.open(address)).rejects.toThrow();
    expect(server.stats().connections).toBe(0);
  });

  it('answers what is in flight before the farewell', async () => {
    const manual = new Manual();
    const { client, server, until } = await run([manual]);
    const peer = await client();
    peer.notify({ name: 'manual', args: [] });
    await until((stats) => stats.inFlight === 1);
    const stopped = server.stop();
    expect(server.stop()).toBe(stopped);
    manual.answer(0);
    await stopped;
    await peer.closed;
    expect(peer.received.map((frame) => frame.kind)).toEqual(['agent-hello', 'ack', 'agent-disconnect']);
  });

  it('answers questions that were read and wait for a place', async () => {
    const manual = new Manual();
    const { client, server, until } = await run([manual], { maxInFlightPerConnection: 1 });
    const peer = await client();
    peer.notify({ name: 'manual', args: [] });
    peer.notify({ name: 'manual', args: [] });
    await until((stats) => stats.pauses === 1);
    const stopped = server.stop();
    manual.answer(0);
    await until(() => manual.asked === 2);
    manual.answer(1);
    await stopped;
    await peer.closed;
    expect(peer.received.map((frame) => frame.kind)).toEqual(['agent-hello', 'ack', 'ack', 'agent-disconnect']);
  });

  it('does not wait longer than it is told', async () => {
    const manual = new Manual();
    const { client, clock, server, until } = await run([manual]);
    const peer = await client();
    peer.notify({ name: 'manual', args: [] });
    await until((stats) => stats.inFlight === 1);
    const stopped = server.stop({ drainMs: 300 });
    clock.advance(300);
    await stopped;
    await peer.closed;
    expect(peer.received.at(-1)).toMatchObject({ kind: 'agent-disconnect', status: 2 });
    expect(manual.signals[0]?.aborted).toBe(true);
  });

  it('first fails health checks for a while and answers on', async () => {
    const { address, client, clock, server } = await run([handler('ok', () => [])]);
    const peer = await client();
    const stopped = server.stop({ noticeMs: 2000 });
    const check = await SpopClient.open(address);
    check.send({ ...HELLO, healthcheck: true });
    await check.closed;
    expect(check.received).toMatchObject([{ kind: 'agent-disconnect', status: 0 }]);
    await peer.ask('ok');
    await (await client()).ask('ok');
    clock.advance(2000);
    await stopped;
    await peer.closed;
    expect(peer.received.at(-1)).toMatchObject({ kind: 'agent-disconnect' });
  });

  it('works on a server that never listened', async () => {
    await new AgentServer({ handlers: [], clock: realClock }).stop();
  });
});

describe('the socket', () => {
  it('may be TCP', async () => {
    const server = new AgentServer({ handlers: [handler('ok', () => [])], clock: realClock });
    const address = await server.listen({ kind: 'tcp', host: '127.0.0.1', port: 0 });
    expect(address).toMatchObject({ kind: 'tcp', host: '127.0.0.1' });
    const peer = await SpopClient.greeted(address);
    await peer.ask('ok');
    await server.stop();
    await peer.closed;
  });

  it('has the permissions asked for, and is gone afterwards', async () => {
    const path = join(await temporaryFolder(), 'agent.sock');
    const server = new AgentServer({ handlers: [], clock: realClock });
    await server.listen({ kind: 'unix', path, mode: 0o600 });
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    await server.stop();
    await expect(access(path)).rejects.toThrow();
  });

  it('replaces a file that a killed server left behind', async () => {
    const path = join(await temporaryFolder(), 'agent.sock');
    const leave = `require('node:net').createServer().listen(process.argv[1], () => process.kill(process.pid, 9))`;
    expect(() => execFileSync(process.execPath, ['-e', leave, path])).toThrow();
    await access(path);
    const server = new AgentServer({ handlers: [], clock: realClock });
    const address = await server.listen({ kind: 'unix', path });
    await SpopClient.greeted(address);
    await server.stop();
  });

  it('is refused where another server listens or another file lies', async () => {
    const folder = await temporaryFolder();
    const path = join(folder, 'agent.sock');
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(path, resolve));
    onTestFinished(() => void other.close());
    const server = new AgentServer({ handlers: [], clock: realClock });
    await expect(server.listen({ kind: 'unix', path })).rejects.toThrow('EADDRINUSE');
    const file = join(folder, 'file');
    await writeFile(file, 'mine');
    await expect(server.listen({ kind: 'unix', path: file })).rejects.toThrow('EADDRINUSE');
    await access(file);
  });
});

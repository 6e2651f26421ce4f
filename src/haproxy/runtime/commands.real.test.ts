import { mkdtempSync, rmSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Fixture, startFixture, VERSIONS } from '../process/testing/fixture.ts';
import { request } from '../process/testing/load.ts';
import { createRuntimeClient } from './client.ts';
import { createRuntimeCommands } from './commands.ts';
import { addMapEntryCommand, setMapEntryCommand } from './map-commands.ts';
import type { Result } from './result.ts';

const OK = { ok: true };

function refused(answer: string | RegExp): object {
  return { ok: false, error: { code: 'refused', answer: typeof answer === 'string' ? answer : expect.stringMatching(answer) } };
}

const ARGUMENT = { ok: false, error: { code: 'argument' } };

function value<T>(result: Result<T>): T {
  if (!result.ok) throw new Error(`${result.error.command}: ${result.error.code}: ${result.error.answer}`);
  return result.value;
}

describe.each(VERSIONS)('commands on HAProxy %s', (version) => {
  let haproxy: Fixture;
  beforeAll(async () => {
    haproxy = await startFixture(version);
  });
  afterAll(() => haproxy.close());

  it('maps: set, add, delete, show', async () => {
    const { commands, map } = haproxy;
    expect(await commands.setMapEntry(map, 'a/', 'new value')).toMatchObject(OK);
    expect(await commands.setMapEntry(map, 'absent/', '1')).toMatchObject(refused('entry not found.'));
    expect(await commands.setMapEntry('/no.map', 'a/', '1')).toMatchObject(refused('Unknown map identifier. Please use #<id> or <file>.'));
    expect(await commands.addMapEntry(map, 'c/', '3;4\\5<<6')).toMatchObject(OK);
    expect(value(await commands.showMap(map))).toEqual([
      { key: 'a/', value: 'new value' },
      { key: 'b/', value: '2' },
      { key: 'c/', value: '3;4\\5<<6' },
    ]);
    expect(await commands.delMapEntry(map, 'c/')).toMatchObject(OK);
    expect(await commands.delMapEntry(map, 'c/')).toMatchObject(OK);
    expect(await commands.delMapEntry('/no.map', 'c/')).toMatchObject(refused(/^Unknown map/));
    expect(await commands.addMapEntry(map, '#1', 'x')).toMatchObject(ARGUMENT);
    expect(await commands.showMap('/no.map')).toMatchObject(refused(/^Unknown map/));
  });

  it('maps: an add of a key that is there makes a second entry', async () => {
    const { commands, map } = haproxy;
    await commands.addMapEntry(map, 'twice/', '1');
    await commands.addMapEntry(map, 'twice/', '2');
    await commands.delMapEntry(map, 'twice/');
    const left = value(await commands.showMap(map)).filter(({ key }) => key === 'twice/');
    expect(left).toEqual(version === '3.2' ? [] : [{ key: 'twice/', value: '2' }]);
    await commands.delMapEntry(map, 'twice/');
  });

  it('maps: replace, at chunk boundaries and to nothing', async () => {
    const { commands, map } = haproxy;
    for (const count of [1, 137, 2_000]) {
      const entries = Array.from({ length: count }, (_, index) => ({
        key: `host${String(index)}.example/`,
        value: 'v'.repeat(1 + (index % 90)),
      }));
      expect(await commands.replaceMap(map, entries)).toMatchObject(OK);
      expect(value(await commands.showMap(map))).toEqual(entries);
    }
    // The largest line that fits one command of 14,000 bytes, and one byte more.
    const room = 14_000 - Buffer.byteLength(`add map @0 ${map}`) - 32;
    const largest = { key: 'k', value: 'v'.repeat(room - 3) };
    expect(await commands.replaceMap(map, [largest])).toMatchObject(OK);
    expect(value(await commands.showMap(map))).toEqual([largest]);
    expect(await commands.replaceMap(map, [{ key: 'k', value: `${largest.value}v` }])).toMatchObject(ARGUMENT);
    expect(await commands.replaceMap(map, [largest, largest])).toMatchObject(ARGUMENT);
    expect(await commands.replaceMap(map, [])).toMatchObject(OK);
    expect(value(await commands.showMap(map))).toEqual([]);
    expect(await commands.replaceMap('/no.map', [])).toMatchObject(refused(/^Unknown map/));
    await commands.replaceMap(map, [
      { key: 'a/', value: '1' },
      { key: 'b/', value: '2' },
    ]);
  });

  it('a failed command of a batch leaves the others alone and gets its own answer', async () => {
    const { client, map } = haproxy;
    const replies = await client.run([
      setMapEntryCommand(map, 'a/', 'x'),
      setMapEntryCommand('/no.map', 'a/', 'x'),
      setMapEntryCommand(map, 'absent/', 'x'),
      setMapEntryCommand(map, 'b/', 'y'),
    ]);
    expect(replies).toMatchObject([OK, refused(/^Unknown map/), refused('entry not found.'), OK]);
  });

  it('a line above tune.bufsize is refused as a whole', async () => {
    const client = createRuntimeClient({ socketPath: haproxy.socket, commandLimit: 40_000 });
    const replies = await client.run([
      setMapEntryCommand(haproxy.map, 'a/', 'z'),
      addMapEntryCommand(haproxy.map, 'big/', 'x'.repeat(20_000)),
    ]);
    expect(replies[1]).toMatchObject(refused(/is too big/));
    expect(value(await haproxy.commands.showMap(haproxy.map)).some(({ key }) => key === 'big/')).toBe(false);
  });

  it('servers: add, change, remove', async () => {
    const { commands } = haproxy;
    expect(await commands.addServer('b', 'n1', '127.0.0.1', 81, ['weight', '5'])).toMatchObject(OK);
    expect(await commands.addServer('b', 'n1', '127.0.0.1', 81, [])).toMatchObject(
      refused('Already exists a server with the same name in backend.'),
    );
    expect(await commands.addServer('no', 'n1', '127.0.0.1', 81, [])).toMatchObject(refused('No such backend.'));
    expect(await commands.addServer('b', 'n2', '127.0.0.1', 81, ['bogus'])).toMatchObject(refused("unknown keyword 'bogus'."));
    expect(await commands.addServer('b', 'n2', 'name.example', 81, [])).toMatchObject(ARGUMENT);
    expect(await commands.addServer('b', 'n3', '::1', 81, ['check', 'inter', '1s'])).toMatchObject(OK);
    expect(await commands.setServerWeight('b', 'n1', 7)).toMatchObject(OK);
    expect(await commands.setServerWeight('b', 'no', 7)).toMatchObject(refused('No such server.'));
    expect(await commands.setServerWeight('b', 'n1', 257)).toMatchObject(ARGUMENT);
    for (const [address, port] of [
      ['127.0.0.2', 82],
      ['127.0.0.2', 82],
      ['127.0.0.2', 83],
      ['::2', 83],
    ] as const) {
      expect(await commands.setServerAddress('b', 'n1', address, port)).toMatchObject(OK);
    }
    expect(await commands.setServerAddress('b', 'no', '::2', 83)).toMatchObject(refused('No such server.'));
    for (const state of ['drain', 'ready', 'maint', 'ready'] as const)
      expect(await commands.setServerState('b', 'n1', state)).toMatchObject(OK);
    const rows = value(await commands.showServersState('b')).map((row) => [
      row.get('srv_name'),
      row.get('srv_addr'),
      row.get('srv_port'),
      row.get('srv_uweight'),
    ]);
    expect(rows).toContainEqual(['n1', '::2', '83', '7']);
    expect(await commands.showServersState('no')).toMatchObject(refused("Can't find backend."));
    expect(await commands.removeServer('b', 'n1', 1_000)).toEqual({ ok: true, value: 'removed' });
    expect(await commands.removeServer('b', 'n3', 1_000)).toEqual({ ok: true, value: 'removed' });
    expect(await commands.removeServer('b', 'n1', 1_000)).toEqual({ ok: true, value: 'absent' });
    expect(await commands.removeServer('no', 'n1', 1_000)).toMatchObject(refused('No such backend.'));
    expect(await commands.shutdownSessions('b', 's1')).toMatchObject(OK);
    expect(await commands.shutdownSessions('b', 'no')).toMatchObject(refused('No such server.'));
  });

  it.runIf(version === '3.4')('backends: add, publish, use, remove', async () => {
    const { commands, port } = haproxy;
    expect(await commands.addBackend('nb', 'd')).toMatchObject(OK);
    expect(await commands.addBackend('nb', 'd')).toMatchObject(refused(/name is already used by other proxy/));
    expect(await commands.addBackend('nc', 'no')).toMatchObject(refused("Cannot find default proxy 'no'."));
    expect(await commands.addServer('nb', 's', '127.0.0.1', haproxy.port, [])).toMatchObject(OK);
    expect(await request(port, '/map', { 'x-backend': 'nb' })).toMatchObject({ status: 200 });
    expect(await commands.publishBackend('nb')).toMatchObject(OK);
    expect(await commands.publishBackend('no')).toMatchObject(refused('No such backend.'));
    expect(value(await commands.showBackends())).toContain('nb');
    expect(await commands.removeBackend('nb', 100)).toMatchObject({ ok: false });
    expect(await commands.removeServer('nb', 's', 1_000)).toEqual({ ok: true, value: 'removed' });
    expect(await commands.unpublishBackend('nb')).toMatchObject(OK);
    expect(await commands.removeBackend('nb', 1_000)).toEqual({ ok: true, value: 'removed' });
    expect(await commands.removeBackend('nb', 1_000)).toMatchObject(refused('No such backend.'));
    expect(await commands.removeBackend('b', 100)).toMatchObject({ ok: false });
  });

  it.runIf(version === '3.2')('backends: not on 3.2', async () => {
    expect(await haproxy.commands.addBackend('nb', 'd')).toMatchObject(refused(/^Unknown command: 'add'/));
    expect(await haproxy.commands.removeBackend('b', 100)).toMatchObject(refused(/^Unknown command/));
  });

  it('reads: info, stat, table', async () => {
    const { commands, port } = haproxy;
    expect(value(await commands.showInfo()).get('Version')).toMatch(new RegExp(`^${version}\\.`));
    const backends = value(await commands.showStat('backends')).map((row) => row.get('pxname'));
    expect(backends).toContain('empty');
    expect(value(await commands.showStat('servers')).every((row) => row.get('type') === '2')).toBe(true);
    await commands.clearTable('counters');
    await request(port, '/map1');
    await request(port, '/map1');
    await request(port, '/map2');
    const rows = value(await commands.showTable('counters')).rows;
    expect(rows.map(({ key, gpc }) => [key, gpc])).toEqual(
      expect.arrayContaining([
        ['/map1', [0, 2, 0]],
        ['/map2', [0, 1, 0]],
      ]),
    );
    expect(await commands.clearTable('counters', '/map1')).toMatchObject(OK);
    expect(await commands.clearTable('counters', '/absent')).toMatchObject(OK);
    expect(value(await commands.showTable('counters')).used).toBe(1);
    expect(await commands.showTable('no')).toMatchObject(refused('No such table'));
    expect(await commands.clearTable('no')).toMatchObject(refused('No such table'));
  });

  it('copes with more connections at once than HAProxy takes', async () => {
    const clients = Array.from({ length: 60 }, () => createRuntimeCommands(createRuntimeClient({ socketPath: haproxy.socket })));
    const infos = await Promise.all(clients.map((commands) => commands.showInfo()));
    expect(infos.every(({ ok }) => ok)).toBe(true);
  });

  it('adds and removes two hundred servers side by side', async () => {
    const { commands } = haproxy;
    const names = Array.from({ length: 200 }, (_, index) => `many${String(index)}`);
    const added = await Promise.all(names.map((name) => commands.addServer('empty', name, '127.0.0.1', 81, [])));
    expect(added.every(({ ok }) => ok)).toBe(true);
    const removed = await Promise.all(names.map((name) => commands.removeServer('empty', name, 200)));
    expect(new Set(removed.map((one) => one.ok && one.value))).toEqual(new Set(['removed']));
  });

  it('says connect when HAProxy is not there', async () => {
    const dir = mkdtempSync('/tmp/ramjet-none-');
    const commands = createRuntimeCommands(createRuntimeClient({ socketPath: `${dir}/s` }));
    expect(await commands.showInfo()).toMatchObject({ ok: false, error: { code: 'connect' } });
    expect(await commands.removeServer('b', 's', 10)).toMatchObject({ ok: false, error: { code: 'connect' } });
    rmSync(dir, { recursive: true });
  });
});

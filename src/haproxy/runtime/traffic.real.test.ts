import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Fixture, startFixture, VERSIONS } from '../process/testing/fixture.ts';
import { pause, request, startLoad, startUpstream, type Upstream } from '../process/testing/load.ts';
import { ArgumentError } from './arguments.ts';
import { setMapEntryCommand, addMapEntryCommand } from './map-commands.ts';
import type { MapEntry } from './show.ts';

const ENTRIES = 10_000;

function entriesOf(generation: string): readonly MapEntry[] {
  return Array.from({ length: ENTRIES }, (_, index) => ({ key: `h${String(index)}/`, value: `${generation}|${String(index)}` }));
}

describe.each(VERSIONS)('HAProxy %s under traffic', (version) => {
  let upstreams: readonly Upstream[];
  let haproxy: Fixture;
  beforeAll(async () => {
    upstreams = await Promise.all([startUpstream('one'), startUpstream('two')]);
    haproxy = await startFixture(version, { upstreamPort: upstreams[0]?.port ?? 0 });
  });
  afterAll(async () => {
    await haproxy.close();
    await Promise.all(upstreams.map((one) => one.close()));
  });

  it('replaces 10,000 entries again and again without one wrong answer', async () => {
    await haproxy.commands.replaceMap(haproxy.map, entriesOf('g0'));
    let index = 0;
    const load = startLoad(
      haproxy.port,
      4,
      '/map',
      ({ status, body }) => (status === 200 && /^g\d\|\d+$/.test(body) ? undefined : `${String(status)} ${body}`),
      () => ({ host: `h${String((index = (index + 7_919) % ENTRIES))}` }),
    );
    for (let generation = 1; generation < 6; generation += 1) {
      expect(await haproxy.commands.replaceMap(haproxy.map, entriesOf(`g${String(generation)}`))).toMatchObject({ ok: true });
      expect(await request(haproxy.port, '/map', { host: `h${String(generation)}` })).toMatchObject({
        body: `g${String(generation)}|${String(generation)}`,
      });
    }
    await load.stop();
    expect(load.failures).toEqual([]);
    expect(load.answered()).toBeGreaterThan(50);
  });

  it('adds and removes servers without one failed request', async () => {
    const { commands, port } = haproxy;
    const load = startLoad(port, 8, '/', ({ status, body }) =>
      status === 200 && body.startsWith('ok ') ? undefined : `${String(status)} ${body}`,
    );
    const bodies = new Set<string>();
    for (let round = 0; round < 10; round += 1) {
      expect(await commands.addServer('b', 'extra', '127.0.0.1', upstreams[1]?.port ?? 0, ['weight', '10'])).toMatchObject({ ok: true });
      await pause(20);
      bodies.add((await request(port, '/')).body).add((await request(port, '/')).body);
      expect(await commands.removeServer('b', 'extra', 2_000)).toEqual({ ok: true, value: 'removed' });
    }
    await load.stop();
    expect(load.failures).toEqual([]);
    expect([...bodies].toSorted()).toEqual(['ok one', 'ok two']);
  });

  it('reports a server with a running request as busy, without holding up other commands', async () => {
    const { commands, port, map } = haproxy;
    await commands.addServer('empty', 'slow', '127.0.0.1', upstreams[1]?.port ?? 0, []);
    const download = request(port, '/?ms=600', { 'x-backend': 'empty' });
    await pause(100);
    const removal = commands.removeServer('empty', 'slow', 200);
    const began = performance.now();
    expect(await commands.setMapEntry(map, 'h1/', 'x')).toMatchObject({ ok: true });
    expect(performance.now() - began).toBeLessThan(150);
    expect(await removal).toEqual({ ok: true, value: 'busy' });
    expect(await download).toMatchObject({ status: 200, body: 'x'.repeat(3_000) });
    expect(await commands.removeServer('empty', 'slow', 2_000)).toEqual({ ok: true, value: 'removed' });
  });

  it('takes any text as one argument, or it is refused here', async () => {
    const { client, commands, map } = haproxy;
    await commands.replaceMap(map, [{ key: 'k', value: '0' }]);
    const hostile = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.string({ unit: fc.constantFrom(';', ' ', '\\', '<', '<<', '\n', '\t', 'a', 'é', '#', '@', "'", '"', '%', '{', '$') }),
    );
    await fc.assert(
      fc.asyncProperty(hostile, hostile, async (key, value) => {
        // One wrong byte in the first would show in the number of answers, or in what the map holds.
        const made = build(() => [setMapEntryCommand(map, 'k', value), addMapEntryCommand(map, `x${key}`, value)]);
        if (made === undefined) return;
        expect(await client.run(made)).toMatchObject([{ ok: true }, { ok: true }]);
        const shown = await commands.showMap(map);
        expect(shown.ok && shown.value).toEqual([
          { key: 'k', value },
          { key: `x${key}`, value },
        ]);
        expect(await commands.replaceMap(map, [{ key: 'k', value: '0' }])).toMatchObject({ ok: true });
      }),
      { numRuns: 150 },
    );
  });

  it('takes any entries in a payload, or they are refused here', async () => {
    const text = fc.string({
      unit: fc.constantFrom(';', ' ', '\\', '<', '\n', 'a', 'é', '#', '%0%', '%', '\r'),
      minLength: 1,
      maxLength: 6,
    });
    await fc.assert(
      fc.asyncProperty(fc.uniqueArray(fc.tuple(text, text), { selector: ([key]) => key, maxLength: 6 }), async (pairs) => {
        const entries = pairs.map(([key, value]) => ({ key, value }));
        const done = await haproxy.commands.replaceMap(haproxy.map, entries);
        if (!done.ok) {
          expect(done.error.code).toBe('argument');
          return;
        }
        const shown = await haproxy.commands.showMap(haproxy.map);
        expect(shown.ok && shown.value).toEqual(entries);
      }),
      { numRuns: 100 },
    );
  });
});

function build<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    if (error instanceof ArgumentError) return undefined;
    throw error;
  }
}

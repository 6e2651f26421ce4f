import { appendFileSync, mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, unlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Snapshot } from '../../objects/snapshot.ts';
import type { Clock } from './clock.ts';
import { nodeFileAccess } from './node-file-access.ts';
import { watchManifests, type ManifestWatch, type WatchManifestsOptions } from './watch.ts';

const clock: Clock = {
  now: () => performance.now(),
  after(delayMs, callback) {
    const timer = setTimeout(callback, delayMs);
    return () => clearTimeout(timer);
  },
};

const configMap = (name: string, value = 'x'): string =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}}\ndata: {k: "${value}"}\n`;
const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

let folder = '';
let running: ManifestWatch | undefined;
let seen: Snapshot[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ramjet-watch-'));
  seen = [];
});
afterEach(() => {
  running?.stop();
  rmSync(folder, { recursive: true, force: true });
});

const at = (...parts: string[]): string => join(folder, ...parts);

async function start(options: Partial<WatchManifestsOptions> = {}): Promise<ManifestWatch> {
  // A rescan so late that only events can be what a test sees.
  const watch = watchManifests({ paths: [folder], clock, onSnapshot: (snapshot) => seen.push(snapshot), rescanMs: 60_000, ...options });
  running = watch;
  await watch.start();
  return watch;
}

function values(): Record<string, string | undefined> {
  const maps = seen.at(-1)?.configMaps ?? new Map();
  return Object.fromEntries([...maps.values()].map((map) => [map.metadata.name, map.data['k']]));
}

function codes(): readonly string[] {
  return seen.at(-1)?.diagnostics.map(({ code }) => code) ?? [];
}

/** Comes to hold, and nothing on the way there had fewer objects than `atLeast`. */
async function becomes(expected: Record<string, string>, atLeast = 0): Promise<void> {
  await vi.waitFor(() => expect(values()).toEqual(expected), { timeout: 5000, interval: 5 });
  for (const snapshot of seen) expect(snapshot.configMaps.size).toBeGreaterThanOrEqual(atLeast);
}

describe('live reload', () => {
  it('follows files that are made, written, replaced, renamed and removed', async () => {
    writeFileSync(at('a.yaml'), configMap('a', '1'));
    await start();
    await becomes({ a: '1' });
    writeFileSync(at('b.yaml'), configMap('b', '1'));
    await becomes({ a: '1', b: '1' }, 1);
    writeFileSync(at('a.yaml'), configMap('a', '2'));
    await becomes({ a: '2', b: '1' }, 1);
    writeFileSync(at('a.yaml.tmp'), configMap('a', '3'));
    renameSync(at('a.yaml.tmp'), at('a.yaml'));
    await becomes({ a: '3', b: '1' }, 1);
    renameSync(at('b.yaml'), at('c.yaml'));
    await vi.waitFor(() => expect(seen.at(-1)?.configMaps.get('default/b')?.position?.file).toBe(at('c.yaml')));
    unlinkSync(at('c.yaml'));
    await becomes({ a: '3' }, 1);
    expect(codes()).toEqual([]);
  });

  it('keeps the identity of what did not change, and says nothing when nothing did', async () => {
    writeFileSync(at('a.yaml'), `${configMap('a')}---\n${configMap('b')}`);
    writeFileSync(at('c.yaml'), configMap('c'));
    await start();
    writeFileSync(at('a.yaml'), `${configMap('a')}---\n${configMap('b', 'y')}`);
    await becomes({ a: 'x', b: 'y', c: 'x' });
    const [first, second] = seen;
    expect(second?.configMaps.get('default/a')).toBe(first?.configMaps.get('default/a'));
    expect(second?.configMaps.get('default/c')).toBe(first?.configMaps.get('default/c'));
    expect(second?.configMaps.get('default/b')).not.toBe(first?.configMaps.get('default/b'));
    utimesSync(at('c.yaml'), new Date(), new Date());
    writeFileSync(at('.c.yaml.swp'), 'x');
    writeFileSync(at('notes.txt'), 'x');
    await sleep(100);
    expect(seen).toHaveLength(2);
  });

  it('follows directories that are made, moved and removed', async () => {
    await start();
    mkdirSync(at('x/y/z'), { recursive: true });
    writeFileSync(at('x/y/z/a.yaml'), configMap('a'));
    await becomes({ a: 'x' });
    writeFileSync(at('x/y/z/a.yaml'), configMap('a', '2'));
    await becomes({ a: '2' });
    renameSync(at('x'), at('w'));
    await vi.waitFor(() => expect(seen.at(-1)?.configMaps.get('default/a')?.position?.file).toBe(at('w/y/z/a.yaml')));
    writeFileSync(at('w/y/z/a.yaml'), configMap('a', '3'));
    await becomes({ a: '3' });
    rmSync(at('w'), { recursive: true });
    await becomes({});
    mkdirSync(at('w'));
    writeFileSync(at('w/b.yaml'), configMap('b'));
    await becomes({ b: 'x' });
  });

  it('follows the swap of links in a ConfigMap mount, for folders and single files', async () => {
    const mount = (version: string, value: string): void => {
      mkdirSync(at(`..${version}`));
      writeFileSync(at(`..${version}`, 'a.yaml'), configMap('a', value));
      symlinkSync(`..${version}`, at('..data_tmp'));
      renameSync(at('..data_tmp'), at('..data'));
    };
    mount('v1', '1');
    symlinkSync('..data/a.yaml', at('a.yaml'));
    await start();
    await becomes({ a: '1' });
    mount('v2', '2');
    rmSync(at('..v1'), { recursive: true });
    await becomes({ a: '2' }, 1);
    running?.stop();
    await start({ paths: [at('a.yaml')] });
    mount('v3', '3');
    rmSync(at('..v2'), { recursive: true });
    await becomes({ a: '3' }, 1);
  });

  it('follows a single file through an editor’s backup and replacement', async () => {
    writeFileSync(at('a.yaml'), configMap('a', '1'));
    writeFileSync(at('other.yaml'), configMap('other'));
    await start({ paths: [at('a.yaml')] });
    renameSync(at('a.yaml'), at('a.yaml~'));
    writeFileSync(at('a.yaml'), configMap('a', '2'));
    unlinkSync(at('a.yaml~'));
    await becomes({ a: '2' }, 1);
  });

  it('finds by rescanning what no event tells', async () => {
    writeFileSync(at('a.yaml'), configMap('a', '1'));
    const errors: string[] = [];
    await start({
      rescanMs: 50,
      onError: (message) => errors.push(message),
      files: { ...nodeFileAccess, watch: () => ({ ok: false, reason: 'ENOSPC' }) },
    });
    writeFileSync(at('a.yaml'), configMap('a', '2'));
    await becomes({ a: '2' });
    expect(errors.length).toBeGreaterThan(0);
    expect(errors).toHaveLength(new Set(errors).size);
  });
});

describe('live reload drops no route because of', () => {
  it('a syntax error: the last good version stays, the file is stale until mended', async () => {
    writeFileSync(at('a.yaml'), `${configMap('a', '1')}---\n${configMap('b', '1')}`);
    await start();
    writeFileSync(at('a.yaml'), `${configMap('a', '2')}---\nkind: "Config`);
    await vi.waitFor(() => expect(codes()).toEqual(['UnreadableDocument', 'SourceStale']));
    expect(values()).toEqual({ a: '1', b: '1' });
    expect(seen.at(-1)?.diagnostics[1]?.origin).toMatchObject({ file: at('a.yaml'), line: 6 });
    writeFileSync(at('a.yaml'), `${configMap('a', '2')}---\n${configMap('b', '2')}`);
    await becomes({ a: '2', b: '2' }, 2);
    expect(codes()).toEqual([]);
  });

  it('a file that was broken from the start, whose other documents go on changing', async () => {
    writeFileSync(at('a.yaml'), `a: [\n---\n${configMap('b', '1')}`);
    await start();
    await becomes({ b: '1' });
    writeFileSync(at('a.yaml'), `a: [\n---\n${configMap('b', '2')}`);
    await becomes({ b: '2' });
    expect(codes()).toEqual(['UnreadableDocument']);
  });

  it('a file written in pieces', async () => {
    const text = Array.from({ length: 20 }, (_, index) => configMap(`c${index}`, 'new')).join('---\n');
    writeFileSync(at('a.yaml'), text.replaceAll('new', 'old'));
    await start();
    writeFileSync(at('a.yaml'), '');
    for (let from = 0; from < text.length; from += 200) {
      appendFileSync(at('a.yaml'), text.slice(from, from + 200));
      await sleep(5);
    }
    await vi.waitFor(() => expect(new Set(Object.values(values()))).toEqual(new Set(['new'])));
    for (const snapshot of seen) expect(snapshot.configMaps.size).toBe(20);
  });

  it('a writer that pauses after truncating or in the middle', async () => {
    const text = `${configMap('a', '2')}---\n${configMap('b', '2')}`;
    writeFileSync(at('a.yaml'), text.replaceAll('"2"', '"1"'));
    await start({ emptyGraceMs: 400, lossGraceMs: 200 });
    writeFileSync(at('a.yaml'), '');
    await sleep(100);
    appendFileSync(at('a.yaml'), text.slice(0, 75));
    await sleep(100);
    appendFileSync(at('a.yaml'), text.slice(75));
    await becomes({ a: '2', b: '2' }, 2);
    expect(seen).toHaveLength(2);
  });

  it('a file that is away for a moment', async () => {
    writeFileSync(at('a.yaml'), configMap('a', '1'));
    await start({ lossGraceMs: 300 });
    unlinkSync(at('a.yaml'));
    await sleep(100);
    writeFileSync(at('a.yaml'), configMap('a', '2'));
    await becomes({ a: '2' }, 1);
  });

  it('a root that is away, however long', async () => {
    mkdirSync(at('root'));
    writeFileSync(at('root/a.yaml'), configMap('a', '1'));
    await start({ paths: [at('root')], lossGraceMs: 20 });
    rmSync(at('root'), { recursive: true });
    await vi.waitFor(() => expect(codes()).toEqual(['SourceStale']));
    await sleep(100);
    expect(values()).toEqual({ a: '1' });
    mkdirSync(at('root'));
    writeFileSync(at('root/a.yaml'), configMap('a', '2'));
    await becomes({ a: '2' }, 1);
    expect(codes()).toEqual([]);
  });
});

describe('live reload believes', () => {
  it('that a file was emptied, after a while', async () => {
    writeFileSync(at('a.yaml'), configMap('a'));
    await start({ emptyGraceMs: 150 });
    const before = performance.now();
    writeFileSync(at('a.yaml'), '# nothing left\n');
    await becomes({});
    expect(performance.now() - before).toBeGreaterThan(149);
  });

  it('that an object was removed from a file, after a moment', async () => {
    writeFileSync(at('a.yaml'), `${configMap('a')}---\n${configMap('b')}`);
    await start();
    writeFileSync(at('a.yaml'), configMap('a'));
    await becomes({ a: 'x' });
  });
});

describe('watchManifests', () => {
  it('starts with folders that do not exist yet, and takes them when they come', async () => {
    await start({ paths: [at('later')] });
    expect(codes()).toEqual(['UnreadableDocument']);
    mkdirSync(at('later'));
    writeFileSync(at('later/a.yaml'), configMap('a'));
    await becomes({ a: 'x' });
    expect(codes()).toEqual([]);
  });

  it('outlives a consumer that throws, and is silent after stop', async () => {
    const errors: string[] = [];
    let calls = 0;
    const watch = await start({
      onError: (message) => errors.push(message),
      onSnapshot: () => {
        calls += 1;
        throw new Error('no');
      },
    });
    writeFileSync(at('a.yaml'), configMap('a'));
    await vi.waitFor(() => expect(calls).toBe(2));
    expect(errors).toHaveLength(2);
    expect(watch.snapshot().configMaps.size).toBe(1);
    watch.stop();
    writeFileSync(at('b.yaml'), configMap('b'));
    await sleep(80);
    expect(calls).toBe(2);
  });

  it('gathers a burst of changes into few snapshots', async () => {
    await start();
    for (let index = 0; index < 300; index += 1) writeFileSync(at(`${index}.yaml`), configMap(`c${index}`));
    await vi.waitFor(() => expect(Object.keys(values())).toHaveLength(300));
    expect(seen.length).toBeLessThan(20);
  });
});

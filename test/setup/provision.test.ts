import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

// The set-up scripts are plain JavaScript without declarations, so what is used of them is said here.
interface Source {
  uri: string;
  suites: readonly string[];
  components: readonly string[];
  signedBy: string | undefined;
}
interface Found {
  path: string;
  version: { full: string; series: string };
  origin: string;
}
interface Options {
  env?: NodeJS.ProcessEnv;
  want?: string;
  cacheDir?: string;
}
interface Haproxy {
  cacheDirectory(env: NodeJS.ProcessEnv): string;
  findHaproxy(options: Options): Found | undefined;
  haproxyVersion(path: string): { full: string; major: number; minor: number; series: string } | undefined;
  provisionHaproxy(options: Options): Promise<Found>;
}
interface Sources {
  mainArchives(sources: readonly Source[]): Source[];
  parseDeb822(text: string): Source[];
  parseOneLine(text: string): Source[];
  readSources(places: { list: string; parts: string }): Source[];
  sourceEntry(source: Source, suites: readonly string[], architecture: string): string;
}
interface Lock {
  withLock<T>(path: string, work: () => Promise<T>, options?: Record<string, unknown>): Promise<T>;
}

async function load<T>(path: string): Promise<T> {
  const module: T = await import(new URL(`../../tools/${path}`, import.meta.url).href);
  return module;
}

const haproxy = await load<Haproxy>('haproxy.mjs');
const sources = await load<Sources>('haproxy/sources.mjs');
const { withLock } = await load<Lock>('haproxy/lock.mjs');

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ramjet-provision-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** A program that says what `haproxy -v` says. */
function pretend(version: string, ...place: string[]): string {
  const path = join(folder, ...place);
  mkdirSync(join(path, '..'), { recursive: true });
  writeFileSync(path, `#!/bin/sh\necho 'HAProxy version ${version} 2026/01/01 - https://haproxy.org/'\n`);
  chmodSync(path, 0o755);
  return path;
}

function pretendProvisioned(version: string): string {
  const series = version.split('.').slice(0, 2).join('.');
  writeFileSync(
    join(pretend(version, 'cache', `haproxy-${series}`, 'bin', 'haproxy'), '../../provisioned.json'),
    JSON.stringify({ haproxy: version }),
  );
  return join(folder, 'cache', `haproxy-${series}`, 'bin', 'haproxy');
}

/** Nothing of the machine on PATH: what it has installed must not decide a test. */
function environment(extra: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv {
  return { PATH: join(folder, 'bin'), RAMJET_CACHE: join(folder, 'cache'), ...extra };
}

describe('finding a HAProxy', () => {
  it('reads versions with and without a suffix, and tells what is no HAProxy', () => {
    expect(haproxy.haproxyVersion(pretend('3.4.7-1', 'a'))).toEqual({
      full: '3.4.7-1',
      major: 3,
      minor: 4,
      series: '3.4',
    });
    expect(haproxy.haproxyVersion(pretend('3.5-dev2', 'b'))?.series).toBe('3.5');
    expect(haproxy.haproxyVersion(join(folder, 'missing'))).toBeUndefined();
  });

  it('takes RAMJET_HAPROXY before PATH before the cache', () => {
    const named = pretend('3.2.1', 'named');
    const installed = pretend('3.3.0', 'bin', 'haproxy');
    const cached = pretendProvisioned('3.4.7');
    const env = environment({ RAMJET_HAPROXY: named });
    expect(haproxy.findHaproxy({ env })).toMatchObject({ path: named, origin: 'env' });
    delete env['RAMJET_HAPROXY'];
    expect(haproxy.findHaproxy({ env })).toMatchObject({ path: installed, origin: 'path' });
    rmSync(installed);
    expect(haproxy.findHaproxy({ env })).toMatchObject({ path: cached, origin: 'cache' });
    rmSync(cached);
    expect(haproxy.findHaproxy({ env })).toBeUndefined();
  });

  it('refuses a RAMJET_HAPROXY that is too old or does not run, and names the manual way', () => {
    const env = environment({ RAMJET_HAPROXY: pretend('2.6.12', 'old') });
    pretendProvisioned('3.4.7');
    expect(() => haproxy.findHaproxy({ env })).toThrow(/2\.6\.12.*3\.2 or newer[^]*set RAMJET_HAPROXY=/);
    env['RAMJET_HAPROXY'] = join(folder, 'missing');
    expect(() => haproxy.findHaproxy({ env })).toThrow(/not a haproxy that runs here/);
  });

  it('passes over an old HAProxy on PATH', () => {
    pretend('2.6.12', 'bin', 'haproxy');
    expect(haproxy.findHaproxy({ env: environment() })).toBeUndefined();
  });

  it('matches a wanted series exactly', () => {
    const env = environment({ RAMJET_HAPROXY: pretend('3.4.1', 'named') });
    pretend('3.3.0', 'bin', 'haproxy');
    const cached = pretendProvisioned('3.2.26');
    expect(haproxy.findHaproxy({ env, want: '3.2' })?.path).toBe(cached);
    expect(haproxy.findHaproxy({ env, want: '3.4' })?.origin).toBe('env');
  });

  it('prefers 3.4 in the cache and never takes a prefix without its marker', () => {
    const newer = pretendProvisioned('3.4.7');
    const older = pretendProvisioned('3.2.26');
    expect(haproxy.findHaproxy({ env: environment() })?.path).toBe(newer);
    rmSync(join(newer, '../../provisioned.json'));
    expect(haproxy.findHaproxy({ env: environment() })?.path).toBe(older);
  });

  it('keeps its cache where the environment says', () => {
    expect(haproxy.cacheDirectory({ RAMJET_CACHE: '/r', XDG_CACHE_HOME: '/x', HOME: '/h' })).toBe('/r');
    expect(haproxy.cacheDirectory({ XDG_CACHE_HOME: '/x', HOME: '/h' })).toBe('/x/ramjet');
    expect(haproxy.cacheDirectory({ HOME: '/h' })).toBe('/h/.cache/ramjet');
  });

  it('says what is missing where there is no apt, and leaves nothing behind', async () => {
    const failure = haproxy.provisionHaproxy({ env: environment(), want: '3.4' });
    await expect(failure).rejects.toThrow(/Debian only: apt-get.*[^]*set RAMJET_HAPROXY=/);
    expect(existsSync(join(folder, 'cache', 'haproxy-3.4.lock'))).toBe(false);
    expect(existsSync(join(folder, 'cache', 'haproxy-3.4'))).toBe(false);
  });
});

describe("apt's sources", () => {
  const keyring = '/keys/debian-archive-keyring.gpg';

  it('reads one-line entries with options and comments', () => {
    const text = [
      '# deb http://mirror.test/off trixie main',
      `deb [ arch=amd64 signed-by=${keyring} trusted=yes ] http://mirror.test/debian trixie main contrib # ours`,
      'deb-src http://mirror.test/debian trixie main',
      'deb http://mirror.test/plain bookworm main',
    ].join('\n');
    expect(sources.parseOneLine(text)).toEqual([
      {
        uri: 'http://mirror.test/debian',
        suites: ['trixie'],
        components: ['main', 'contrib'],
        signedBy: keyring,
      },
      { uri: 'http://mirror.test/plain', suites: ['bookworm'], components: ['main'], signedBy: undefined },
    ]);
  });

  it('reads deb822 entries: several URIs, comments, an embedded key, switched off', () => {
    const key = ' -----BEGIN PGP PUBLIC KEY BLOCK-----\n .\n mQINB\n -----END PGP PUBLIC KEY BLOCK-----';
    const text = `# top\nTypes: deb deb-src\nURIs: http://a.test/debian\n http://b.test/debian\n# inner\nSuites: trixie trixie-updates\nComponents: main\nSigned-By:\n${key}\n\nTypes: deb\nURIs: http://c.test/debian\nSuites: sid\nComponents: main\nEnabled: no\n`;
    const found = sources.parseDeb822(text);
    expect(found.map((source) => source.uri)).toEqual(['http://a.test/debian', 'http://b.test/debian']);
    expect(found[0]).toMatchObject({
      suites: ['trixie', 'trixie-updates'],
      components: ['main'],
      signedBy: `\n${key}`,
    });
  });

  it('reads the files that apt reads, and no switched-off ones', () => {
    mkdirSync(join(folder, 'parts'));
    writeFileSync(join(folder, 'sources.list'), 'deb http://one.test/debian trixie main\n');
    writeFileSync(join(folder, 'parts', 'two.sources'), 'Types: deb\nURIs: http://two.test/debian\nSuites: trixie\n');
    writeFileSync(join(folder, 'parts', 'three.list.disabled'), 'deb http://three.test/debian trixie main\n');
    const found = sources.readSources({ list: join(folder, 'sources.list'), parts: join(folder, 'parts') });
    expect(found.map((source) => source.uri)).toEqual(['http://one.test/debian', 'http://two.test/debian']);
    expect(sources.readSources({ list: join(folder, 'none'), parts: join(folder, 'nowhere') })).toEqual([]);
  });

  it("picks Debian's main archive: no security, no updates alone, no third parties, the known key first", () => {
    const found = sources.mainArchives(
      sources.parseOneLine(
        [
          'deb http://mirror.test/debian-security trixie-security main',
          `deb [signed-by=${keyring}] http://mirror.test/debian-security trixie main`,
          'deb http://mirror.test/debian trixie-updates main',
          'deb http://packages.test/node nodistro main',
          'deb http://packages.test/linux/debian trixie stable',
          'deb http://other.test/debian/ stable main',
          `deb [signed-by=${keyring}] http://mirror.test/archive trixie main`,
          `deb [signed-by=${keyring}] http://mirror.test/archive/ bookworm main`,
        ].join('\n'),
      ),
    );
    expect(found.map((source) => source.uri)).toEqual(['http://mirror.test/archive', 'http://other.test/debian/']);
  });

  it('keeps the address and the key, and nothing that weakens trust', () => {
    const [source] = sources.parseOneLine(`deb [trusted=yes signed-by=${keyring}] http://mirror.test/debian trixie main`);
    if (!source) throw new Error('not read');
    expect(sources.sourceEntry(source, ['sid', 'experimental'], 'arm64')).toBe(
      `Types: deb\nURIs: http://mirror.test/debian\nSuites: sid experimental\nComponents: main\nArchitectures: arm64\nSigned-By: ${keyring}\n`,
    );
  });
});

describe('the lock', () => {
  it('lets one run at a time work, and the others after it', async () => {
    const path = join(folder, 'a', 'lock');
    let working = 0;
    let most = 0;
    const job = () =>
      withLock(
        path,
        async () => {
          working += 1;
          most = Math.max(most, working);
          await new Promise((done) => setTimeout(done, 20));
          working -= 1;
        },
        { pollMs: 5 },
      );
    await Promise.all([job(), job(), job()]);
    expect(most).toBe(1);
    expect(existsSync(path)).toBe(false);
  });

  it('takes over what a killed run left, and gives up on a live one', async () => {
    const path = join(folder, 'lock');
    mkdirSync(path);
    const wait = { pollMs: 5, waitMs: 30, staleMs: 10_000 };
    await expect(withLock(path, async () => 'done', wait)).rejects.toThrow(/for too long/);
    const old = new Date(Date.now() - 20_000);
    utimesSync(path, old, old);
    expect(await withLock(path, async () => 'done', wait)).toBe('done');
  });

  it('is released when the work fails', async () => {
    const path = join(folder, 'lock');
    await expect(withLock(path, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(existsSync(path)).toBe(false);
  });
});

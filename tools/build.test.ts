import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

// The build is plain JavaScript without declarations, so what is used of it is said here.
interface Build {
  build(options: { root: string; log?: (line: string) => void }): Promise<void>;
  buildIfStale(options: { root: string }): Promise<boolean>;
}
const { build, buildIfStale }: Build = await import(new URL('./build.mjs', import.meta.url).href);

const FILES = {
  'src/main.ts': "import { text } from './haproxy/lua.ts';\nconst answer: string = text();\nconsole.log(answer);\n",
  'src/agent/main.ts': "console.log('agent');\n",
  'src/haproxy/lua.ts':
    "import { readFileSync } from 'node:fs';\nexport const text = () => readFileSync(new URL('./lua/a.lua', import.meta.url), 'utf8').trim();\n",
  'src/haproxy/lua/a.lua': '-- lua\n',
  'src/admin/ui/page.js': 'fetch;\n',
  'src/haproxy/testing/b.lua': '-- for tests\n',
} as const;

let root = '';
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'ramjet-build-'));
  for (const [file, text] of Object.entries(FILES)) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), text);
  }
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function run(file: string): string {
  return execFileSync(process.execPath, [join(root, file)], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim();
}

describe('the build', () => {
  it('bundles daemon and agent, with maps, and finds assets from the bundle', async () => {
    await build({ root });
    expect(run('dist/ramjet.mjs')).toBe('-- lua');
    expect(run('dist/agent.mjs')).toBe('agent');
    expect(existsSync(join(root, 'dist/ramjet.mjs.map'))).toBe(true);
    expect(readFileSync(join(root, 'dist/assets/haproxy/lua/a.lua'), 'utf8')).toBe('-- lua\n');
    expect(existsSync(join(root, 'dist/assets/haproxy/testing'))).toBe(false);
  });

  it('builds again when a source or an asset is newer, and only then', async () => {
    expect(await buildIfStale({ root })).toBe(true);
    expect(await buildIfStale({ root })).toBe(false);
    const later = new Date(Date.now() + 5000);
    for (const file of ['src/haproxy/lua.ts', 'src/haproxy/lua/a.lua']) {
      utimesSync(join(root, file), later, later);
      expect(await buildIfStale({ root })).toBe(true);
      utimesSync(join(root, file), new Date(0), new Date(0));
    }
    utimesSync(join(root, 'src/haproxy/testing/b.lua'), later, later);
    expect(await buildIfStale({ root })).toBe(false);
  });

  it('says which entry does not exist yet', async () => {
    rmSync(join(root, 'src/agent/main.ts'));
    const lines: string[] = [];
    await build({ root, log: (line) => lines.push(line) });
    expect(lines).toEqual([
      'src/agent/main.ts does not exist: dist/agent.mjs left out',
      'src/features/basic-auth/agent-worker.ts does not exist: dist/hash-worker.mjs left out',
      expect.stringMatching(/^dist: ramjet\.mjs, 2 assets/),
    ]);
    expect(await buildIfStale({ root })).toBe(false);
  });

  it('keeps the old bundle when the new one does not compile', async () => {
    await build({ root });
    writeFileSync(join(root, 'src/main.ts'), "import './nowhere.ts';\n");
    await expect(build({ root })).rejects.toThrow(/nowhere/);
    expect(run('dist/ramjet.mjs')).toBe('-- lua');
  });
});

describe('bin/ramjet.mjs', () => {
  it('builds in a checkout, and runs an installed bundle as it is', () => {
    for (const file of ['bin/ramjet.mjs', 'tools/build.mjs']) cpSync(join(ROOT, file), join(root, file));
    symlinkSync(join(ROOT, 'node_modules'), join(root, 'node_modules'));
    expect(run('bin/ramjet.mjs')).toBe('-- lua');
    for (const folder of ['tools', 'src', 'node_modules']) rmSync(join(root, folder), { recursive: true });
    expect(run('bin/ramjet.mjs')).toBe('-- lua');
  });
});

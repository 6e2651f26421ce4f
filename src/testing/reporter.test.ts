import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { summaryLine } from './reporter.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const REPORTER = fileURLToPath(new URL('./reporter.ts', import.meta.url));

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ramjet-reporter-'));
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** The last line of a run of vitest of its own, and how it ended. */
function runTests(files: Readonly<Record<string, string>>): { readonly line: string | undefined; readonly status: number | null } {
  const head = "import { beforeAll, describe, expect, it } from 'vitest';\n";
  for (const [file, text] of Object.entries(files)) writeFileSync(join(folder, file), head + text);
  const config = { test: { reporters: ['default', REPORTER], include: ['*.test.ts'] } };
  writeFileSync(join(folder, 'vitest.config.mjs'), `export default ${JSON.stringify(config)};\n`);
  const vitest = join(ROOT, 'node_modules/vitest/vitest.mjs');
  const { stdout, status } = spawnSync(process.execPath, [vitest, 'run', '--root', folder], { encoding: 'utf8', cwd: folder });
  return { line: stdout.trimEnd().split('\n').at(-1), status };
}

describe('the closing line', () => {
  it('names what was skipped only when something was', () => {
    expect(summaryLine({ passed: 3, failed: 0, skipped: 0 })).toBe('3 passed, 0 failed');
    expect(summaryLine({ passed: 3, failed: 1, skipped: 2 })).toBe('3 passed, 1 failed, 2 skipped');
  });

  it('is the last thing that a run prints', () => {
    expect(runTests({ 'a.test.ts': "it('passes', () => { expect(1).toBe(1); });" })).toEqual({ line: '1 passed, 0 failed', status: 0 });
  });

  it('counts tests, files that do not load, hooks and unhandled rejections', () => {
    const run = runTests({
      'mixed.test.ts': "it('passes', () => {}); it('fails', () => { expect(1).toBe(2); }); it.skip('is skipped', () => {});",
      'unloadable.test.ts': "import './nowhere.ts'; it('never runs', () => {});",
      'hook.test.ts': "describe('group', () => { beforeAll(() => { throw new Error('hook'); }); it('never runs', () => {}); });",
      'rejection.test.ts': "it('passes', () => { void Promise.reject(new Error('nobody looks')); });",
    });
    expect(run).toEqual({ line: '2 passed, 4 failed, 2 skipped', status: 1 });
  });
});

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DIAGNOSTIC_CODES } from '../src/diagnostics/codes.ts';
import { generatorFiles, stale } from './generate.ts';
import { generate } from './generators/diagnostics.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ramjet-generate-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('generate', () => {
  it('runs the registry of features first, and no tests', () => {
    for (const file of ['b.ts', 'features.ts', 'a.ts', 'a.test.ts', 'README.md']) writeFileSync(join(folder, file), '');
    expect(generatorFiles(folder)).toEqual(['features.ts', 'a.ts', 'b.ts']);
  });

  it('finds pages that are missing or differ', () => {
    writeFileSync(join(folder, 'same.md'), 'same\n');
    writeFileSync(join(folder, 'edited.md'), 'edited by hand\n');
    const files = new Map([
      ['same.md', 'same\n'],
      ['edited.md', 'generated\n'],
      ['missing.md', 'generated\n'],
    ]);
    expect(stale(folder, files)).toEqual(['edited.md', 'missing.md']);
  });
});

describe('the page of diagnostics', () => {
  it('has every code once, with what to do', () => {
    const page = generate(ROOT).get('docs/reference/diagnostics.md') ?? '';
    expect([...page.matchAll(/^### (\w+)$/gm)].map(([, code]) => code)).toEqual(Object.keys(DIAGNOSTIC_CODES));
    for (const { summary, hint } of Object.values(DIAGNOSTIC_CODES)) {
      expect(page).toContain(summary);
      expect(page).toContain(`**To mend:** ${hint}`);
    }
  });
});

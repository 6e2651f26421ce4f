import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** What is planted, where, and the rule that must find it; `undefined`: it is allowed there. */
const PLANTED: readonly (readonly [string, string, string | undefined])[] = [
  ['src/floating.ts', 'async function work() {}\nexport function run() { work(); }', 'no-floating-promises'],
  ['src/switch.ts', "export function run(a: 'x' | 'y') { switch (a) { case 'x': return 1; } return 2; }", 'switch-exhaustiveness-check'],
  ['src/any.ts', 'export const a = (b: any) => b as unknown;', 'no-explicit-any'],
  ['src/non-null.ts', 'export const a = (b: string | undefined) => b!.length;', 'no-non-null-assertion'],
  ['src/type-import.ts', "import { Model } from './model.ts';\nexport const a = (b: Model) => b;", 'consistent-type-imports'],
  ['src/cycle-a.ts', "import { b } from './cycle-b.ts';\nexport const a = () => b;", 'no-cycle'],
  ['src/cycle-b.ts', "import { a } from './cycle-a.ts';\nexport const b = () => a;", 'no-cycle'],
  ['src/unused.ts', 'const unused = 1;', 'no-unused-vars'],
  ['src/default.ts', 'export default 1;', 'no-default-export'],
  ['src/UpperCase.ts', 'export const a = 1;', 'filename-case'],
  ['src/console.ts', "console.log('x');", 'no-console'],
  ['src/now.ts', 'export const a = Date.now();', 'no-restricted-properties'],
  ['src/random.ts', 'export const a = Math.random();', 'no-restricted-properties'],
  ['src/fetch.ts', "export const a = () => fetch('http://x');", 'no-restricted-globals'],
  ['src/timer.ts', 'export const a = () => setTimeout(() => {}, 1);', 'no-restricted-globals'],
  ['src/interval.ts', 'export const a = () => setInterval(() => {}, 1);', 'no-restricted-globals'],
  ['src/env.ts', "export const a = process.env['A'];", 'no-process-env'],
  ['src/sleep.ts', "import { setTimeout } from 'node:timers/promises';\nexport const a = () => setTimeout(1);", 'no-restricted-imports'],
  ['src/only.test.ts', "import { it } from 'vitest';\nit.only('x', () => {});", 'no-focused-tests'],
  ['src/skip.test.ts', "import { it } from 'vitest';\nit.skip('x', () => {});", 'no-disabled-tests'],
  [
    'src/describe.test.ts',
    "import { describe, it } from 'vitest';\ndescribe.skip('x', () => { it('y', () => {}); });",
    'no-disabled-tests',
  ],
  ['src/todo.test.ts', "import { it } from 'vitest';\nit.todo('x');", 'warn-todo'],
  ['src/clock.ts', 'export const a = () => setTimeout(() => {}, Date.now());', undefined],
  ['src/cli/commands/a.ts', "console.log(process.env['A'], Math.random());", undefined],
  ['src/admin/ui/page.js', "void fetch('http://x');", undefined],
  ['src/main.ts', "console.log(process.env['A']);", undefined],
  ['src/kube/adapter/http.ts', "export const a = () => fetch('http://x');", undefined],
  ['src/now.test.ts', 'export const a = Date.now();', undefined],
  ['src/model.ts', 'export interface Model { readonly a: number }', undefined],
];

let folder = '';
let found: readonly { readonly file: string; readonly rule: string; readonly severity: string }[] = [];

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'ramjet-lint-'));
  for (const [file, text] of PLANTED) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), `${text}\n`);
  }
  // The globs of the configuration count from the folder it stands in.
  for (const file of ['.oxlintrc.json', 'tsconfig.json', 'package.json']) copyFileSync(join(ROOT, file), join(folder, file));
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  const oxlint = join(ROOT, 'node_modules/.bin/oxlint');
  const run = spawnSync(oxlint, ['--type-aware', '--format', 'json', 'src'], { cwd: folder, encoding: 'utf8', maxBuffer: 1 << 26 });
  const { diagnostics } = JSON.parse(run.stdout) as { diagnostics: { filename: string; code: string; severity: string }[] };
  found = diagnostics.map(({ filename, code, severity }) => ({ file: filename, rule: /\((.+)\)/.exec(code)?.[1] ?? code, severity }));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('lint rules', () => {
  it.each(PLANTED.filter(([, , rule]) => rule !== undefined))('%s: %j is found by %s', (file, _, rule) => {
    expect(found).toContainEqual({ file, rule, severity: 'error' });
  });

  it.each(PLANTED.filter(([, , rule]) => rule === undefined))('%s: %j is allowed', (file) => {
    expect(found.filter((one) => one.file === file)).toEqual([]);
  });
});

import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** Importer, what it imports, and the rules that refuse it. */
const CASES: readonly (readonly [string, string, readonly string[]])[] = [
  ['src/model/a.ts', 'src/diagnostics/codes.ts', ['model-imports']],
  ['src/model/b.ts', 'src/model/origin.ts', []],
  ['src/diagnostics/a.ts', 'src/model/origin.ts', []],
  ['src/diagnostics/b.ts', 'src/objects/types.ts', ['diagnostics-imports']],
  ['src/objects/a.ts', 'src/diagnostics/codes.ts', []],
  ['src/objects/b.ts', 'src/features/contract/key.ts', ['objects-imports']],
  ['src/features/cors/a.ts', 'src/features/contract/key.ts', []],
  ['src/features/cors/b.ts', 'src/features/values/units.ts', []],
  ['src/features/cors/c.ts', 'src/objects/types.ts', []],
  ['src/features/cors/d.ts', 'src/features/canary/policy.ts', ['feature-imports-feature']],
  ['src/features/cors/e.ts', 'src/compiler/compile.ts', ['feature-imports']],
  ['src/features/cors/f.ts', 'src/haproxy/tokens.ts', ['feature-imports', 'haproxy-words']],
  ['src/features/cors/haproxy.ts', 'src/haproxy/tokens.ts', []],
  ['src/features/retry/haproxy.ts', 'src/haproxy/render/text.ts', ['feature-haproxy-imports']],
  ['src/features/cors/agent.ts', 'src/agent/server/handler.ts', []],
  ['src/features/retry/agent.ts', 'src/agent/server/server.ts', ['feature-agent-imports']],
  ['src/features/cors/nginx.test.ts', 'src/haproxy/render/text.ts', []],
  ['src/features/contract/a.ts', 'src/features/cors/a.ts', ['feature-shared-imports']],
  ['src/resources/ingress/a.ts', 'src/features/contract/key.ts', []],
  ['src/resources/ingress/b.ts', 'src/compiler/compile.ts', ['resources-imports']],
  ['src/compiler/a.ts', 'src/haproxy/render/text.ts', ['compiler-imports', 'haproxy-words']],
  ['src/compiler/b.ts', 'src/features/cors/a.ts', ['compiler-imports']],
  ['src/haproxy/plan/a.ts', 'src/model/origin.ts', []],
  ['src/haproxy/plan/b.ts', 'src/compiler/compile.ts', ['haproxy-imports']],
  ['src/haproxy/plan/c.ts', 'src/features/cors/a.ts', ['haproxy-imports']],
  ['src/agent/server/a.ts', 'src/agent/wire/frame.ts', []],
  ['src/agent/server/b.ts', 'src/features/cors/a.ts', ['agent-imports']],
  ['src/agent/wire/a.ts', 'node:net', ['pure-imports']],
  ['src/agent/wire/b.ts', 'src/agent/server/handler.ts', ['pure-imports']],
  ['src/haproxy/runtime/codec.ts', 'src/haproxy/tokens.ts', ['pure-imports']],
  ['src/delivery/decide.ts', 'node:fs', ['pure-imports']],
  ['src/sources/manifests/a.ts', 'src/objects/types.ts', []],
  ['src/sources/manifests/b.ts', 'src/compiler/compile.ts', ['sources-imports']],
  ['src/report/a.ts', 'src/compiler/compile.ts', ['report-imports']],
  ['src/kube/a.ts', 'src/objects/types.ts', ['kube-imports']],
  ['src/settings/a.ts', 'src/haproxy/plan/settings.ts', []],
  ['src/settings/b.ts', 'src/haproxy/plan/a.ts', ['haproxy-words', 'settings-imports']],
  ['src/report/c.ts', 'src/haproxy/plan/settings.ts', ['report-imports']],
  ['src/compose.ts', 'src/haproxy/render/text.ts', []],
  ['src/cli/commands/a.ts', 'src/compiler/compile.ts', []],
  ['src/cli/output/a.ts', 'src/compiler/compile.ts', ['cli-imports']],
  ['src/report/b.ts', 'src/compose.ts', ['composition-is-on-top', 'report-imports']],
  ['src/compiler/c.ts', 'src/testing/harness.ts', ['compiler-imports', 'test-code-in-production']],
  ['src/compiler/d.test.ts', 'src/testing/harness.ts', []],
  ['src/compiler/e.ts', './nowhere.ts', ['no-unresolvable']],
];

/** These two import each other, one of them only a type. */
const CYCLE = ['src/compiler/left.ts', 'src/compiler/right.ts'] as const;

let folder = '';
let violations: readonly { readonly from: string; readonly rule: string }[] = [];

function write(file: string, text: string): void {
  const path = join(folder, file);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

function specifier(from: string, to: string): string {
  if (!to.startsWith('src/')) return to;
  const path = relative(dirname(from), to);
  return path.startsWith('.') ? path : `./${path}`;
}

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'ramjet-imports-'));
  for (const [, to] of CASES) if (to.startsWith('src/')) write(to, 'export const value = 1;\n');
  for (const [from, to] of CASES) write(from, `import { value } from '${specifier(from, to)}';\nexport const mine = value;\n`);
  const [left, right] = CYCLE;
  write(left, `import type { Right } from './right.ts';\nexport const left = (right: Right) => right;\n`);
  write(right, `import { left } from './left.ts';\nexport interface Right { readonly a: number }\nexport const right = left;\n`);
  write('package.json', '{ "type": "module" }');
  const command = [
    join(ROOT, 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs'),
    '--config',
    join(ROOT, '.dependency-cruiser.cjs'),
  ];
  const run = spawnSync(process.execPath, [...command, '--output-type', 'json', 'src'], {
    cwd: folder,
    encoding: 'utf8',
    maxBuffer: 1 << 26,
  });
  const result = JSON.parse(run.stdout) as { summary: { violations: { from: string; rule: { name: string } }[] } };
  violations = result.summary.violations.map(({ from, rule }) => ({ from, rule: rule.name }));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function rulesAgainst(file: string): readonly string[] {
  return [...new Set(violations.filter(({ from }) => from === file).map(({ rule }) => rule))].toSorted();
}

describe('import rules', () => {
  it.each(CASES)('%s → %s: %j', (from, _, rules) => {
    expect(rulesAgainst(from)).toEqual(rules);
  });

  it('refuses a cycle, even of types', () => {
    expect(CYCLE.flatMap(rulesAgainst)).toEqual(['no-cycles']);
  });

  it('say how to mend what they refuse', () => {
    const print =
      'for (const { name, comment } of require("./.dependency-cruiser.cjs").forbidden) console.log(`${name}: ${comment ?? ""}`)';
    const rules = execFileSync(process.execPath, ['--input-type=commonjs', '-e', print], { cwd: ROOT, encoding: 'utf8' })
      .trim()
      .split('\n');
    expect(rules.filter((rule) => !/: .{40,}$/.test(rule) && !rule.startsWith('clock-imports'))).toEqual([]);
  });
});

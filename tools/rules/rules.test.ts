import { describe, expect, it } from 'vitest';
import { portable } from './portable.ts';
import { readmes } from './readmes.ts';
import { size } from './size.ts';
import { formatFinding, memoryTree, type Rule } from './tree.ts';

function findings(rule: Rule, files: Readonly<Record<string, string>>): readonly string[] {
  return rule(memoryTree(files)).map(formatFinding);
}

function lines(count: number): string {
  return '// line\n'.repeat(count);
}

function functionOf(count: number, head = 'export function long() {'): string {
  return `${head}\n${'  work();\n'.repeat(count - 2)}}\n`;
}

describe('size', () => {
  it.each([
    ['a file of 500 lines is a warning', 'src/a.ts', lines(500), [/^src\/a\.ts: warning: 500 lines/]],
    ['one more fails', 'src/a.ts', lines(501), [/^src\/a\.ts: 501 lines, more than 500: split/]],
    ['250 lines are fine', 'tools/a.mjs', lines(250), []],
    ['tests have the limit of files too', 'src/a.test.ts', lines(501), [/501 lines/]],
    ['a generated file has none', 'src/a.generated.ts', lines(900), []],
    ['a function of 80 lines is fine', 'src/a.ts', functionOf(80), []],
    ['one more fails', 'src/a.ts', functionOf(81), [/^src\/a\.ts:1: long has 81 lines, more than 80: move/]],
    ['an arrow function by the name of its variable', 'src/a.ts', functionOf(90, 'const arrow = () => {'), [/:1: arrow has 90/]],
    ['a method', 'src/a.ts', `class A {\n${functionOf(90, '  method() {')}}\n`, [/:2: method has 90/]],
    ['a test may hold a long function', 'src/a.test.ts', functionOf(90), []],
    ['so may a helper of tests', 'src/testing/a.ts', functionOf(90), []],
  ])('%s', (_, file, text, expected) => {
    const found = findings(size, { [file]: text });
    expect(found).toEqual(expected.map((pattern) => expect.stringMatching(pattern)));
  });
});

describe('readmes', () => {
  it('asks for one in each folder of src/ down to the second level', () => {
    const files = { 'src/main.ts': '', 'src/model/a.ts': '', 'src/features/cors/policy.ts': '', 'src/features/cors/cases/a/b.yaml': '' };
    expect(findings(readmes, files)).toEqual([
      expect.stringContaining('src/features/README.md: missing'),
      expect.stringContaining('src/features/cors/README.md: missing'),
      expect.stringContaining('src/model/README.md: missing'),
    ]);
  });

  it('accepts one that says something', () => {
    expect(findings(readmes, { 'src/model/README.md': '# model\n\nWhat all agree on.\n' })).toEqual([]);
    expect(findings(readmes, { 'src/model/README.md': '# model\n' })).toEqual([expect.stringContaining('says nothing')]);
  });

  it('leaves folders of data alone', () => {
    expect(findings(readmes, { 'src/agent/README.md': '# agent\n\nText.\n', 'src/agent/fixtures/a.hex': '' })).toEqual([]);
  });
});

describe('portable', () => {
  // Put together here, or this file would break the rule.
  const host = ['registry', 'npmjs', 'org'].join('.');
  const path = (...parts: string[]) => `/${parts.join('/')}`;

  it.each([
    ['a registry', 'README.md', `see https://${host}/x`, /README\.md:1: names the host of a package registry/],
    ['a machine path', 'src/a.ts', `\n'${path('work', 'main', 'x')}'`, /src\/a\.ts:2: names a path of one machine/],
    ['a home folder', 'a.md', path('root', '.cache', 'x'), /a\.md:1: names a path of one machine/],
    ['a host in the lock file', 'package-lock.json', `"resolved": "https://mirror.example/x.tgz"`, /the lock file names a host/],
  ])('refuses %s', (_, file, text, expected) => {
    expect(findings(portable, { [file]: text })).toEqual([expect.stringMatching(expected)]);
  });

  it('lets relative paths, URLs and longer words pass', () => {
    expect(
      findings(portable, { 'a.md': `./work/x a/root/b https://example.com/work/x ${path('workshop', 'x')} ${path('var', 'root')}` }),
    ).toEqual([]);
  });
});

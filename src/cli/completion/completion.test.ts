import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { COMMANDS } from '../commands/index.ts';
import { ramjet } from '../testing/run.ts';

/** What bash does at Tab: fills these variables, calls the function, reads COMPREPLY. The last word is being typed. */
const DRIVER = 'source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(( $# - 1 )); _ramjet; printf "%s\\n" "${COMPREPLY[@]}"';

let folder = '';
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'ramjet-completion-'));
  writeFileSync(join(folder, 'ramjet.bash'), (await ramjet(['completion', 'bash'])).stdout);
  for (const name of ['shop.yaml', 'shop two.yaml', 'other.yaml']) writeFileSync(join(folder, name), '');
  // Stands for `ramjet keys`.
  writeFileSync(join(folder, 'ramjet'), '#!/bin/sh\nprintf "KEY X\\nramjet.dev/endpoints x\\nnginx.ingress.kubernetes.io/canary x\\n"\n', {
    mode: 0o755,
  });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function complete(...words: readonly string[]): readonly string[] {
  const options = { cwd: folder, encoding: 'utf8', env: { PATH: `${folder}:${process.env['PATH'] ?? ''}` } } as const;
  const output = execFileSync('bash', ['--norc', '-c', DRIVER, 'bash', join(folder, 'ramjet.bash'), 'ramjet', ...words], options);
  return output.split('\n').filter((line) => line !== '');
}

describe('completion in bash', () => {
  test('commands', () => {
    expect(complete('')).toEqual([...COMMANDS.map((command) => command.name), 'help', '--help']);
    expect(complete('tr')).toEqual(['translate']);
    expect(complete('help', 'ex')).toEqual(['explain']);
  });

  test('every command has its options', () => {
    for (const { name, options } of COMMANDS)
      expect(complete(name, '--')).toEqual(expect.arrayContaining([...options.map(({ long }) => `--${long}`), '--help']));
    expect(complete('serve', '--no-ac')).toEqual(['--no-access-log']);
  });

  test('values of options, in each spelling', () => {
    expect(complete('check', '-o', '')).toEqual(['text', 'json', 'sarif']);
    expect(complete('check', '--output', 's')).toEqual(['sarif']);
    expect(complete('check', '--output', '=', 'j')).toEqual(['json']);
    expect(complete('keys', '--dialect', '=')).toEqual(['nginx', 'mse', 'haptic', 'ramjet']);
    expect(complete('serve', '--http', '')).toEqual([]);
  });

  test('files, whatever their names', () => {
    expect(complete('check', 'shop')).toEqual(expect.arrayContaining(['shop.yaml', 'shop two.yaml']));
    expect(complete('check', '--strict', '-o', 'json', 'oth')).toEqual(['other.yaml']);
    expect(complete('serve', '--haproxy', 'oth')).toEqual(['other.yaml']);
  });

  test('operands by their place', () => {
    expect(complete('route', 'P')).toEqual(['POST', 'PUT', 'PATCH']);
    expect(complete('route', 'GET', '')).toEqual([]);
    expect(complete('route', '-H', 'a: b', 'GET', '--output', '=', 'json', 'http://a/', 'oth')).toEqual(['other.yaml']);
    expect(complete('completion', 'f')).toEqual(['fish']);
    expect(complete('explain', 'ram')).toEqual(['ramjet.dev/endpoints']);
  });

  test('no such command', () => {
    expect(complete('nothing', '')).toEqual([]);
  });
});

describe.each(['zsh', 'fish'])('completion in %s', (shell) => {
  test('knows every command and option', async () => {
    const { code, stdout } = await ramjet(['completion', shell]);
    expect(code).toBe(0);
    for (const { name, options } of COMMANDS) {
      expect(stdout).toContain(name);
      for (const { long } of options) expect(stdout).toContain(shell === 'zsh' ? `--${long}` : `-l ${long}`);
    }
  });
});

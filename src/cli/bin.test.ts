import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const shop = readFileSync(new URL('./commands/fixtures/shop.yaml', import.meta.url), 'utf8');

function bin(args: readonly string[], input: string) {
  const { status, stdout } = spawnSync(process.execPath, ['bin/ramjet.mjs', ...args], { cwd: ROOT, input, encoding: 'utf8' });
  return { status, stdout };
}

test('the program checks what it is piped', () => {
  expect(bin(['check', '-'], shop)).toEqual({ status: 0, stdout: '4 objects (2 Ingresses served): 0 errors, 0 warnings, 0 notes\n' });
  const bad = bin(['check', '--output', 'json', '-'], shop.replace("'20'", "'much'"));
  expect(bad.status).toBe(1);
  expect(JSON.parse(bad.stdout).diagnostics[0]).toMatchObject({ code: 'InvalidAnnotation', file: 'stdin', line: 38 });
  expect(bin(['chekc'], '')).toEqual({ status: 2, stdout: '' });
});

test('a reader that has seen enough is no error', () => {
  const { status, stdout } = spawnSync(
    'bash',
    ['-c', 'set -o pipefail; "$0" bin/ramjet.mjs keys --output json | head -n 1', process.execPath],
    { cwd: ROOT, encoding: 'utf8' },
  );
  expect({ status, stdout }).toEqual({ status: 0, stdout: '[\n' });
});

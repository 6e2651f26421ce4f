import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ramjet } from '../testing/run.ts';

const FIXTURES = fileURLToPath(new URL('./fixtures/', import.meta.url));

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'ramjet-check-'));
  mkdirSync(join(folder, 'empty'));
  mkdirSync(join(folder, 'mixed'));
  writeFileSync(join(folder, 'mixed/binary.yaml'), Buffer.from([0xff, 0xfe, 0x00, 0xc3]));
  writeFileSync(join(folder, 'mixed/readme.txt'), 'not: [yaml');
  writeFileSync(
    join(folder, 'huge.yaml'),
    `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: big}\ndata: {text: "${'x'.repeat(8_000_000)}"}\n`,
  );
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('ramjet check', () => {
  test('text', async () => {
    const { code, stdout, stderr } = await ramjet(['check', 'faults.yaml'], { cwd: FIXTURES });
    expect({ code, stderr }).toEqual({ code: 1, stderr: '' });
    await expect(stdout).toMatchFileSnapshot('./fixtures/check.txt');
  });

  test('json', async () => {
    const { code, stdout } = await ramjet(['check', '--output', 'json', 'faults.yaml'], { cwd: FIXTURES });
    expect(code).toBe(1);
    const parsed = JSON.parse(stdout);
    expect(Object.keys(parsed)).toEqual(['objects', 'diagnostics']);
    for (const entry of parsed.diagnostics)
      expect(Object.keys(entry)).toEqual(['code', 'severity', 'object', 'field', 'file', 'line', 'message', 'hint']);
    for (const entry of parsed.objects) expect(Object.keys(entry)).toEqual(['kind', 'namespace', 'name', 'file', 'line', 'claimed']);
    await expect(stdout).toMatchFileSnapshot('./fixtures/check.json');
  });

  test('sarif', async () => {
    const { code, stdout } = await ramjet(['check', '--output', 'sarif', 'faults.yaml'], { cwd: FIXTURES });
    expect(code).toBe(1);
    const [run] = JSON.parse(stdout).runs;
    const rules = run.tool.driver.rules.map((rule: { id: string }) => rule.id);
    for (const result of run.results) expect(rules[result.ruleIndex]).toBe(result.ruleId);
    await expect(stdout.replace(/"version": "\d+\.\d+\.\d+[^"]*",\n(\s*)"rules"/, '"version": "VERSION",\n$1"rules"')).toMatchFileSnapshot(
      './fixtures/check.sarif.json',
    );
  });

  test('good manifests are no error, and each stdin is a file', async () => {
    const { code, stdout } = await ramjet(['check', 'shop.yaml'], { cwd: FIXTURES });
    expect({ code, stdout }).toEqual({ code: 0, stdout: '4 objects (2 Ingresses served): 0 errors, 0 warnings, 0 notes\n' });
    const piped = await ramjet(['check', '-', 'shop.yaml'], {
      cwd: FIXTURES,
      stdin: 'kind: Service\napiVersion: v1\nmetadata: {name: web, namespace: other}\nspec: {ports: [{port: 80}]}',
    });
    expect(piped.stdout).toContain('5 objects (2 Ingresses served)');
  });

  test('endpoints are assumed unless told otherwise', async () => {
    const { code, stdout } = await ramjet(['check', '--strict', '--no-assume-endpoints', 'shop.yaml'], { cwd: FIXTURES });
    expect(code).toBe(1);
    expect(stdout).toContain('warning CanaryEmpty Ingress shop/web-canary');
  });

  test('settings of serve count, from flags and from the environment', async () => {
    const said = (await ramjet(['check', '--ingress-class', 'mine', 'shop.yaml'], { cwd: FIXTURES })).stdout;
    expect(said).toContain('ClassUnknown');
    expect((await ramjet(['check', 'shop.yaml'], { cwd: FIXTURES, env: { RAMJET_INGRESS_CLASS: 'mine' } })).stdout).toBe(said);
  });

  test.each([
    [['empty'], 0, '0 objects (0 Ingresses served): 0 errors, 0 warnings, 0 notes\n', ''],
    [['mixed'], 2, 'mixed/binary.yaml error UnreadableDocument', ''],
    [['mixed/binary.yaml'], 2, 'it is not UTF-8', ''],
    [['huge.yaml'], 0, '1 object ', ''],
    [['none'], 2, '', 'error: none does not exist or can not be opened\n'],
    [['mixed', 'none'], 2, '', 'error: none does not exist or can not be opened\n'],
    [['/dev/null'], 2, 'it is neither a file nor a directory', ''],
  ])('%j ends with %i', async (paths, code, stdout, stderr) => {
    const ran = await ramjet(['check', ...paths], { cwd: folder });
    expect({ code: ran.code, stderr: ran.stderr }).toEqual({ code, stderr });
    expect(ran.stdout).toContain(stdout);
  });

  test.each([
    '\u0000',
    '{',
    '- - -',
    'a: &a [*a]',
    '\u001b[31m',
    '---\n---',
    'x'.repeat(1_000_000),
    'null',
    '[1, 2]',
    'kind: Ingress',
    `${'['.repeat(5_000)}`,
  ])('stdin %j does no harm', async (stdin) => {
    const { code, stdout } = await ramjet(['check', '-'], { stdin });
    expect(code).toBeLessThan(2);
    expect(stdout).toMatch(/served\): /);
    expect(stdout).not.toContain('\u001b');
  });

  test('colours are for terminals', async () => {
    const options = { cwd: FIXTURES, isTTY: true };
    expect((await ramjet(['check', 'faults.yaml'], options)).stdout).toContain('\u001b[31merror\u001b[0m');
    expect((await ramjet(['check', 'faults.yaml'], { ...options, env: { NO_COLOR: '1' } })).stdout).not.toContain('\u001b');
    expect((await ramjet(['check', '-o', 'json', 'faults.yaml'], options)).stdout).not.toContain('\u001b');
  });

  test('HAProxy takes what the shop compiles to', async () => {
    const { code, stdout } = await ramjet(['check', '--with-haproxy', 'shop.yaml'], { cwd: FIXTURES });
    expect({ code, stdout }).toEqual({ code: 0, stdout: '4 objects (2 Ingresses served): 0 errors, 0 warnings, 0 notes\n' });
    expect((await ramjet(['check', '--with-haproxy', '--haproxy', '/bin/true', 'shop.yaml'], { cwd: FIXTURES })).stderr).toContain(
      'is not a HAProxy that runs here',
    );
  });
});

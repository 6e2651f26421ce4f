import { describe, expect, test } from 'vitest';
import { registry } from './input.ts';
import { knownKeys } from './key-table.ts';
import { exampleValue } from './key-example.ts';
import { ramjet, ramjetJson } from '../testing/run.ts';

describe('ramjet keys', () => {
  test('json has exactly these fields', async () => {
    const rows = await ramjetJson(['keys', '--output', 'json']);
    if (!Array.isArray(rows)) throw new Error('not a list');
    expect(rows.length).toBeGreaterThan(400);
    for (const row of rows) {
      const fields =
        row.status === 'refused' ? ['key', 'dialect', 'feature', 'status', 'reason', 'instead'] : ['key', 'dialect', 'feature', 'status'];
      expect(Object.keys(row)).toEqual(fields);
      expect(['honoured', 'no-op', 'refused', 'pending']).toContain(row.status);
    }
    expect(new Set(rows.map((row) => row.key)).size).toBe(rows.length);
    expect(rows).toContainEqual({
      key: 'nginx.ingress.kubernetes.io/canary-weight',
      dialect: 'nginx',
      feature: 'canary',
      status: 'honoured',
    });
    expect(rows).toContainEqual({
      key: 'nginx.ingress.kubernetes.io/whitelist-source-range',
      dialect: 'nginx',
      feature: 'access',
      status: 'honoured',
    });
  });

  test('by dialect and status', async () => {
    const { stdout } = await ramjet(['keys', '--dialect', 'mse', '--status', 'honoured']);
    const [head, ...rows] = stdout.trimEnd().split('\n');
    expect(head).toMatch(/^KEY +DIALECT +FEATURE +STATUS$/);
    expect(rows.length).toBeGreaterThan(20);
    for (const row of rows) expect(row).toMatch(/^mse\.ingress\.kubernetes\.io\/\S+ +mse +\S+ +honoured$/);
  });

  test('nothing found is no error', async () => {
    expect(await ramjet(['keys', '--dialect', 'ramjet', '--status', 'refused'])).toEqual({
      code: 0,
      stdout: '',
      stderr: 'No keys found.\n',
    });
  });
});

describe('ramjet explain', () => {
  test('a whole key', async () => {
    const { code, stdout } = await ramjet(['explain', 'nginx.ingress.kubernetes.io/canary-weight']);
    expect(code).toBe(0);
    expect(stdout).toBe(
      [
        'nginx.ingress.kubernetes.io/canary-weight',
        '  Share of the requests that no rule decided.',
        '',
        '  Dialect:    nginx',
        '  Feature:    canary',
        '  Status:     honoured',
        '  Value:      whole number, 0 to the total',
        '  Default:    0',
        '  Bad value:  is reported and read as absent',
        '  Applies to: all rules of the object',
        '  Difference: The weights of several canaries add up and are capped at the whole; ingress-nginx uses the oldest canary only.',
        '  Example:    nginx.ingress.kubernetes.io/canary-weight: "10"',
        '',
      ].join('\n'),
    );
  });

  test('a bare name in every dialect that has it, by any prefix of a family', async () => {
    const dialects = await ramjetJson(['explain', 'canary-weight', '-o', 'json']);
    expect(dialects).toMatchObject([{ dialect: 'nginx' }, { dialect: 'mse' }, { dialect: 'haptic' }]);
    expect((await ramjet(['explain', 'higress.io/proxy-body-size'])).stdout).toMatch(/^higress\.io\/proxy-body-size\n/);
  });

  test('an alias names the key', async () => {
    expect((await ramjet(['explain', 'nginx.ingress.kubernetes.io/whitelist-source-range'])).stdout).toMatch(/Status: {5}honoured/);
  });

  test('a refused key says what to do instead', async () => {
    const { code, stdout } = await ramjet(['explain', 'nginx.ingress.kubernetes.io/add-base-url']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/Status: {5}refused: .*\n {2}Instead: {4}\S/);
  });

  test.each([
    ['canary-weigth', 'canary-weight'],
    ['haproxy-haptic.org/canary-weigth', 'haproxy-haptic.org/canary-weight'],
    ['nginx.ingress.kubernetes.io/', undefined],
    ['\u001b[31m', undefined],
    ['', undefined],
  ])('%j is unknown', async (key, near) => {
    const { code, stdout, stderr } = await ramjet(['explain', key]);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toBe(
      `error: ${JSON.stringify(key)} is not a key that Ramjet knows\n${near === undefined ? '' : `\nDid you mean this?\n\t${near}\n`}`,
    );
  });

  test('every key can be explained, and almost every honoured one has an example', async () => {
    const keys = knownKeys(registry());
    for (const { key } of keys.filter((_, index) => index % 10 === 0)) expect((await ramjet(['explain', key])).code, key).toBe(0);
    const honoured = keys.filter(({ status }) => status.is === 'honoured');
    const without = honoured.filter(({ entry }) => exampleValue(entry.spec) === undefined);
    expect(without.length, without.map(({ key }) => key).join(', ')).toBeLessThan(honoured.length / 10);
  });
});

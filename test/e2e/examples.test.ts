import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { Harness } from '../../src/testing/harness.ts';

/** Examples are served as they stand, with an echo endpoint behind every Service. */

const STABLE = 'production/app-v1';
const CANARY = 'production/app-v2';

describe('examples', () => {
  test('canary-weight: one request in ten', async () => {
    await serving('canary-weight', async (example) => expectShare(await example.count(2_000), 0.1, 2_000));
  });

  test('canary-weight-total: five requests in a thousand', async () => {
    await serving('canary-weight-total', async (example) => expectShare(await example.count(4_000), 0.005, 4_000));
  });

  test('canary-by-header: the value always and no other', async () => {
    await serving('canary-by-header', async ({ ask }) => {
      expect(await ask({ 'X-Canary': 'always' })).toBe(CANARY);
      expect(await ask({ 'X-Canary': 'never' })).toBe(STABLE);
      expect(await ask({})).toBe(STABLE);
    });
  });

  test('canary-by-header-pattern: every region that begins with ap-', async () => {
    await serving('canary-by-header-pattern', async ({ ask }) => {
      expect(await ask({ 'X-Region': 'ap-northeast-2' })).toBe(CANARY);
      expect(await ask({ 'X-Region': 'eu-west-1' })).toBe(STABLE);
      expect(await ask({})).toBe(STABLE);
    });
  });

  test('canary-by-cookie: always and never', async () => {
    await serving('canary-by-cookie', async ({ ask }) => {
      expect(await ask({ Cookie: 'lang=ko; canary-user=always' })).toBe(CANARY);
      expect(await ask({ Cookie: 'canary-user=never' })).toBe(STABLE);
      expect(await ask({ Cookie: 'canary-user=maybe' })).toBe(STABLE);
    });
  });

  test('canary-precedence: header, then cookie, then weight', async () => {
    await serving('canary-precedence', async ({ ask }) => {
      expect(await ask({ 'X-Canary': 'always', Cookie: 'canary-user=never' })).toBe(CANARY);
      expect(await ask({ 'X-Canary': 'never', Cookie: 'canary-user=always' })).toBe(STABLE);
      expect(await ask({ 'X-Canary': 'other', Cookie: 'canary-user=always' })).toBe(CANARY);
      expect(await ask({})).toBe(STABLE);
    });
  });

  test('canary-and-affinity: a session stays on its side', async () => {
    await serving('canary-and-affinity', async ({ harness, ask }) => {
      const sides = new Set<string>();
      for (let session = 0; session < 20; session += 1) {
        const first = await harness.send({ method: 'GET', url: 'http://app.example.com/' });
        const cookie = String(first.headers['set-cookie']).split(';')[0] ?? '';
        expect(cookie).toMatch(/^stable-route=/);
        const side = serviceOf(first.body);
        sides.add(side);
        for (let again = 0; again < 5; again += 1) expect(await ask({ Cookie: cookie })).toBe(side);
      }
      expect([...sides].sort()).toEqual([STABLE, CANARY]);
    });
  });
});

interface Example {
  readonly harness: Harness;
  /** Which Service answers a request with these headers. */
  ask(headers: Readonly<Record<string, string>>): Promise<string>;
  /** How many of so many requests the canary answers. */
  count(requests: number): Promise<number>;
}

async function serving(name: string, check: (example: Example) => Promise<void>): Promise<void> {
  const harness = await Harness.start(manifestsOf(name));
  try {
    expect(harness.compiled.diagnostics.filter((one) => one.severity !== 'info')).toEqual([]);
    const ask = async (headers: Readonly<Record<string, string>>) =>
      serviceOf((await harness.send({ method: 'GET', url: 'http://app.example.com/', headers })).body);
    await check({ harness, ask, count: (requests) => countCanary(ask, requests) });
  } finally {
    await harness.stop();
  }
}

function manifestsOf(name: string): string {
  const folder = fileURLToPath(new URL(`../../examples/${name}/`, import.meta.url));
  const files = readdirSync(folder).filter((file) => file.endsWith('.yaml'));
  return files.map((file) => readFileSync(`${folder}${file}`, 'utf8')).join('---\n');
}

async function countCanary(ask: Example['ask'], requests: number): Promise<number> {
  let hits = 0;
  for (let sent = 0; sent < requests; sent += 20) {
    const answers = await Promise.all(Array.from({ length: 20 }, () => ask({})));
    hits += answers.filter((service) => service === CANARY).length;
  }
  return hits;
}

function serviceOf(body: string): string {
  const echo: unknown = JSON.parse(body);
  return typeof echo === 'object' && echo !== null && 'service' in echo ? String(echo.service) : '';
}

/** Within four standard deviations: one false alarm in 16,000 runs. */
function expectShare(hits: number, share: number, requests: number): void {
  expect(Math.abs(hits - share * requests)).toBeLessThanOrEqual(4 * Math.sqrt(requests * share * (1 - share)) + 1);
}

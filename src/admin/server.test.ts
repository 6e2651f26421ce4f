import { expect, test } from 'vitest';
import { adminApp, type AdminParts } from './server.ts';

function parts(overrides: Partial<AdminParts> = {}): AdminParts {
  return {
    state: () => ({ model: undefined, diagnostics: [], ready: true }),
    generations: () => [{ number: 1 }],
    metrics: () => Promise.resolve({ text: 'ramjet_generation 1\n', contentType: 'text/plain; version=0.0.4' }),
    counters: () => Promise.resolve(new Map()),
    accepting: () => true,
    ...overrides,
  };
}

test('readiness needs a served model and a Ramjet that goes on', async () => {
  expect((await adminApp(parts()).request('/readyz')).status).toBe(200);
  expect((await adminApp(parts({ accepting: () => false })).request('/readyz')).status).toBe(503);
  expect((await adminApp(parts({ state: () => ({ model: undefined, diagnostics: [], ready: false }) })).request('/readyz')).status).toBe(
    503,
  );
  expect((await adminApp(parts({ accepting: () => false })).request('/healthz')).status).toBe(200);
});

test('JSON, metrics and the page are served with their types; the page loads nothing from outside', async () => {
  const app = adminApp(parts());
  expect(await (await app.request('/admin/generations')).json()).toEqual([{ number: 1 }]);
  expect(await (await app.request('/admin/routes')).json()).toEqual([]);
  expect((await app.request('/metrics')).headers.get('content-type')).toContain('version=0.0.4');
  const page = await app.request('/');
  expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
  expect(await page.text()).not.toMatch(/https?:\/\//);
  expect((await app.request('/elsewhere')).status).toBe(404);
});

import { expect, test } from 'vitest';
import { driverOf } from '../../haproxy/driver.ts';
import { Planner } from '../../haproxy/plan/build.ts';
import type { Plan } from '../../haproxy/plan/plan.ts';
import { PLAN_DEFAULTS } from '../../haproxy/plan/settings.ts';
import { Secret } from '../../model/secret.ts';
import { compileText } from '../../testing/harness.ts';

function object(name: string, service: string, annotations: Readonly<Record<string, string>>): string {
  const prefixed = Object.fromEntries(
    Object.entries(annotations).map(([key, value]) => [`${key.includes('query') ? 'mse' : 'nginx'}.ingress.kubernetes.io/${key}`, value]),
  );
  const path = { path: '/', pathType: 'Prefix', backend: { service: { name: service, port: { number: 80 } } } };
  return JSON.stringify({
    apiVersion: 'networking.k8s.io/v1',
    kind: 'Ingress',
    metadata: { name, annotations: prefixed },
    spec: { rules: [{ host: 'app.example', http: { paths: [path] } }] },
  });
}

function service(name: string): string {
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name, annotations: { 'ramjet.dev/endpoints': '127.0.0.1:1' } },
    spec: { ports: [{ port: 80 }] },
  });
}

async function planWith(...canaries: readonly Readonly<Record<string, string>>[]): Promise<Plan> {
  const objects = canaries.map((annotations, index) => object(`canary-${index}`, 'v2', { canary: 'true', ...annotations }));
  const { model } = compileText([service('v1'), service('v2'), object('app', 'v1', {}), ...objects].join('\n---\n'));
  return new Planner(await driverOf(), PLAN_DEFAULTS, new Secret('')).plan(model);
}

/** Rows that differ between two plans, by table. */
function changedRows(before: Plan, after: Plan): readonly string[] {
  return [...after.maps].flatMap(([name, { entries }]) =>
    [...entries].filter(([key, value]) => before.maps.get(name)?.entries.get(key) !== value).map(() => name),
  );
}

test.each([
  ['weight', { 'canary-weight': '20' }],
  ['total', { 'canary-weight': '10', 'canary-weight-total': '1000' }],
  ['header name', { 'canary-by-header': 'X-Other', 'canary-weight': '10' }],
  ['header value', { 'canary-by-header': 'X-Canary', 'canary-by-header-value': 'blue', 'canary-weight': '10' }],
  ['pattern', { 'canary-by-header': 'X-Canary', 'canary-by-header-pattern': '^v[0-9]', 'canary-weight': '10' }],
  ['cookie', { 'canary-by-cookie': 'tester', 'canary-weight': '10' }],
  ['query', { 'canary-by-query': 'canary' }],
])('another %s changes one row and no structure', async (_, annotations) => {
  const before = await planWith({ 'canary-by-header': 'X-Canary', 'canary-weight': '10' });
  const after = await planWith(annotations);
  expect(after.structure.sections).toEqual(before.structure.sections);
  expect(after.structure.profiles).toEqual(before.structure.profiles);
  expect(after.structure.lua).toEqual(before.structure.lua);
  expect(changedRows(before, after)).toEqual(['canary']);
});

test('a second canary changes one row and no structure', async () => {
  const before = await planWith({ 'canary-weight': '10' });
  const after = await planWith({ 'canary-weight': '10' }, { 'canary-weight': '10' });
  expect(after.structure.sections).toEqual(before.structure.sections);
  expect(changedRows(before, after)).toEqual(['canary']);
});

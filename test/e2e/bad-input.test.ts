import { expect, test } from 'vitest';
import { compile } from '../../src/compiler/compile.ts';
import { COMPILE_DEFAULTS } from '../../src/compiler/settings.ts';
import { registryOf } from '../../src/features/contract/registry.ts';
import { FEATURES } from '../../src/features/features.generated.ts';
import { snapshotOf } from '../../src/objects/snapshot.ts';
import { readManifestText } from '../../src/sources/manifests/read.ts';
import { Harness } from '../../src/testing/harness.ts';
import { ingressYaml } from '../../src/testing/daemon.ts';

const SERVICE = 'apiVersion: v1\nkind: Service\nmetadata: { name: web }\nspec: { ports: [{ port: 80 }] }\n';

test('thousands of claims to one path: the oldest serves, every other is told who holds it', () => {
  const claims = Array.from({ length: 5_000 }, (_, index) => {
    const text = ingressYaml(`claim-${index}`, 'one.example', 'web');
    return text.replace('metadata: {', `metadata: { creationTimestamp: '2026-01-01T00:00:${String(59 - (index % 60)).padStart(2, '0')}Z',`);
  });
  const { objects } = readManifestText([SERVICE, ...claims].join('---\n'), 'claims.yaml');
  const { model, diagnostics } = compile(snapshotOf(objects), { ...COMPILE_DEFAULTS, withoutClass: true }, registryOf(FEATURES));
  expect(model.routes.map((route) => route.origin.name)).toEqual(['claim-1019']);
  const conflicts = diagnostics.filter((entry) => entry.code === 'RouteConflict');
  expect(conflicts).toHaveLength(4_999);
  expect(conflicts.every((entry) => entry.message.includes('Ingress default/claim-1019'))).toBe(true);
});

test('names that look like configuration are names, and their neighbours are served', async () => {
  const words = ['backend', 'frontend', 'global', 'defaults', 'server', 'main', 'status-404', 'http-request', 'peers', 'agent'];
  const objects = words.flatMap((word) => [SERVICE.replace('name: web', `name: ${word}`), ingressYaml(word, `${word}.example`, word)]);
  const odd = ['"quoted"', 'with space', '-dash', 'a'.repeat(300), '../../etc', 'x\ty', '${HOME}', '%[src]'].map((name, index) =>
    ingressYaml(`odd-${index}`, 'odd.example', 'web')
      .replace('odd.example', 'neighbour.example')
      .replace(/backend: \{ service: \{ name: web/, `backend: { service: { name: ${JSON.stringify(name)}`)
      .replace('path: /', `path: /odd-${index}`),
  );
  const harness = await Harness.start([SERVICE, ...objects, ...odd, ingressYaml('neighbour', 'neighbour.example', 'web')].join('---\n'));
  try {
    for (const word of words) {
      const response = await harness.send({ method: 'GET', url: `http://${word}.example/` });
      expect(JSON.parse(response.body)).toMatchObject({ service: `default/${word}` });
    }
    expect((await harness.send({ method: 'GET', url: 'http://neighbour.example/' })).status).toBe(200);
  } finally {
    await harness.stop();
  }
});

test.each([
  '',
  '\u0000',
  '[',
  '{{ .Values.x }}',
  '- a\n- b',
  'kind: Ingress',
  'apiVersion: v1\nkind: Service\nmetadata: 7',
  `a: ${'['.repeat(2_000)}`,
])('an unreadable document %j is no crash', (text) => {
  const { objects, diagnostics } = readManifestText(`${text}\n---\n${SERVICE}`, 'odd.yaml');
  expect(() => compile(snapshotOf(objects, diagnostics), COMPILE_DEFAULTS, registryOf(FEATURES))).not.toThrow();
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseObject } from './parse.ts';

const KINDS = [
  ['networking.k8s.io/v1', 'Ingress'],
  ['extensions/v1beta1', 'Ingress'],
  ['networking.k8s.io/v1', 'IngressClass'],
  ['v1', 'Service'],
  ['discovery.k8s.io/v1', 'EndpointSlice'],
  ['v1', 'Endpoints'],
  ['v1', 'Secret'],
  ['v1', 'ConfigMap'],
  ['v1', 'Namespace'],
  ['v1', 'List'],
] as const;

const WORDS = [
  'apiVersion',
  'kind',
  'metadata',
  'name',
  'namespace',
  'annotations',
  'labels',
  'spec',
  'rules',
  'host',
  'http',
  'paths',
  'path',
  'pathType',
  'backend',
  'service',
  'port',
  'number',
  'serviceName',
  'servicePort',
  'tls',
  'hosts',
  'secretName',
  'ports',
  'targetPort',
  'subsets',
  'addresses',
  'ip',
  'endpoints',
  'data',
  'stringData',
  'items',
  'controller',
  '__proto__',
  'constructor',
];

/** Any JSON, with the words of Kubernetes where keys are. */
const json = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 6, depthSize: 'small' },
    fc.constantFrom<unknown>(null, true, 0, -1, 80, 1e308, Number.NaN, '', 'a', '80', '/', '\0', '__proto__'),
    fc.string(),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(fc.oneof(fc.constantFrom(...WORDS), fc.string()), tie('value'), { maxKeys: 5 }),
  ),
})).value;

const backend = { service: { name: 'web', port: { number: 80 } } };
const VALID: readonly object[] = [
  {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'Ingress',
    metadata: { name: 'web', annotations: { a: 'b' } },
    spec: {
      defaultBackend: backend,
      rules: [{ host: 'a.example', http: { paths: [{ path: '/', pathType: 'Prefix', backend }] } }],
      tls: [{ hosts: ['a.example'], secretName: 's' }],
    },
  },
  {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'web' },
    spec: { type: 'ClusterIP', ports: [{ name: 'http', port: 80, targetPort: 'web' }] },
  },
  {
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: { name: 'web', labels: { 'kubernetes.io/service-name': 'web' } },
    addressType: 'IPv4',
    ports: [{ port: 1 }],
    endpoints: [{ addresses: ['10.0.0.1'], conditions: { ready: true } }],
  },
  { apiVersion: 'v1', kind: 'Endpoints', metadata: { name: 'web' }, subsets: [{ addresses: [{ ip: '10.0.0.1' }], ports: [{ port: 1 }] }] },
  { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'web' }, data: { a: 'YQ==' } },
];

/** The value with one place of it replaced; `at` picks the turning at each level. */
function mutate(value: unknown, at: readonly number[], replacement: unknown): unknown {
  const [turn, ...rest] = at;
  if (turn === undefined || typeof value !== 'object' || value === null) return replacement;
  if (Array.isArray(value)) {
    const target = turn % (value.length || 1);
    return value.map((item: unknown, index) => (index === target ? mutate(item, rest, replacement) : item));
  }
  const keys = Object.keys(value);
  const target = keys[turn % (keys.length || 1)];
  return Object.fromEntries(
    Object.entries(value).map(([key, item]: [string, unknown]) => [key, key === target ? mutate(item, rest, replacement) : item]),
  );
}

function checkSound(raw: unknown): void {
  const { objects, diagnostics } = parseObject(raw);
  for (const object of objects) {
    expect(object.metadata.name).not.toBe('');
    expect(object.metadata.name).not.toMatch(/[/\s]/);
  }
  if (objects.length === 0 && typeof raw !== 'object') expect(diagnostics.length).toBeGreaterThan(0);
  for (const { message } of diagnostics) expect(message).not.toMatch(/[\n\0]/);
}

describe('parseObject never throws', () => {
  it('on any JSON', () => {
    fc.assert(
      fc.property(json, (raw) => checkSound(raw)),
      { numRuns: 1000 },
    );
  });

  it('on any body under a kind it reads', () => {
    const object = fc.tuple(fc.constantFrom(...KINDS), json, json, json).map(([[apiVersion, kind], spec, data, annotations]) => ({
      apiVersion,
      kind,
      metadata: { name: 'x', annotations, labels: data },
      spec,
      data,
      stringData: spec,
      subsets: data,
      endpoints: spec,
      ports: data,
      items: spec,
    }));
    fc.assert(
      fc.property(object, (raw) => checkSound(raw)),
      { numRuns: 2000 },
    );
  });

  it('on mutations of valid objects', () => {
    const mutated = fc.tuple(fc.constantFrom(...VALID), fc.array(fc.nat(20), { maxLength: 9 }), json);
    fc.assert(
      fc.property(mutated, ([object, at, replacement]) => checkSound(mutate(object, at, replacement))),
      { numRuns: 3000 },
    );
  });
});

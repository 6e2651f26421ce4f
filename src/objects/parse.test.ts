import { describe, expect, it } from 'vitest';
import { parseObject, type ParseResult } from './parse.ts';
import type { KubeObject, ObjectKind } from './types.ts';

function codes(result: ParseResult): readonly string[] {
  return result.diagnostics.map((problem) => problem.code);
}

function one<K extends ObjectKind>(result: ParseResult, kind: K): Extract<KubeObject, { kind: K }> {
  const [object] = result.objects;
  if (result.objects.length !== 1 || object === undefined || !isKind(object, kind))
    throw new Error(`No single ${kind} in ${JSON.stringify(result)}`);
  return object;
}

function isKind<K extends ObjectKind>(object: KubeObject, kind: K): object is Extract<KubeObject, { kind: K }> {
  return object.kind === kind;
}

describe('parseObject: what it does not read', () => {
  it.each([
    ['Rollout', 'argoproj.io/v1alpha1', 'read by Argo'],
    ['HTTPRoute', 'gateway.networking.k8s.io/v1', 'later version'],
    ['IngressRoute', 'traefik.io/v1alpha1', 'later version'],
    ['HTTPProxy', 'projectcontour.io/v1', 'later version'],
    ['Canary', 'flagger.app/v1beta1', 'read by Flagger'],
    ['Deployment', 'apps/v1', 'no use'],
    ['Ingress', 'config.openshift.io/v1', 'no use'],
    ['Service', 'serving.knative.dev/v1', 'no use'],
  ])('passes over %s of %s with one info', (kind, apiVersion, words) => {
    const result = parseObject({ apiVersion, kind, metadata: { name: 'x', namespace: 'shop' } });
    expect(result.objects).toEqual([]);
    expect(result.diagnostics).toMatchObject([{ code: 'UnknownKind', severity: 'info', origin: { kind, namespace: 'shop', name: 'x' } }]);
    expect(result.diagnostics[0]?.message).toContain(words);
  });

  it('passes over a document that is no Kubernetes object', () => {
    expect(codes(parseObject({ replicaCount: 1 }))).toEqual(['UnknownKind']);
  });

  it.each([[null], [undefined], ['apiV'], [3], [true], [[{ kind: 'Ingress' }]], [() => 1], [Symbol('x')], [1n]])('refuses %s', (raw) => {
    const result = parseObject(raw);
    expect(result.objects).toEqual([]);
    expect(codes(result)).toEqual(['InvalidObject']);
  });

  it('says which version a kind of ours belongs to', () => {
    const result = parseObject({ apiVersion: 'apps/v1', kind: 'Ingress', metadata: { name: 'x' } });
    expect(codes(result)).toEqual(['InvalidObject']);
    expect(result.diagnostics[0]?.message).toContain('networking.k8s.io/v1');
    expect(codes(parseObject({ kind: 'Service', metadata: { name: 'x' } }))).toEqual(['InvalidObject']);
    expect(codes(parseObject({ apiVersion: 'v1', metadata: { name: 'x' } }))).toEqual(['InvalidObject']);
  });
});

describe('parseObject: Lists', () => {
  const service = (name: string): unknown => ({ apiVersion: 'v1', kind: 'Service', metadata: { name }, spec: { ports: [{ port: 80 }] } });

  it('flattens them and gives each item a version of its own', () => {
    const { objects, diagnostics } = parseObject(
      { apiVersion: 'v1', kind: 'List', items: [service('a'), service('b')] },
      { resourceVersion: 'r' },
    );
    expect(objects.map(({ metadata }) => [metadata.name, metadata.resourceVersion])).toEqual([
      ['a', 'r.0'],
      ['b', 'r.1'],
    ]);
    expect(diagnostics).toEqual([]);
  });

  it('lets items of a typed list leave out their kind', () => {
    const items = [{ metadata: { name: 'a' }, spec: { rules: [] } }];
    expect(one(parseObject({ apiVersion: 'networking.k8s.io/v1', kind: 'IngressList', items }), 'Ingress').metadata.name).toBe('a');
  });

  it('keeps the good items, and says an unknown kind once', () => {
    const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p' } };
    const result = parseObject({ apiVersion: 'v1', kind: 'List', items: [pod, null, service('a'), pod, pod] });
    expect(result.objects).toHaveLength(1);
    expect(codes(result)).toEqual(['UnknownKind', 'InvalidObject']);
  });

  it('takes an empty one, refuses one that is none, and ends at nested ones', () => {
    expect(parseObject({ apiVersion: 'v1', kind: 'List' })).toMatchObject({ objects: [], diagnostics: [] });
    expect(codes(parseObject({ apiVersion: 'v1', kind: 'List', items: {} }))).toEqual(['InvalidObject']);
    let nested: unknown = { apiVersion: 'v1', kind: 'List', items: [] };
    for (let level = 0; level < 50; level += 1) nested = { apiVersion: 'v1', kind: 'List', items: [nested] };
    expect(codes(parseObject(nested))).toEqual(['InvalidObject']);
  });
});

describe('parseObject: metadata', () => {
  const parse = (metadata: unknown): ParseResult => parseObject({ apiVersion: 'v1', kind: 'ConfigMap', metadata });

  it('fills in what files leave out', () => {
    expect(one(parse({ name: 'a' }), 'ConfigMap').metadata).toEqual({
      namespace: 'default',
      name: 'a',
      uid: '',
      resourceVersion: '',
      generation: 0,
      createdAt: 0,
      labels: {},
      annotations: {},
    });
  });

  it('reads what the API server gives, and prefers its version to the source’s', () => {
    const metadata = {
      namespace: 'shop',
      name: 'a',
      uid: 'u',
      resourceVersion: '7',
      generation: 3,
      creationTimestamp: '2024-01-02T03:04:05Z',
      labels: { app: 'a' },
    };
    const result = parseObject({ apiVersion: 'v1', kind: 'ConfigMap', metadata }, { resourceVersion: 'hash' });
    expect(one(result, 'ConfigMap').metadata).toMatchObject({
      uid: 'u',
      resourceVersion: '7',
      generation: 3,
      createdAt: Date.UTC(2024, 0, 2, 3, 4, 5),
      labels: { app: 'a' },
    });
    expect(result.diagnostics).toEqual([]);
  });

  it.each([[undefined], [{}], [{ name: '' }], [{ name: null }], [[]], ['x'], [{ generateName: 'x-' }]])(
    'refuses an object without a name: %j',
    (metadata) => {
      expect(parse(metadata)).toMatchObject({ objects: [], diagnostics: [{ code: 'InvalidObject' }] });
    },
  );

  it.each([['a/b'], ['../etc'], ['a b'], ['a\nb'], ['__proto__'], ['a'.repeat(254)], ['a..b'], ['{{ name }}']])(
    'refuses the name %j',
    (name) => {
      expect(parse({ name })).toMatchObject({ objects: [], diagnostics: [{ code: 'InvalidObject' }] });
    },
  );

  it('uses names that only Kubernetes minds, and says so', () => {
    const result = parse({ name: 'My_App' });
    expect(one(result, 'ConfigMap').metadata.name).toBe('My_App');
    expect(codes(result)).toEqual(['ToleratedValue']);
    expect(one(parse({ name: 123 }), 'ConfigMap').metadata.name).toBe('123');
  });

  it('reports a creation time that is none', () => {
    expect(codes(parse({ name: 'a', creationTimestamp: 'yesterday' }))).toEqual(['InvalidObject']);
    expect(codes(parse({ name: 'a', creationTimestamp: null }))).toEqual([]);
  });

  it('takes annotation values of other types by their text', () => {
    const result = parse({ name: 'a', annotations: { a: true, b: 20, c: null, d: 'x', e: ['y'], f: { g: 1 } } });
    expect(one(result, 'ConfigMap').metadata.annotations).toEqual({ a: 'true', b: '20', c: '', d: 'x', e: '["y"]', f: '{"g":1}' });
    expect(codes(result)).toEqual(['ToleratedValue', 'ToleratedValue', 'ToleratedValue', 'ToleratedValue']);
    expect(result.diagnostics[0]?.origin.field).toBe('metadata.annotations["a"]');
  });

  it('leaves out keys that can not be, and is not fooled by names of the prototype', () => {
    const annotations: unknown = JSON.parse('{"__proto__": "x", "constructor": "y", "a b": "z", "ok.io/k": "v", "k ": "w"}');
    const result = parse({ name: 'a', annotations });
    const { metadata } = one(result, 'ConfigMap');
    expect(Object.keys(metadata.annotations)).toEqual(['constructor', 'ok.io/k']);
    expect(metadata.labels['toString']).toBeUndefined();
    expect(codes(result)).toEqual(['InvalidObject', 'InvalidObject', 'InvalidObject']);
  });

  it('refuses an object whose annotations are none: served without them it might be served without its access rules', () => {
    expect(parse({ name: 'a', annotations: ['auth-url'] })).toMatchObject({ objects: [], diagnostics: [{ code: 'InvalidObject' }] });
    expect(parse({ name: 'a', labels: 'x' }).objects).toHaveLength(1);
  });
});

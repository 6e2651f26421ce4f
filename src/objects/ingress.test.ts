import { describe, expect, it } from 'vitest';
import { parseObject } from './parse.ts';
import type { Ingress } from './types.ts';

interface Parsed {
  readonly ingress: Ingress | undefined;
  readonly codes: readonly string[];
  readonly fields: readonly (string | undefined)[];
}

function parse(spec: unknown, apiVersion = 'networking.k8s.io/v1'): Parsed {
  const { objects, diagnostics } = parseObject({ apiVersion, kind: 'Ingress', metadata: { name: 'web' }, spec });
  const [first] = objects;
  return {
    ingress: first?.kind === 'Ingress' ? first : undefined,
    codes: diagnostics.map(({ code }) => code),
    fields: diagnostics.map(({ origin }) => origin.field),
  };
}

const service = { service: { name: 'web', port: { number: 80 } } };
const good = { path: '/', pathType: 'Prefix', backend: service };

function withPaths(...paths: unknown[]): unknown {
  return { rules: [{ host: 'a.example', http: { paths } }] };
}

describe('Ingress', () => {
  it('is read in full', () => {
    const { ingress, codes } = parse({
      ingressClassName: 'ramjet',
      defaultBackend: service,
      rules: [
        {
          host: 'a.example',
          http: { paths: [good, { path: '/x', pathType: 'Exact', backend: { service: { name: 'x', port: { name: 'http' } } } }] },
        },
        { http: { paths: [good] } },
      ],
      tls: [{ hosts: ['a.example'], secretName: 'cert' }, { hosts: ['b.example'] }],
    });
    expect(codes).toEqual([]);
    expect(ingress?.spec).toEqual({
      ingressClassName: 'ramjet',
      defaultBackend: { service: { name: 'web', port: 80 } },
      rules: [
        {
          host: 'a.example',
          paths: [
            { path: '/', pathType: 'Prefix', backend: { service: { name: 'web', port: 80 } } },
            { path: '/x', pathType: 'Exact', backend: { service: { name: 'x', port: 'http' } } },
          ],
        },
        { paths: [{ path: '/', pathType: 'Prefix', backend: { service: { name: 'web', port: 80 } } }] },
      ],
      tls: [{ hosts: ['a.example'], secretName: 'cert' }, { hosts: ['b.example'] }],
    });
  });

  it.each([['extensions/v1beta1'], ['networking.k8s.io/v1beta1']])('of %s is converted', (apiVersion) => {
    const { ingress, codes } = parse(
      {
        backend: { serviceName: 'd', servicePort: 'http' },
        rules: [{ http: { paths: [{ backend: { serviceName: 'web', servicePort: 80 } }] } }],
      },
      apiVersion,
    );
    expect(codes).toEqual(['ConvertedVersion']);
    expect(ingress?.spec).toEqual({
      defaultBackend: { service: { name: 'd', port: 'http' } },
      rules: [{ paths: [{ path: '', pathType: 'ImplementationSpecific', backend: { service: { name: 'web', port: 80 } } }] }],
      tls: [],
    });
  });

  it('with the fields of the other version is understood, and that is said once', () => {
    const flat = { path: '/', pathType: 'Prefix', backend: { serviceName: 'web', servicePort: 80 } };
    expect(parse(withPaths(flat, flat)).codes).toEqual(['MixedSchema']);
    expect(parse(withPaths(flat)).ingress?.spec.rules[0]?.paths[0]?.backend).toEqual({ service: { name: 'web', port: 80 } });
    expect(parse(withPaths(good), 'extensions/v1beta1').codes).toEqual(['ConvertedVersion', 'MixedSchema']);
    expect(parse({ backend: service }).codes).toEqual(['MixedSchema']);
    expect(parse({ defaultBackend: { serviceName: 'web', servicePort: 80 } }, 'extensions/v1beta1').ingress?.spec.defaultBackend).toEqual({
      service: { name: 'web', port: 80 },
    });
  });

  it.each([
    ['exact', 'Exact'],
    ['PREFIX', 'Prefix'],
    ['implementationspecific', 'ImplementationSpecific'],
  ])('takes pathType %s as %s', (written, meant) => {
    const { ingress, codes } = parse(withPaths({ ...good, pathType: written }));
    expect(ingress?.spec.rules[0]?.paths[0]?.pathType).toBe(meant);
    expect(codes).toEqual(['ToleratedValue']);
  });

  it('takes a missing pathType as ImplementationSpecific and says so once', () => {
    const { ingress, codes } = parse(withPaths({ path: '/', backend: service }, { path: '/b', backend: service }));
    expect(ingress?.spec.rules[0]?.paths.map(({ pathType }) => pathType)).toEqual(['ImplementationSpecific', 'ImplementationSpecific']);
    expect(codes).toEqual(['ToleratedValue']);
  });

  it.each([
    ['nothing', null],
    ['a text', '/x'],
    ['an unknown pathType', { ...good, pathType: 'Regex' }],
    ['a path that is a list', { ...good, path: ['/'] }],
    ['no backend', { path: '/', pathType: 'Prefix' }],
    ['an empty backend', { ...good, backend: {} }],
    ['a backend without a port', { ...good, backend: { service: { name: 'web' } } }],
    ['a backend without a name', { ...good, backend: { service: { port: { number: 80 } } } }],
    ['a port out of range', { ...good, backend: { service: { name: 'web', port: { number: 70000 } } } }],
    ['a huge port', { ...good, backend: { service: { name: 'web', port: { number: 1e308 } } } }],
    ['a port of zero', { ...good, backend: { serviceName: 'web', servicePort: 0 } }],
    ['a Service name with a slash', { ...good, backend: { service: { name: 'other/web', port: { number: 80 } } } }],
  ])('loses only the path that has %s', (_name, path) => {
    const { ingress, codes, fields } = parse(withPaths(path, good));
    expect(ingress?.spec.rules[0]?.paths).toHaveLength(1);
    expect(codes).toContain('InvalidObject');
    expect(fields[0]).toMatch(/^spec\.rules\[0\]\.http\.paths\[0\]/);
  });

  it.each([
    ['port: 80', { name: 'web', port: 80 }, 80],
    ['port: http', { name: 'web', port: 'http' }, 'http'],
    ['number: "80"', { name: 'web', port: { number: '80' } }, 80],
    ['number: http', { name: 'web', port: { number: 'http' } }, 'http'],
    ['name: 80', { name: 'web', port: { name: 80 } }, 80],
    ['name: "80"', { name: 'web', port: { name: '80' } }, 80],
  ])('understands %s', (_name, written, port) => {
    const { ingress, codes } = parse(withPaths({ ...good, backend: { service: written } }));
    expect(ingress?.spec.rules[0]?.paths[0]?.backend).toEqual({ service: { name: 'web', port } });
    expect(new Set(codes)).toEqual(new Set(['ToleratedValue']));
  });

  it('keeps a resource backend for later stages to report', () => {
    const { ingress, codes } = parse(withPaths({ ...good, backend: { resource: { apiGroup: 'k8s.example', kind: 'Bucket', name: 'b' } } }));
    expect(ingress?.spec.rules[0]?.paths[0]?.backend).toEqual({ resource: { kind: 'Bucket', name: 'b' } });
    expect(codes).toEqual([]);
  });

  it('lower-cases hosts', () => {
    const { ingress, codes } = parse({ rules: [{ host: 'A.Example' }], tls: [{ hosts: ['A.example'] }] });
    expect(ingress?.spec).toEqual({ rules: [{ host: 'a.example', paths: [] }], tls: [{ hosts: ['a.example'] }] });
    expect(codes).toEqual(['ToleratedValue', 'ToleratedValue']);
  });

  it('never turns a rule with an unreadable host into one for any host', () => {
    const { ingress, codes } = parse({
      rules: [
        { host: ['a'], http: { paths: [good] } },
        { host: { a: 1 }, http: { paths: [good] } },
        { host: '', http: { paths: [good] } },
      ],
    });
    expect(ingress?.spec.rules).toEqual([{ paths: [expect.anything()], index: 2 }]);
    expect(codes).toEqual(['InvalidObject', 'InvalidObject']);
  });

  it('loses only the bad rule, TLS entry, host and default backend', () => {
    const { ingress, codes } = parse({
      defaultBackend: {},
      rules: ['x', null, { http: { paths: {} } }, { http: 3 }],
      tls: [null, 7, { hosts: [{}, 'a.example'], secretName: 'a/b' }, { hosts: 'B.example' }],
    });
    expect(ingress?.spec).toEqual({
      rules: [
        { paths: [], index: 2 },
        { paths: [], index: 3 },
      ],
      tls: [
        { hosts: ['a.example'], index: 2 },
        { hosts: ['b.example'], index: 3 },
      ],
    });
    expect(codes.filter((code) => code === 'InvalidObject')).toHaveLength(9);
  });

  it.each([[undefined], [null], ['x'], [[]]])('is refused with the spec %j', (spec) => {
    expect(parse(spec)).toMatchObject({ ingress: undefined, codes: ['InvalidObject'] });
  });
});

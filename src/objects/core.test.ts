import { describe, expect, it } from 'vitest';
import { parseObject } from './parse.ts';

interface Parsed {
  readonly objects: readonly unknown[];
  readonly codes: readonly string[];
}

function parse(apiVersion: string, kind: string, rest: object, metadata: object = {}): Parsed {
  const { objects, diagnostics } = parseObject({ apiVersion, kind, metadata: { name: 'web', ...metadata }, ...rest });
  return { objects, codes: diagnostics.map(({ code }) => code) };
}

describe('IngressClass', () => {
  it.each([
    ['networking.k8s.io/v1', []],
    ['networking.k8s.io/v1beta1', ['ConvertedVersion']],
  ])('of %s is read', (apiVersion, codes) => {
    const parsed = parse(
      apiVersion,
      'IngressClass',
      { spec: { controller: 'ramjet.dev/ingress' } },
      { namespace: 'ignored', annotations: { 'ingressclass.kubernetes.io/is-default-class': 'true' } },
    );
    expect(parsed.objects).toMatchObject([
      { kind: 'IngressClass', controller: 'ramjet.dev/ingress', isDefault: true, metadata: { namespace: '' } },
    ]);
    expect(parsed.codes).toEqual(codes);
  });

  it('takes an unquoted default mark', () => {
    const parsed = parse(
      'networking.k8s.io/v1',
      'IngressClass',
      { spec: { controller: 'x' } },
      { annotations: { 'ingressclass.kubernetes.io/is-default-class': true } },
    );
    expect(parsed).toMatchObject({ objects: [{ isDefault: true }], codes: ['ToleratedValue'] });
  });

  it.each([[{}], [{ spec: {} }], [{ spec: { controller: '' } }], [{ spec: 'x' }], [{ spec: { controller: [] } }]])(
    'is refused with %j',
    (rest) => {
      const parsed = parse('networking.k8s.io/v1', 'IngressClass', rest);
      expect(parsed.objects).toEqual([]);
      expect(new Set(parsed.codes)).toEqual(new Set(['InvalidObject']));
    },
  );
});

describe('Service', () => {
  it('is read with named, numbered and missing target ports', () => {
    const ports = [
      { name: 'http', port: 80, targetPort: 'web' },
      { port: 81, targetPort: 8081, protocol: 'UDP' },
      { port: 82, targetPort: 0, appProtocol: 'kubernetes.io/h2c' },
    ];
    expect(parse('v1', 'Service', { spec: { clusterIP: '10.0.0.1', ports } })).toMatchObject({
      objects: [
        {
          type: 'ClusterIP',
          clusterIPs: ['10.0.0.1'],
          ports: [
            { name: 'http', port: 80, targetPort: 'web', protocol: 'TCP' },
            { port: 81, targetPort: 8081, protocol: 'UDP' },
            { port: 82, targetPort: 82, protocol: 'TCP', appProtocol: 'kubernetes.io/h2c' },
          ],
        },
      ],
      codes: [],
    });
  });

  it('may be headless or external', () => {
    expect(parse('v1', 'Service', { spec: { clusterIP: 'None', clusterIPs: ['None'] } }).objects).toMatchObject([
      { clusterIPs: [], ports: [] },
    ]);
    expect(parse('v1', 'Service', { spec: { type: 'ExternalName', externalName: 'API.example.com' } }).objects).toMatchObject([
      { type: 'ExternalName', externalName: 'api.example.com' },
    ]);
  });

  it('loses only the bad port', () => {
    const ports = [
      { name: 'x' },
      null,
      'y',
      { port: 0 },
      { port: 80, targetPort: 'a b' },
      { port: 80, protocol: 'ICMP' },
      { port: '80', targetPort: '8080', protocol: 'tcp' },
    ];
    const parsed = parse('v1', 'Service', { spec: { ports } });
    expect(parsed.objects).toMatchObject([{ ports: [{ port: 80, targetPort: 8080, protocol: 'TCP' }] }]);
    expect(parsed.codes).toEqual([
      ...Array.from({ length: 6 }, () => 'InvalidObject'),
      'ToleratedValue',
      'ToleratedValue',
      'ToleratedValue',
    ]);
  });

  it('is refused without a spec or with an unknown type', () => {
    expect(parse('v1', 'Service', {})).toEqual({ objects: [], codes: ['InvalidObject'] });
    expect(parse('v1', 'Service', { spec: { type: 'Magic' } })).toEqual({ objects: [], codes: ['InvalidObject'] });
  });
});

describe('EndpointSlice', () => {
  const labels = { 'kubernetes.io/service-name': 'web' };

  it('is read with its conditions', () => {
    const endpoints = [
      { addresses: ['10.0.0.1'], zone: 'a', targetRef: { kind: 'Pod', name: 'web-1' } },
      { addresses: ['10.0.0.2'], conditions: { ready: false, serving: true, terminating: true }, targetRef: { kind: 'Node', name: 'n' } },
    ];
    const parsed = parse(
      'discovery.k8s.io/v1',
      'EndpointSlice',
      {
        addressType: 'IPv4',
        ports: [
          { name: '', port: 8080 },
          { name: 'g', port: 90, appProtocol: 'grpc' },
        ],
        endpoints,
      },
      { labels },
    );
    expect(parsed).toMatchObject({
      objects: [
        {
          service: 'web',
          addressType: 'IPv4',
          ports: [
            { name: '', port: 8080, protocol: 'TCP' },
            { name: 'g', port: 90, appProtocol: 'grpc' },
          ],
          endpoints: [
            { addresses: ['10.0.0.1'], ready: true, serving: true, terminating: false, zone: 'a', pod: 'web-1' },
            { addresses: ['10.0.0.2'], ready: false, serving: true, terminating: true },
          ],
        },
      ],
      codes: [],
    });
  });

  it('of v1beta1 has its zone elsewhere', () => {
    const endpoints = [{ addresses: ['10.0.0.1'], topology: { 'topology.kubernetes.io/zone': 'b' } }];
    expect(parse('discovery.k8s.io/v1beta1', 'EndpointSlice', { addressType: 'IP', endpoints }, { labels })).toMatchObject({
      objects: [{ addressType: 'IPv4', endpoints: [{ zone: 'b' }] }],
      codes: ['ConvertedVersion'],
    });
  });

  it('loses only the bad address, endpoint and port', () => {
    const endpoints = [{ addresses: ['10.0.0.300', '10.0.0.1'] }, { addresses: [] }, null, { addresses: ['::1'] }];
    const parsed = parse('discovery.k8s.io/v1', 'EndpointSlice', { addressType: 'IPv4', ports: [{}, { port: 1 }], endpoints }, { labels });
    expect(parsed.objects).toMatchObject([{ ports: [{ port: 1 }], endpoints: [{ addresses: ['10.0.0.1'] }] }]);
    expect(parsed.codes).toEqual(['InvalidObject', 'InvalidEndpoint', 'InvalidEndpoint', 'InvalidEndpoint', 'InvalidEndpoint']);
  });

  it('guesses a missing address type, and refuses an unknown one', () => {
    expect(parse('discovery.k8s.io/v1', 'EndpointSlice', { endpoints: [{ addresses: ['FD00::1'] }] }, { labels })).toMatchObject({
      objects: [{ addressType: 'IPv6', endpoints: [{ addresses: ['fd00::1'] }] }],
      codes: ['ToleratedValue'],
    });
    expect(parse('discovery.k8s.io/v1', 'EndpointSlice', { addressType: 'IPX' }, { labels })).toEqual({
      objects: [],
      codes: ['InvalidObject'],
    });
  });

  it('of nobody’s Service is passed over', () => {
    expect(parse('discovery.k8s.io/v1', 'EndpointSlice', { addressType: 'IPv4' })).toEqual({ objects: [], codes: ['UnknownKind'] });
  });
});

describe('Endpoints', () => {
  it('become a slice for each subset and family', () => {
    const subsets = [
      {
        addresses: [{ ip: '10.0.0.1', targetRef: { kind: 'Pod', name: 'p' } }, { ip: 'fd00::1' }],
        notReadyAddresses: [{ ip: '10.0.0.2' }],
        ports: [{ name: 'http', port: 8080 }],
      },
      { addresses: [{ ip: '10.0.0.3' }, { ip: 'x' }, {}], ports: [{ port: 9090 }] },
    ];
    const parsed = parse('v1', 'Endpoints', { subsets });
    expect(parsed.objects).toMatchObject([
      {
        kind: 'EndpointSlice',
        service: 'web',
        addressType: 'IPv4',
        metadata: { name: 'web:0:ipv4' },
        endpoints: [
          { addresses: ['10.0.0.1'], ready: true, pod: 'p' },
          { addresses: ['10.0.0.2'], ready: false },
        ],
      },
      {
        addressType: 'IPv6',
        metadata: { name: 'web:0:ipv6' },
        endpoints: [{ addresses: ['fd00::1'] }],
        ports: [{ name: 'http', port: 8080 }],
      },
      { addressType: 'IPv4', metadata: { name: 'web:1:ipv4' }, ports: [{ name: '', port: 9090 }] },
    ]);
    expect(parsed.codes).toEqual(['InvalidEndpoint', 'InvalidEndpoint']);
  });

  it('may be empty', () => {
    expect(parse('v1', 'Endpoints', {})).toEqual({ objects: [], codes: [] });
  });
});

describe('Secret, ConfigMap, Namespace', () => {
  it('decodes data and lets stringData win', () => {
    const { objects } = parse('v1', 'Secret', {
      type: 'kubernetes.io/tls',
      data: { 'tls.crt': 'YQ==', a: 'Yg==\n', empty: null },
      stringData: { a: 'ü' },
    });
    expect(objects).toMatchObject([
      {
        type: 'kubernetes.io/tls',
        data: new Map([
          ['tls.crt', new Uint8Array([97])],
          ['a', new Uint8Array([0xc3, 0xbc])],
          ['empty', new Uint8Array()],
        ]),
      },
    ]);
  });

  it('loses only the bad key, and never quotes a value', () => {
    const { objects, diagnostics } = parseObject({
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 's' },
      data: { a: 'geheim!', b: 'YQ=', c: {}, d: 'YQ==', 'x/y': 'YQ==' },
      stringData: { e: ['geheim'], f: 12 },
    });
    expect(objects).toMatchObject([
      {
        type: 'Opaque',
        data: new Map([
          ['d', new Uint8Array([97])],
          ['f', new TextEncoder().encode('12')],
        ]),
      },
    ]);
    expect(diagnostics.map(({ code }) => code)).toEqual([
      'InvalidObject',
      'InvalidObject',
      'InvalidObject',
      'InvalidObject',
      'InvalidObject',
      'ToleratedValue',
    ]);
    expect(JSON.stringify(diagnostics)).not.toContain('geheim');
  });

  it('reads ConfigMaps, with other scalars by their text', () => {
    expect(parse('v1', 'ConfigMap', { data: { a: 'b', n: 5, '..': 'x' } })).toMatchObject({
      objects: [{ data: { a: 'b', n: '5' } }],
      codes: ['ToleratedValue', 'InvalidObject'],
    });
  });

  it('reads Namespaces', () => {
    expect(parse('v1', 'Namespace', {}, { labels: { team: 'x' } })).toMatchObject({
      objects: [{ kind: 'Namespace', metadata: { namespace: '', name: 'web', labels: { team: 'x' } } }],
      codes: [],
    });
  });
});

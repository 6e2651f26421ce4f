import type { ConfigMap, EndpointSlice, Ingress, IngressBackend, IngressClass, KubeObject, KubeSecret, Metadata, PathType, Service, SliceEndpoint } from './types.ts';

/** Provisional: reads well-formed objects only. */
type Raw = Readonly<Record<string, unknown>>;
const rec = (value: unknown): Raw => (value !== null && typeof value === 'object' && !Array.isArray(value) ? (value as Raw) : {});
const list = (value: unknown): readonly Raw[] => (Array.isArray(value) ? value.map(rec) : []);
const str = (value: unknown): string | undefined => (typeof value === 'string' ? value : typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined);
const strings = (value: unknown): Record<string, string> => Object.fromEntries(Object.entries(rec(value)).map(([name, one]) => [name, str(one) ?? '']));
const opt = <K extends string, V>(name: K, value: V | undefined): { [P in K]?: V } => (value === undefined ? {} : ({ [name]: value } as { [P in K]?: V }));

function metadata(raw: Raw): Metadata {
  const meta = rec(raw['metadata']);
  return {
    namespace: str(meta['namespace']) ?? 'default',
    name: str(meta['name']) ?? '',
    uid: str(meta['uid']) ?? '',
    resourceVersion: str(meta['resourceVersion']) ?? '',
    generation: Number(meta['generation'] ?? 0),
    createdAt: Date.parse(str(meta['creationTimestamp']) ?? '') || 0,
    labels: strings(meta['labels']),
    annotations: strings(meta['annotations']),
  };
}

function backend(raw: Raw): IngressBackend {
  const service = rec(raw['service']);
  const port = rec(service['port']);
  return { service: { name: str(service['name']) ?? '', port: (port['number'] as number | undefined) ?? str(port['name']) ?? 80 } };
}

function ingress(raw: Raw): Ingress {
  const spec = rec(raw['spec']);
  return {
    kind: 'Ingress',
    metadata: metadata(raw),
    spec: {
      ...opt('ingressClassName', str(spec['ingressClassName'])),
      ...opt('defaultBackend', spec['defaultBackend'] === undefined ? undefined : backend(rec(spec['defaultBackend']))),
      rules: list(spec['rules']).map((rule) => ({
        ...opt('host', str(rule['host'])?.toLowerCase()),
        paths: list(rec(rule['http'])['paths']).map((path) => ({ path: str(path['path']) ?? '', pathType: (str(path['pathType']) ?? 'ImplementationSpecific') as PathType, backend: backend(rec(path['backend'])) })),
      })),
      tls: list(spec['tls']).map((entry) => ({ hosts: Array.isArray(entry['hosts']) ? entry['hosts'].map(String) : [], ...opt('secretName', str(entry['secretName'])) })),
    },
  };
}

function service(raw: Raw): Service {
  const spec = rec(raw['spec']);
  return {
    kind: 'Service',
    metadata: metadata(raw),
    type: (str(spec['type']) ?? 'ClusterIP') as Service['type'],
    ...opt('externalName', str(spec['externalName'])),
    clusterIPs: [],
    ports: list(spec['ports']).map((port) => ({
      ...opt('name', str(port['name'])),
      port: Number(port['port']),
      targetPort: (port['targetPort'] as string | number | undefined) ?? Number(port['port']),
      protocol: 'TCP' as const,
      ...opt('appProtocol', str(port['appProtocol'])),
    })),
  };
}

function slice(raw: Raw): EndpointSlice {
  const endpoints: SliceEndpoint[] = list(raw['endpoints']).map((one) => {
    const conditions = rec(one['conditions']);
    return {
      addresses: (one['addresses'] as string[] | undefined) ?? [],
      ready: conditions['ready'] !== false,
      serving: conditions['serving'] !== false,
      terminating: conditions['terminating'] === true,
      ...opt('zone', str(one['zone'])),
      ...opt('pod', str(rec(one['targetRef'])['name'])),
    };
  });
  const meta = metadata(raw);
  const ports = list(raw['ports']).map((port) => ({ name: str(port['name']) ?? '', port: Number(port['port']), protocol: 'TCP' as const }));
  return { kind: 'EndpointSlice', metadata: meta, service: meta.labels['kubernetes.io/service-name'] ?? meta.name, addressType: 'IPv4', ports, endpoints };
}

export function parseWellFormed(raw: unknown): readonly KubeObject[] {
  const object = rec(raw);
  const meta = metadata(object);
  switch (object['kind']) {
    case 'Ingress':
      return [ingress(object)];
    case 'Service':
      return [service(object)];
    case 'EndpointSlice':
      return [slice(object)];
    case 'IngressClass': {
      const found: IngressClass = { kind: 'IngressClass', metadata: meta, controller: str(rec(object['spec'])['controller']) ?? '', isDefault: meta.annotations['ingressclass.kubernetes.io/is-default-class'] === 'true' };
      return [found];
    }
    case 'Secret': {
      const data = new Map<string, Uint8Array>();
      for (const [name, value] of Object.entries(strings(object['data']))) data.set(name, Buffer.from(value, 'base64'));
      for (const [name, value] of Object.entries(strings(object['stringData']))) data.set(name, Buffer.from(value));
      const found: KubeSecret = { kind: 'Secret', metadata: meta, type: str(object['type']) ?? 'Opaque', data };
      return [found];
    }
    case 'ConfigMap': {
      const found: ConfigMap = { kind: 'ConfigMap', metadata: meta, data: strings(object['data']) };
      return [found];
    }
    case 'Namespace':
      return [{ kind: 'Namespace', metadata: meta }];
    default:
      return [];
  }
}

import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import type { ConfigMap, EndpointSlice, Ingress, IngressClass, KubeObject, KubeSecret, Namespace, Service } from './types.ts';

/** `namespace/name`, the key of every namespaced table. */
export type ObjectKey = string;

export function objectKey(namespace: string, name: string): ObjectKey {
  return `${namespace}/${name}`;
}

/**
 * Everything the compiler may look at, frozen at one moment. An object that did not change keeps its
 * identity from one snapshot to the next; the compiler's memory depends on that.
 */
export interface Snapshot {
  readonly ingresses: readonly Ingress[];
  readonly ingressClasses: ReadonlyMap<string, IngressClass>;
  readonly services: ReadonlyMap<ObjectKey, Service>;
  /** By the key of their Service. */
  readonly endpointSlices: ReadonlyMap<ObjectKey, readonly EndpointSlice[]>;
  readonly secrets: ReadonlyMap<ObjectKey, KubeSecret>;
  readonly configMaps: ReadonlyMap<ObjectKey, ConfigMap>;
  readonly namespaces: ReadonlyMap<string, Namespace>;
  /** Addresses of the DNS names that Services refer to (ExternalName, `ramjet.dev/endpoints`); the source resolves them. */
  readonly addresses: ReadonlyMap<string, readonly string[]>;
  /** What the source itself had to say: unreadable documents, unknown kinds, converted versions. */
  readonly diagnostics: readonly Diagnostic[];
}

/** Builds a snapshot from parsed objects. A later object with the same kind, namespace and name is the caller's to refuse. */
export function snapshotOf(
  objects: Iterable<KubeObject>,
  diagnostics: readonly Diagnostic[] = [],
  addresses: Snapshot['addresses'] = new Map(),
): Snapshot {
  const ingresses: Ingress[] = [];
  const ingressClasses = new Map<string, IngressClass>();
  const services = new Map<ObjectKey, Service>();
  const endpointSlices = new Map<ObjectKey, EndpointSlice[]>();
  const secrets = new Map<ObjectKey, KubeSecret>();
  const configMaps = new Map<ObjectKey, ConfigMap>();
  const namespaces = new Map<string, Namespace>();
  for (const object of objects) {
    const { namespace, name } = object.metadata;
    switch (object.kind) {
      case 'Ingress':
        ingresses.push(object);
        break;
      case 'IngressClass':
        ingressClasses.set(name, object);
        break;
      case 'Service':
        services.set(objectKey(namespace, name), object);
        break;
      case 'EndpointSlice': {
        const key = objectKey(namespace, object.service);
        const slices = endpointSlices.get(key);
        if (slices) slices.push(object);
        else endpointSlices.set(key, [object]);
        break;
      }
      case 'Secret':
        secrets.set(objectKey(namespace, name), object);
        break;
      case 'ConfigMap':
        configMaps.set(objectKey(namespace, name), object);
        break;
      case 'Namespace':
        namespaces.set(name, object);
        break;
    }
  }
  return { ingresses, ingressClasses, services, endpointSlices, secrets, configMaps, namespaces, addresses, diagnostics };
}

import { diagnostic, type Diagnostic, quote } from '../diagnostics/diagnostic.ts';
import { shortDigest } from '../model/identity.ts';
import type { Backend, BackendId } from '../model/model.ts';
import type { Origin } from '../model/origin.ts';
import type { BackendPolicies } from '../model/policies.ts';
import { objectKey, type Snapshot } from '../objects/snapshot.ts';
import type { EndpointSlice, Service, ServiceReference } from '../objects/types.ts';
import { serviceEndpoints, type ServiceLookup } from '../resources/core/endpoints.ts';

interface EndpointMemory {
  readonly slices: readonly EndpointSlice[] | undefined;
  readonly addresses: Snapshot['addresses'];
  readonly byPort: Map<string | number, ServiceLookup>;
}

/** Endpoint lists by Service, kept while the Service, its slices and the resolved names are the same. */
export class EndpointMemoryTable {
  readonly #memory = new WeakMap<Service, EndpointMemory>();

  look(snapshot: Snapshot, namespace: string, reference: ServiceReference): ServiceLookup {
    const key = objectKey(namespace, reference.name);
    const service = snapshot.services.get(key);
    if (service === undefined) return { found: 'nothing' };
    const slices = snapshot.endpointSlices.get(key);
    let memory = this.#memory.get(service);
    if (!memory || !sameList(memory.slices, slices) || memory.addresses !== snapshot.addresses) {
      memory = { slices, addresses: snapshot.addresses, byPort: new Map() };
      this.#memory.set(service, memory);
    }
    const known = memory.byPort.get(reference.port);
    if (known) return known;
    const lookup = serviceEndpoints(snapshot, namespace, reference.name, reference.port);
    memory.byPort.set(reference.port, lookup);
    return lookup;
  }
}

function sameList<T>(a: readonly T[] | undefined, b: readonly T[] | undefined): boolean {
  if (a === b) return true;
  return a !== undefined && b !== undefined && a.length === b.length && a.every((item, index) => item === b[index]);
}

/** Collects the backends that routes ask for: one for each Service, port and set of backend policies. */
export class BackendTable {
  readonly diagnostics: Diagnostic[] = [];
  readonly #backends = new Map<BackendId, Backend>();
  readonly #reported = new Set<string>();
  readonly #snapshot: Snapshot;
  readonly #endpoints: EndpointMemoryTable;
  readonly #digests = new WeakMap<object, string>();

  constructor(snapshot: Snapshot, endpoints: EndpointMemoryTable) {
    this.#snapshot = snapshot;
    this.#endpoints = endpoints;
  }

  /** `undefined`: nothing can answer; said so in `diagnostics`. */
  request(namespace: string, reference: ServiceReference, policies: Partial<BackendPolicies>, origin: Origin, effect = 'the route answers 503'): Backend | undefined {
    const id = this.#idOf(namespace, reference, policies);
    const known = this.#backends.get(id);
    if (known) return known;
    const lookup = this.#endpoints.look(this.#snapshot, namespace, reference);
    switch (lookup.found) {
      case 'nothing':
        this.#say(diagnostic('ServiceMissing', origin, `There is no Service ${quote(`${namespace}/${reference.name}`)}; ${effect}.`));
        return undefined;
      case 'no-port':
        this.#say(diagnostic('ServicePortMissing', origin, `Service ${quote(`${namespace}/${reference.name}`)} has no port ${quote(String(reference.port))}; ${effect}.`));
        return undefined;
      case 'endpoints': {
        const { appProtocol } = lookup.port;
        const backend: Backend = {
          id,
          namespace,
          service: reference.name,
          port: reference.port,
          ...(appProtocol === undefined ? {} : { appProtocol }),
          policies,
          endpoints: lookup.endpoints,
          origin,
        };
        this.#backends.set(id, backend);
        this.#reportOnce(namespace, reference, lookup, origin, effect);
        return backend;
      }
    }
  }

  #reportOnce(namespace: string, reference: ServiceReference, lookup: ServiceLookup & { found: 'endpoints' }, origin: Origin, effect: string): void {
    const key = objectKey(namespace, reference.name);
    if (this.#reported.has(key)) return;
    this.#reported.add(key);
    this.diagnostics.push(...lookup.diagnostics);
    if (lookup.endpoints.some((endpoint) => endpoint.state === 'ready')) return;
    this.#say(diagnostic('EndpointsMissing', origin, `Service ${quote(key)} has no ready endpoint; ${effect}.`));
  }

  #say(entry: Diagnostic): void {
    this.diagnostics.push(entry);
  }

  /** Policies enter the name as a digest, so that two Ingresses that treat one Service differently don't disturb each other. */
  #idOf(namespace: string, reference: ServiceReference, policies: Partial<BackendPolicies>): BackendId {
    let digest = this.#digests.get(policies);
    if (digest === undefined) {
      const text = JSON.stringify(policies, sortedKeys);
      digest = text === '{}' ? '' : `_${shortDigest(text)}`;
      this.#digests.set(policies, digest);
    }
    return `${namespace}_${reference.name}_${reference.port}${digest}`;
  }

  all(): readonly Backend[] {
    return [...this.#backends.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
  }
}

/** Equal policies give equal text whatever the order in which their fields were set. */
function sortedKeys(_key: string, value: unknown): unknown {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}

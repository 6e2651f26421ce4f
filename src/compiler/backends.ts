import { diagnostic, type Diagnostic, quote } from '../diagnostics/diagnostic.ts';
import { shortDigest } from '../model/identity.ts';
import type { Backend, BackendId } from '../model/model.ts';
import type { Origin } from '../model/origin.ts';
import type { BackendPolicies } from '../model/policies.ts';
import { objectKey, type Snapshot } from '../objects/snapshot.ts';
import type { EndpointSlice, Service, ServiceReference } from '../objects/types.ts';
import { serviceEndpoints, type ServiceLookup } from '../resources/core/endpoints.ts';
import { SortedKeys } from './sorted-keys.ts';

interface EndpointMemory {
  readonly slices: readonly EndpointSlice[] | undefined;
  readonly addresses: Snapshot['addresses'];
  readonly byPort: Map<string | number, ServiceLookup>;
}

/** Endpoint lists by Service, kept while the Service, its slices and the resolved names are the same. */
class EndpointMemoryTable {
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
  readonly #memory: BackendMemory;

  constructor(snapshot: Snapshot, memory: BackendMemory) {
    this.#snapshot = snapshot;
    this.#memory = memory;
  }

  /** `undefined`: nothing can answer; said so in `diagnostics`. */
  request(
    namespace: string,
    reference: ServiceReference,
    policies: Partial<BackendPolicies>,
    origin: Origin,
    effect = 'the route answers 503',
  ): Backend | undefined {
    const id = this.#memory.idOf(namespace, reference, policies);
    const known = this.#backends.get(id);
    if (known) return known;
    const lookup = this.#memory.endpoints.look(this.#snapshot, namespace, reference);
    switch (lookup.found) {
      case 'nothing':
        this.#say(diagnostic('ServiceMissing', origin, `There is no Service ${quote(`${namespace}/${reference.name}`)}; ${effect}.`));
        return undefined;
      case 'no-port':
        this.#say(
          diagnostic(
            'ServicePortMissing',
            origin,
            `Service ${quote(`${namespace}/${reference.name}`)} has no port ${quote(String(reference.port))}; ${effect}.`,
          ),
        );
        return undefined;
      case 'endpoints': {
        const backend = this.#memory.keep({ id, namespace, reference, policies, origin, lookup });
        this.#backends.set(id, backend);
        this.#reportOnce(namespace, reference, lookup, origin, effect);
        return backend;
      }
    }
  }

  #reportOnce(
    namespace: string,
    reference: ServiceReference,
    lookup: ServiceLookup & { found: 'endpoints' },
    origin: Origin,
    effect: string,
  ): void {
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

  all(): readonly Backend[] {
    const sorted = this.#memory.order.of(this.#backends);
    this.#memory.forgetAllBut(this.#backends);
    return sorted.flatMap((id) => this.#backends.get(id) ?? []);
  }
}

interface BackendInputs {
  readonly id: BackendId;
  readonly namespace: string;
  readonly reference: ServiceReference;
  readonly policies: Partial<BackendPolicies>;
  readonly origin: Origin;
  readonly lookup: ServiceLookup & { found: 'endpoints' };
}

/** Backends by id, which keep their identity while nothing they are made of changed. */
export class BackendMemory {
  readonly endpoints = new EndpointMemoryTable();
  readonly order = new SortedKeys();
  readonly #digests = new WeakMap<object, string>();
  readonly #ids = new WeakMap<ServiceReference, { readonly namespace: string; readonly policies: object; readonly id: BackendId }>();
  readonly #backends = new Map<BackendId, { readonly lookup: ServiceLookup; readonly backend: Backend }>();

  keep(inputs: BackendInputs): Backend {
    const { id, namespace, reference, policies, origin, lookup } = inputs;
    const known = this.#backends.get(id);
    if (known?.lookup === lookup && known.backend.policies === policies && known.backend.origin === origin) return known.backend;
    const { appProtocol } = lookup.port;
    const protocol = appProtocol === undefined ? {} : { appProtocol };
    const backend: Backend = {
      id,
      namespace,
      service: reference.name,
      port: reference.port,
      ...protocol,
      policies,
      endpoints: lookup.endpoints,
      origin,
    };
    this.#backends.set(id, { lookup, backend });
    return backend;
  }

  forgetAllBut(used: ReadonlyMap<BackendId, Backend>): void {
    if (used.size === this.#backends.size) return;
    for (const id of this.#backends.keys()) if (!used.has(id)) this.#backends.delete(id);
  }

  /** Policies enter the name as a digest, so that two Ingresses that treat one Service differently don't disturb each other. */
  idOf(namespace: string, reference: ServiceReference, policies: Partial<BackendPolicies>): BackendId {
    const known = this.#ids.get(reference);
    if (known?.policies === policies && known.namespace === namespace) return known.id;
    const id = `${namespace}_${reference.name}_${reference.port}${this.#digestOf(policies)}`;
    this.#ids.set(reference, { namespace, policies, id });
    return id;
  }

  #digestOf(policies: Partial<BackendPolicies>): string {
    let digest = this.#digests.get(policies);
    if (digest === undefined) {
      const text = JSON.stringify(policies, sortedKeys);
      digest = text === '{}' ? '' : `_${shortDigest(text)}`;
      this.#digests.set(policies, digest);
    }
    return digest;
  }
}

/** Equal policies give equal text whatever the order in which their fields were set. */
function sortedKeys(_key: string, value: unknown): unknown {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}

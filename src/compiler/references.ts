import { objectKey, type Snapshot } from '../objects/snapshot.ts';
import type { ConfigMap, KubeSecret, Service } from '../objects/types.ts';

/**
 * Look-ups of other objects, remembered: the result of a translation stays good while each look-up
 * would give the same object again.
 */
export class References {
  readonly #snapshot: Snapshot;
  readonly #namespace: string;
  readonly #crossNamespace: boolean;
  readonly #seen = new Map<string, unknown>();

  constructor(snapshot: Snapshot, namespace: string, options: { readonly crossNamespace: boolean }) {
    this.#snapshot = snapshot;
    this.#namespace = namespace;
    this.#crossNamespace = options.crossNamespace;
  }

  secret(reference: string): KubeSecret | undefined {
    return this.#look('secrets', reference, this.#snapshot.secrets);
  }

  configMap(reference: string): ConfigMap | undefined {
    return this.#look('configMaps', reference, this.#snapshot.configMaps);
  }

  service(reference: string): Service | undefined {
    return this.#look('services', reference, this.#snapshot.services);
  }

  #look<T>(table: string, reference: string, objects: ReadonlyMap<string, T>): T | undefined {
    const parts = reference.split('/');
    const [namespace, name] = parts.length === 2 ? parts : [this.#namespace, reference];
    if (namespace === undefined || name === undefined || parts.length > 2) return undefined;
    if (namespace !== this.#namespace && !this.#crossNamespace) return undefined;
    const key = objectKey(namespace, name);
    const found = objects.get(key);
    this.#seen.set(`${table} ${key}`, found);
    return found;
  }

  /** Would every look-up give the same object in `snapshot`? */
  static stillGood(seen: ReadonlyMap<string, unknown>, snapshot: Snapshot): boolean {
    for (const [entry, object] of seen) {
      const [table, key] = entry.split(' ');
      if (key === undefined || !(table === 'secrets' || table === 'configMaps' || table === 'services')) return false;
      if (snapshot[table].get(key) !== object) return false;
    }
    return true;
  }

  get seen(): ReadonlyMap<string, unknown> {
    return this.#seen;
  }
}

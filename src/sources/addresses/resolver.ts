import { isIP } from 'node:net';
import type { Snapshot } from '../../objects/snapshot.ts';
import { ENDPOINTS_ANNOTATION, parseHostPort } from '../../objects/named-endpoints.ts';

/** All addresses of a name; an empty list or a rejection when it has none. */
export type Lookup = (name: string) => Promise<readonly string[]>;

/** DNS names that the Services of a snapshot refer to. */
export function namesIn(snapshot: Snapshot): ReadonlySet<string> {
  const names = new Set<string>();
  for (const service of snapshot.services.values()) {
    if (service.externalName !== undefined && isIP(service.externalName) === 0) names.add(service.externalName);
    for (const item of (service.metadata.annotations[ENDPOINTS_ANNOTATION] ?? '').split(',')) {
      const host = parseHostPort(item.trim())?.host;
      if (host !== undefined && isIP(host) === 0) names.add(host);
    }
  }
  return names;
}

/** Keeps the last good answer of every name: a name server that is down changes nothing. */
export class AddressBook {
  readonly #lookup: Lookup;
  #known: ReadonlyMap<string, readonly string[]> = new Map();

  constructor(lookup: Lookup) {
    this.#lookup = lookup;
  }

  get addresses(): ReadonlyMap<string, readonly string[]> {
    return this.#known;
  }

  /** Asks for all names; true when an answer differs from what was known. */
  async refresh(names: ReadonlySet<string>): Promise<boolean> {
    const answers = await Promise.all([...names].map(async (name) => [name, await this.#ask(name)] as const));
    const next = new Map(answers.filter(([, addresses]) => addresses.length > 0));
    const same =
      next.size === this.#known.size && [...next].every(([name, addresses]) => this.#known.get(name)?.join() === addresses.join());
    if (!same) this.#known = next;
    return !same;
  }

  async #ask(name: string): Promise<readonly string[]> {
    try {
      const addresses = await this.#lookup(name);
      if (addresses.length > 0) return [...addresses].sort();
    } catch {
      // Below: what was known stays.
    }
    return this.#known.get(name) ?? [];
  }
}

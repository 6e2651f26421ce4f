import { diagnostic, type Diagnostic, quote } from '../diagnostics/diagnostic.ts';
import { hostKey } from '../model/identity.ts';
import type { HostMatch } from '../model/model.ts';
import { originName } from '../model/origin.ts';
import { objectOrigin } from '../objects/origin.ts';
import { byAge, type MergedRoute } from './merge.ts';
import { routeKey, type Translated, type TranslatedRoute } from './translate.ts';

/** Another name of a host, and who gave it. */
interface Alias {
  readonly host: HostMatch;
  readonly source: string;
  readonly owner: Translated;
}

export interface Aliased {
  readonly routes: ReadonlyMap<string, MergedRoute>;
  /** By source: a host and its aliases as host names. */
  readonly names: ReadonlyMap<string, readonly string[]>;
  readonly diagnostics: readonly Diagnostic[];
}

/** Keeps the identity of a route under another name, so that what is remembered by route stays good. */
export class AliasMemory {
  readonly #memory = new WeakMap<TranslatedRoute, Map<string, TranslatedRoute>>();

  of(route: TranslatedRoute, host: HostMatch): TranslatedRoute {
    const known = this.#memory.get(route) ?? new Map<string, TranslatedRoute>();
    this.#memory.set(route, known);
    const name = hostKey(host);
    const copy = known.get(name) ?? aliasRoute(route, host);
    known.set(name, copy);
    return copy;
  }
}

function aliasRoute(route: TranslatedRoute, host: HostMatch): TranslatedRoute {
  const draft = { ...route.draft, host, derived: true };
  return { ...route, key: routeKey(draft), draft };
}

/**
 * Every route of a host that has other names, also of other objects, once more under each of them. A host
 * that an object writes wins over an alias; of two aliases the older object's.
 */
export function addAliases(translated: readonly Translated[], routes: ReadonlyMap<string, MergedRoute>, memory: AliasMemory): Aliased {
  const speakers = translated.filter((one) => one.aliases.length > 0 && one.canary === undefined);
  if (speakers.length === 0) return { routes, names: new Map(), diagnostics: [] };
  const written = new Map<string, MergedRoute>();
  for (const merged of routes.values()) {
    const name = hostKey(merged.route.draft.host);
    if (!merged.route.draft.derived && !written.has(name)) written.set(name, merged);
  }
  const diagnostics: Diagnostic[] = [];
  const claimed = claimAliases(speakers, written, diagnostics);
  const bySource = new Map<string, HostMatch[]>();
  for (const { host, source } of claimed) bySource.set(source, [...(bySource.get(source) ?? []), host]);
  const all = new Map(routes);
  for (const merged of routes.values()) {
    for (const host of bySource.get(hostKey(merged.route.draft.host)) ?? []) {
      const route = memory.of(merged.route, host);
      if (!all.has(route.key)) all.set(route.key, { ...merged, route });
    }
  }
  const names = new Map(
    [...bySource].map(([source, hosts]) => [
      source,
      hosts.flatMap((host) => (host.type === 'exact' || host.type === 'wildcard' ? [hostKey(host)] : [])),
    ]),
  );
  return { routes: all, names, diagnostics };
}

function claimAliases(
  speakers: readonly Translated[],
  written: ReadonlyMap<string, MergedRoute>,
  diagnostics: Diagnostic[],
): Iterable<Alias> {
  const claimed = new Map<string, Alias>();
  for (const owner of [...speakers].sort(byAge)) {
    // An alias can stand for one host only: the first that the object writes.
    const first = owner.routes.find((route) => !route.draft.derived);
    if (first === undefined) continue;
    const source = hostKey(first.draft.host);
    for (const host of owner.aliases) {
      const name = hostKey(host);
      const holder = claimed.get(name);
      if (name === source || holder?.source === source) continue;
      const other = written.get(name)?.owner ?? holder?.owner;
      if (other === undefined) claimed.set(name, { host, source, owner });
      else {
        const message = `The alias ${quote(name)} has no effect: ${originName(objectOrigin(other.ingress))} already holds that host.`;
        diagnostics.push(diagnostic('RouteConflict', objectOrigin(owner.ingress), message));
      }
    }
  }
  return claimed.values();
}

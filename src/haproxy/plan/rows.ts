import type { Route } from '../../model/model.ts';
import type { RoutePolicyName } from '../../model/policies.ts';
import type { AgentEntry, RoutePart, SharedRows } from '../feature.ts';
import type { Row } from '../rows.ts';

/** What one route adds to the plan: flags of its features, rows, variants, and facts for the agent. */
export interface RouteData {
  readonly flags: string;
  readonly features: readonly RoutePolicyName[];
  /** The features as one text: equal for equal sets. */
  readonly featureSet: string;
  readonly rows: readonly Row[];
  readonly shared: readonly SharedRows[];
  readonly variants: readonly { readonly feature: RoutePolicyName; readonly variant: string }[];
  readonly agent: readonly AgentEntry[];
}

/** Flags are single letters in the order of the registry: 52 features fit. */
const FLAG_LETTERS = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ';

export function flagOf(parts: readonly AnyRoutePart[], feature: RoutePolicyName): string {
  return FLAG_LETTERS[parts.findIndex((part) => part.feature === feature)] ?? '';
}

export type AnyRoutePart = { [N in RoutePolicyName]: RoutePart<N> }[RoutePolicyName];

/** Shared rows by key, kept from one plan to the next while any route names them. */
export class SharedRowsMemory {
  #known = new Map<string, readonly Row[]>();

  collect(groups: Iterable<SharedRows>): Iterable<readonly Row[]> {
    const used = new Map<string, readonly Row[]>();
    for (const group of groups) if (!used.has(group.key)) used.set(group.key, this.#known.get(group.key) ?? group.rows());
    this.#known = used;
    return used.values();
  }
}

/** Rows by route, remembered by identity: a route that did not change costs one look-up. */
export class RouteDataMemory {
  readonly #memory = new WeakMap<Route, RouteData>();
  readonly #parts: readonly AnyRoutePart[];

  constructor(parts: readonly AnyRoutePart[]) {
    if (parts.length > FLAG_LETTERS.length) throw new Error('more route features than flag letters');
    this.#parts = parts;
  }

  of(route: Route): RouteData {
    const known = this.#memory.get(route);
    if (known) return known;
    const data = this.#build(route);
    this.#memory.set(route, data);
    return data;
  }

  #build(route: Route): RouteData {
    let flags = '';
    const features: RoutePolicyName[] = [];
    const rows: Row[] = [];
    const shared: SharedRows[] = [];
    const variants: RouteData['variants'][number][] = [];
    const agent: AgentEntry[] = [];
    for (const part of this.#parts) {
      const policy = part.policyOf ? part.policyOf(route) : route.policies[part.feature];
      if (policy === undefined) continue;
      features.push(part.feature);
      // A part is registered under its own feature's name, so the policy is of its type.
      shared.push(...(part.shared?.(policy as never) ?? []));
      for (const variant of part.variants?.(policy as never) ?? []) variants.push({ feature: part.feature, variant });
      if (part.isCommon?.(policy as never, route)) {
        rows.push(...(part.commonRows?.(policy as never, route) ?? []));
        continue;
      }
      flags += flagOf(this.#parts, part.feature);
      rows.push(...part.rows(policy as never, route));
      const entry = part.agent?.(policy as never, route);
      if (entry) agent.push(entry);
    }
    return { flags, features, featureSet: features.join(' '), rows, shared, variants, agent };
  }
}

import { DIALECT_NAMES, DIALECTS, type Dialect, FAMILY_PREFIXES } from './dialect.ts';
import type { Feature } from './feature.ts';
import type { KeySpec, RegisteredKey } from './key.ts';

/** All features in their fixed order, and every key they and the catalogue know. */
export interface Registry {
  readonly features: readonly Feature[];
  /** By name without prefix, aliases included; per dialect. */
  readonly keys: ReadonlyMap<Dialect, ReadonlyMap<string, RegisteredKey>>;
  /** Which features read an annotation, by its full key in every spelling. */
  readonly featuresByKey: ReadonlyMap<string, readonly Feature[]>;
}

/**
 * `catalogue`: keys that no feature declares yet, or that are refused or meaningless here, so that they
 * are known by name. A feature's own declaration wins.
 */
export function registryOf(features: readonly Feature[], catalogue: readonly RegisteredKey[] = []): Registry {
  const keys = new Map<Dialect, Map<string, RegisteredKey>>();
  const add = (entry: RegisteredKey) => {
    const table = keys.get(entry.dialect) ?? new Map<string, RegisteredKey>();
    keys.set(entry.dialect, table);
    for (const name of [entry.spec.name, ...(entry.spec.aliases ?? [])]) if (!table.has(name)) table.set(name, entry);
  };
  for (const feature of features) {
    for (const dialect of DIALECT_NAMES) {
      for (const spec of Object.values(feature.readers[dialect]?.keys ?? {})) add({ dialect, feature: feature.name, spec });
    }
  }
  for (const entry of catalogue) add(entry);
  return { features, keys, featuresByKey: featuresByKey(features) };
}

function featuresByKey(features: readonly Feature[]): ReadonlyMap<string, readonly Feature[]> {
  const table = new Map<string, Feature[]>();
  for (const feature of features) {
    const names = new Set<string>();
    for (const dialect of DIALECT_NAMES) {
      const prefixes = FAMILY_PREFIXES[DIALECTS[dialect].family];
      for (const spec of Object.values(feature.readers[dialect]?.keys ?? {})) {
        for (const name of [spec.name, ...(spec.aliases ?? [])]) for (const prefix of prefixes) names.add(`${prefix}/${name}`);
      }
    }
    for (const name of names) table.set(name, [...(table.get(name) ?? []), feature]);
  }
  return table;
}

export function keyStatus(spec: KeySpec<unknown>): NonNullable<KeySpec<unknown>['status']> {
  return spec.status ?? { is: 'honoured' };
}

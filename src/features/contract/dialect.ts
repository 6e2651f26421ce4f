/** An annotation vocabulary. */
export type Dialect = 'nginx' | 'mse' | 'haptic' | 'ramjet';

/** Vocabularies that mean the same by the same key. One feature from two families is a conflict. */
export type Family = 'nginx' | 'haptic' | 'ramjet';

export interface DialectEntry {
  readonly family: Family;
  /** In order of precedence; the part before `/`. */
  readonly prefixes: readonly string[];
}

export const DIALECTS = {
  nginx: { family: 'nginx', prefixes: ['nginx.ingress.kubernetes.io'] },
  mse: { family: 'nginx', prefixes: ['mse.ingress.kubernetes.io', 'higress.io'] },
  haptic: { family: 'haptic', prefixes: ['haproxy-haptic.org'] },
  ramjet: { family: 'ramjet', prefixes: ['ramjet.dev'] },
} as const satisfies Record<Dialect, DialectEntry>;

export const DIALECT_NAMES: readonly Dialect[] = ['nginx', 'mse', 'haptic', 'ramjet'];

/** Which family serves when two configure one feature: the first. */
export const FAMILY_ORDER: readonly Family[] = ['ramjet', 'haptic', 'nginx'];

/** Prefixes under which a family's keys are read, in order: a valid nginx value wins over an MSE one. */
export const FAMILY_PREFIXES: Readonly<Record<Family, readonly string[]>> = {
  nginx: [...DIALECTS.nginx.prefixes, ...DIALECTS.mse.prefixes],
  haptic: DIALECTS.haptic.prefixes,
  ramjet: DIALECTS.ramjet.prefixes,
};

import { compareText } from '../../model/origin.ts';
import { DIALECT_NAMES, DIALECTS, type Dialect } from '../../features/contract/dialect.ts';
import type { KeyStatus, RegisteredKey } from '../../features/contract/key.ts';
import { keyStatus, type Registry } from '../../features/contract/registry.ts';

/** One key under one dialect's prefix, aliases too. */
export interface KnownKey {
  /** With the dialect's first prefix. */
  readonly key: string;
  /** Without prefix, as it is spelt here. */
  readonly name: string;
  readonly dialect: Dialect;
  readonly entry: RegisteredKey;
  readonly status: KeyStatus;
}

/**
 * Every key that is known, by dialect and name. A key of a family may be written with any prefix of the
 * family, so MSE's list holds ingress-nginx's keys too; its own declaration comes first.
 */
export function knownKeys(registry: Registry): readonly KnownKey[] {
  return DIALECT_NAMES.flatMap((dialect) => {
    const { family, prefixes } = DIALECTS[dialect];
    const names = new Map<string, RegisteredKey>();
    const relatives = dialect === 'mse' ? DIALECT_NAMES.filter((other) => other !== dialect && DIALECTS[other].family === family) : [];
    for (const other of [dialect, ...relatives]) {
      for (const [name, entry] of registry.keys.get(other) ?? []) if (!names.has(name)) names.set(name, entry);
    }
    const sorted = [...names].sort(([a], [b]) => compareText(a, b));
    return sorted.map(
      ([name, entry]): KnownKey => ({ key: `${prefixes[0]}/${name}`, name, dialect, entry, status: keyStatus(entry.spec) }),
    );
  });
}

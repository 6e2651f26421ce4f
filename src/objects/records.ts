/**
 * Records with keys from outside. They have no prototype, so that a key named `constructor` or
 * `__proto__` is a key like any other: neither found where nobody wrote it nor lost where somebody did.
 */
export function newRecord<T>(): Record<string, T> {
  const record: Record<string, T> = Object.create(null);
  return record;
}

/** The one empty text record; most objects have no labels. */
export const NO_TEXTS: Readonly<Record<string, string>> = Object.freeze(newRecord<string>());

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value);
}

/** Absent and `null` mean the same to Kubernetes. */
export function isAbsent(value: unknown): value is undefined | null {
  return value === undefined || value === null;
}

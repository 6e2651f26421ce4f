/**
 * Where a statement of the model comes from: the object and field an author can open and mend.
 * Every host, route, backend, certificate and diagnostic carries one.
 */
export interface Origin {
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  readonly uid?: string;
  /** Path of the field in the object, for example `metadata.annotations["ramjet.dev/canary-weight"]`. */
  readonly field?: string;
  /** Only for objects read from files. */
  readonly file?: string;
  /** 1-based line in `file`. */
  readonly line?: number;
}

/** `Ingress shop/web`, the form used in sentences. */
export function originName(origin: Origin): string {
  return `${origin.kind} ${origin.namespace}/${origin.name}`;
}

/** Total order of origins by namespace, name, kind and field: the order of every printed list. */
export function compareOrigins(a: Origin, b: Origin): number {
  return (
    compareText(a.namespace, b.namespace) ||
    compareText(a.name, b.name) ||
    compareText(a.kind, b.kind) ||
    compareText(a.field ?? '', b.field ?? '')
  );
}

/** Code unit order: the same on every machine, unlike `localeCompare`. */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

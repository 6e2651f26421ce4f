import type { DiagnosticCode } from '../../diagnostics/codes.ts';
import type { ConfigMap, KubeSecret, Service } from '../../objects/types.ts';
import type { Dialect } from './dialect.ts';
import type { KeyTable, ValuesOf } from './key.ts';
import type { FeatureSettings } from './settings.ts';

/** What a reader may look at beside the values of its own keys. */
export interface ReadContext {
  readonly namespace: string;
  readonly name: string;
  /** Whose meaning counts where MSE's differs from ingress-nginx's. */
  readonly compat: 'nginx' | 'mse';
  readonly settings: FeatureSettings;
  /** Was the key given, good or bad? By the name in the reader's table. */
  given(key: string): boolean;
  /** The raw annotation text, for sentences only. */
  text(key: string): string | undefined;
  /**
   * Objects of the snapshot. `reference` is `name` or `namespace/name`; other namespaces are allowed only
   * where `settings.allowCrossNamespace` says so, else the answer is undefined. The look-up is remembered:
   * a change of the object recompiles this one.
   */
  secret(reference: string): KubeSecret | undefined;
  configMap(reference: string): ConfigMap | undefined;
  service(reference: string): Service | undefined;
  /** Reports on the annotation `key` (name in the table; `undefined` for the object). */
  report(code: DiagnosticCode, key: string | undefined, message: string, hint?: string): void;
  /** Closes the routes of this object: for security features that can't be set up. Reports `RouteClosed` itself. */
  close(status: 401 | 403 | 503): void;
}

/** One feature in one dialect: a table of keys, then a policy. `undefined`: this object does not use the feature. */
export interface Reader<P> {
  readonly dialect: Dialect;
  readonly keys: KeyTable;
  toPolicy(values: Readonly<Record<string, unknown>>, context: ReadContext): P | undefined;
}

interface ReaderDefinition<P, K extends KeyTable> {
  readonly dialect: Dialect;
  readonly keys: K;
  toPolicy(values: ValuesOf<K>, context: ReadContext): P | undefined;
}

/** Declares a reader with the types of its own table; the compiler calls it with what the table's parsers gave. */
export function reader<P, const K extends KeyTable>(definition: ReaderDefinition<P, K>): Reader<P> {
  return {
    dialect: definition.dialect,
    keys: definition.keys,
    // The contract of readFeature: `values` holds, under each name of `keys`, what that key's own parser gave.
    toPolicy: (values, context) => definition.toPolicy(values as ValuesOf<K>, context),
  };
}

import type { Origin } from '../../model/origin.ts';
import type { Secret } from '../../model/secret.ts';
import type { HaproxyVersion, PlanFile } from '../feature.ts';
import type { RowMatch } from '../rows.ts';

/**
 * Everything HAProxy is to run, as data. `structure` is what only a reload can change; the rest is
 * changed at run time. Two plans with equal structure differ by data alone.
 */
export interface Plan {
  readonly version: HaproxyVersion;
  readonly structure: Structure;
  readonly backends: ReadonlyMap<string, PlanBackend>;
  readonly maps: ReadonlyMap<string, PlanMap>;
  readonly certificates: ReadonlyMap<string, PlanCertificate>;
  /** CA bundles, client certificates: by name. */
  readonly files: ReadonlyMap<string, PlanFile>;
  /** By handler, then by key: what the agent must know. */
  readonly agent: ReadonlyMap<string, ReadonlyMap<string, unknown>>;
}

export interface Structure {
  /** Sections in order, each a list of lines; the first line of each is its head. */
  readonly sections: readonly (readonly string[])[];
  /** Named defaults of backends: lines by name. On 3.4 a new backend may use any that is already loaded. */
  readonly profiles: ReadonlyMap<string, readonly string[]>;
  /** Sections of the SPOE configuration: what is asked of the agent. Empty: no agent. */
  readonly spoe: readonly (readonly string[])[];
  /** Lua files: name and source text. */
  readonly lua: ReadonlyMap<string, string>;
  /** What made each piece of structure necessary, for the reason of a reload: `feature cors` → the object that uses it. */
  readonly causes: ReadonlyMap<string, Origin | undefined>;
}

export interface PlanBackend {
  readonly name: string;
  readonly profile: string;
  readonly servers: ReadonlyMap<string, PlanServer>;
  readonly origin: Origin;
}

export interface PlanServer {
  readonly name: string;
  /** `10.0.0.1:80` or `[fd00::1]:80`. */
  readonly address: string;
  readonly draining: boolean;
  /** Each one argument or several, ready for a line: `proto h2`, `check`. */
  readonly options: readonly string[];
}

export interface PlanMap {
  readonly name: string;
  readonly match: RowMatch;
  /** In the order that counts for `reg`. */
  readonly entries: ReadonlyMap<string, string>;
}

export interface PlanCertificate {
  /** File name in `certs/`, also its name in the Runtime API. */
  readonly name: string;
  readonly pem: Secret;
  /** SNI filters of its line in the list; empty for the default. */
  readonly names: readonly string[];
}

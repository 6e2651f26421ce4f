import type { HostMatch } from '../../model/model.ts';

/** How the paths of an object are read. Shaping carries it out: routes don't keep it. */
export interface PathPolicy {
  /**
   * `written`: as `pathType` says. `regex`: all paths are regular expressions. The others hold for
   * ImplementationSpecific paths only: `exact`, `segments` (a prefix that ends at a `/`), `begin` (any
   * prefix), `pattern` (a regular expression).
   */
  readonly as: 'written' | 'regex' | 'exact' | 'segments' | 'begin' | 'pattern';
  readonly caseSensitive: boolean;
}

/** Other names of all hosts of the object. */
export interface HostAliasPolicy {
  readonly hosts: readonly HostMatch[];
}

declare module '../../model/policies.ts' {
  interface RoutePolicies {
    path: PathPolicy;
    'host-alias': HostAliasPolicy;
  }
}

import type { Secret } from '../../model/secret.ts';

/** HTTP Basic authentication (RFC 7617) in front of a route. */
export interface BasicAuthPolicy {
  /** Shown to people by their browser; may be empty. No control characters, at most 256 characters. */
  readonly realm: string;
  /** Does the backend see the `Authorization` header? */
  readonly forward: boolean;
  readonly users: UserList;
}

/** Users of one Secret, read in one way; not empty. */
export interface UserList {
  /** The same for all routes with this Secret, and kept when its content changes. `[a-z0-9]+` */
  readonly id: string;
  /** By name. Names and hashes are byte strings: one character, U+0000 to U+00FF, for each byte. */
  readonly hashes: ReadonlyMap<string, Secret>;
}

declare module '../../model/policies.ts' {
  interface RoutePolicies {
    'basic-auth': BasicAuthPolicy;
  }
}

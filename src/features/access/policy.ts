/** Networks in CIDR form. */
export interface AccessPolicy {
  /** Empty: everyone who is not denied. */
  readonly allow: readonly string[];
  /** Counts before `allow`. */
  readonly deny: readonly string[];
  /** The lists of the settings, for an object without lists of its own: they give way to lists for the whole host. */
  readonly fromSettings?: true;
}

declare module '../../model/policies.ts' {
  interface RoutePolicies {
    access: AccessPolicy;
    /** For routes without lists of their own, from any object on the host. */
    'host-access': AccessPolicy;
  }
}

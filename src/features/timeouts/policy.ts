/** Milliseconds; absent: the setting's default. */
export interface TimeoutsPolicy {
  readonly server?: number;
  readonly tunnel?: number;
}

/** Milliseconds; absent: the setting's default. */
export interface ConnectTimeoutsPolicy {
  readonly connect?: number;
  /** Waiting for a free connection slot of a server. */
  readonly queue?: number;
}

declare module '../../model/policies.ts' {
  interface RoutePolicies {
    timeouts: TimeoutsPolicy;
  }
  interface BackendPolicies {
    'connect-timeouts': ConnectTimeoutsPolicy;
  }
}

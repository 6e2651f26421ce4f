import type { Canary } from '../../model/model.ts';

/** The canaries of a route stand in `route.canaries`, not in its policies; this entry lets the data plane treat them as a feature. */
declare module '../../model/policies.ts' {
  interface RoutePolicies {
    canary: readonly Canary[];
  }
}

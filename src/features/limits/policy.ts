import type { RouteCounter } from './counter.ts';

/** Requests of one route are counted by up to two counters; the first that refuses answers. */
export interface LimitsPolicy {
  readonly counters: readonly [RouteCounter] | readonly [RouteCounter, RouteCounter];
}

/** Bytes per second of one body, or of all bodies of `scope` together. */
export interface BandwidthPolicy {
  readonly download?: number;
  readonly upload?: number;
  /** `stream`: each body for itself. `client`: all of one client on the route. `route`: all of the route. */
  readonly scope: 'stream' | 'client' | 'route';
}

declare module '../../model/policies.ts' {
  interface RoutePolicies {
    limits: LimitsPolicy;
    bandwidth: BandwidthPolicy;
  }
}

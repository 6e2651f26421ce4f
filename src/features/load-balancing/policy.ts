/** How a backend picks an endpoint for a request that no session binds. */
export type LoadBalancingPolicy =
  | { readonly algorithm: 'round-robin' | 'least-connections' | 'random' | 'first' }
  /** Consistent: the same key reaches the same endpoint on every replica, and few keys move when endpoints come and go. */
  | { readonly algorithm: 'hash'; readonly key: HashKey }
  /** `balance uri` with its limits. 0: no limit. */
  | { readonly algorithm: 'uri'; readonly whole: boolean; readonly length: number; readonly depth: number };

export interface HashKey {
  readonly parts: readonly HashPart[];
  /** Spread each key over so many endpoints at random; 1: one endpoint. */
  readonly spread: number;
}

export type HashPart = { readonly text: string } | HashVariable;

export type HashVariable =
  | { readonly variable: 'uri' | 'path' | 'query' | 'host' | 'client-address' | 'method' | 'scheme' }
  | { readonly variable: 'header' | 'cookie' | 'argument'; readonly name: string };

/** Limits and weight of each endpoint. Absent: HAProxy's default, that is none. */
export interface EndpointLimitsPolicy {
  /** Connections of one replica to one endpoint; more wait in the queue. */
  readonly connections?: number;
  /** Requests that wait for one endpoint; more go to another one. */
  readonly queue?: number;
  /** 0 to 256. */
  readonly weight?: number;
  /** Connections of the backend at which an endpoint's limit is reached. */
  readonly full?: number;
  /** Seconds in which a new endpoint's share grows from little to all of it. */
  readonly warmup?: number;
}

declare module '../../model/policies.ts' {
  interface BackendPolicies {
    'load-balancing': LoadBalancingPolicy;
    'endpoint-limits': EndpointLimitsPolicy;
  }
}

/** What is counted together, and what it may not exceed. */
export interface RouteCounter {
  /** `object`: all routes of the object. `backend`: those of one backend. `route`: this one. */
  readonly scope: 'object' | 'backend' | 'route';
  /** Each client address for itself, or all together. */
  readonly per: 'client' | 'everyone';
  /** Networks in CIDR form that are not counted. */
  readonly exempt: readonly string[];
  readonly buckets: readonly [] | readonly [Bucket] | readonly [Bucket, Bucket];
  readonly window?: Window;
  readonly concurrent?: Concurrent;
}

/** Holds `burst` + 1 requests and drains `requests` in `period`. Refused requests don't fill it. */
export interface Bucket {
  /** 1 to 1,000,000. */
  readonly requests: number;
  /** Milliseconds. */
  readonly period: number;
  /** 0 to 4,000,000. */
  readonly burst: number;
  readonly refusal: Refusal;
}

/** At most `requests` in a sliding `period`; refused requests count too. */
export interface Window {
  readonly requests: number;
  /** Milliseconds. */
  readonly period: number;
  readonly refusal: Refusal;
}

/** Requests in work at the same time. */
export interface Concurrent {
  readonly requests: number;
  readonly refusal: Refusal;
}

export type Refusal =
  | { readonly type: 'status'; readonly status: number }
  /** MSE's own answer for a route limit. */
  | { readonly type: 'mse-local' }
  | { readonly type: 'text'; readonly status: number; readonly format: 'text' | 'json'; readonly body: string }
  | { readonly type: 'redirect'; readonly location: string };

export const MAX_REQUESTS = 1_000_000;
export const MAX_BURST = 4_000_000;

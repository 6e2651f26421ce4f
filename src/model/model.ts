import type { Origin } from './origin.ts';
import type { BackendPolicies, HostPolicies, RoutePolicies } from './policies.ts';
import type { Secret } from './secret.ts';

/**
 * The neutral model: what is served, without a word of Kubernetes or HAProxy. Printable, comparable,
 * in canonical order; equal inputs give equal models.
 */
export interface Model {
  readonly hosts: readonly Host[];
  readonly routes: readonly Route[];
  readonly backends: readonly Backend[];
  readonly certificates: readonly Certificate[];
  /** Answers what no route matches; absent: 404. */
  readonly defaultBackend?: BackendId;
}

/** `wildcard` stands for exactly one label in front of `suffix`. */
export type HostMatch =
  | { readonly type: 'exact'; readonly name: string }
  | { readonly type: 'wildcard'; readonly suffix: string }
  | { readonly type: 'regex'; readonly pattern: string }
  | { readonly type: 'any' };

export interface Host {
  readonly match: HostMatch;
  readonly policies: Partial<HostPolicies>;
  /** True when a certificate covers the host or an Ingress lists it under `tls`. */
  readonly tls: boolean;
  readonly origin: Origin;
}

/**
 * `exact`: the whole path. `segments`: a prefix that ends at a `/`. `prefix`: a plain string prefix.
 * `regex`: matched from the start of the normalised path; PCRE2 syntax.
 */
export type PathMatch =
  | { readonly type: 'exact'; readonly path: string }
  | { readonly type: 'segments'; readonly path: string }
  | { readonly type: 'prefix'; readonly path: string }
  | { readonly type: 'regex'; readonly pattern: string; readonly caseSensitive: boolean };

/** Short and stable over restarts and replicas: derived from object, host and path. `[a-z0-9]{1,13}` */
export type RouteId = string;
export type BackendId = string;

export interface Route {
  readonly id: RouteId;
  readonly host: HostMatch;
  readonly path: PathMatch;
  readonly policies: Partial<RoutePolicies>;
  /** Absent when nothing can ever answer (no such Service): the route answers 503. */
  readonly backend: BackendId | undefined;
  readonly canaries: readonly Canary[];
  /** Set when a security feature could not be set up: the route answers this status instead of being served unprotected. */
  readonly closed?: ClosedRoute;
  /** Milliseconds since the epoch; decides conflicts. */
  readonly createdAt: number;
  readonly origin: Origin;
}

export interface ClosedRoute {
  readonly status: 401 | 403 | 503;
  /** The features that closed it. */
  readonly features: readonly string[];
}

/**
 * One canary of a route. For each request the header and query rules of all canaries are asked first, then
 * the cookie rules, oldest canary first within each; the first that decides, decides. Then sessions, then weights.
 */
export interface Canary {
  readonly backend: BackendId;
  readonly rules: readonly CanaryRule[];
  /** 0 to `total`. */
  readonly weight: number;
  readonly total: number;
  /** Set when sessions stay on the side they began on. */
  readonly session?: CanarySession;
  /** What holds for the requests this canary serves, of features where that is not production's policy. */
  readonly policies?: Partial<RoutePolicies>;
  readonly origin: Origin;
}

/** The cookie of a session, and how its value begins on each side. */
export interface CanarySession {
  readonly cookie: string;
  readonly canary: string;
  readonly production: string;
}

/** A rule compares one part of the request: it sends the request to its canary, to production, or leaves it to the next rule. */
export type CanaryRule = CanaryCondition | { readonly on: 'all'; readonly rules: readonly CanaryCondition[] };

/** `all` above: every condition must hold, as MSE joins header and query. Header names are lower case. */
export interface CanaryCondition {
  readonly on: 'header' | 'cookie' | 'query';
  readonly name: string;
  readonly match: CanaryMatch;
}

export type CanaryMatch =
  /** `always`: the canary. `never`: production, whatever later rules and weights say. */
  | { readonly type: 'always-never' }
  | { readonly type: 'value'; readonly value: string }
  /** Found anywhere in the value; PCRE2, case-sensitive. */
  | { readonly type: 'pattern'; readonly pattern: string };

export interface Backend {
  readonly id: BackendId;
  readonly namespace: string;
  readonly service: string;
  /** As the route names it: number or name. */
  readonly port: string | number;
  /** What the Service's port says of itself; `kubernetes.io/h2c`, for instance. */
  readonly appProtocol?: string;
  readonly policies: Partial<BackendPolicies>;
  readonly endpoints: readonly Endpoint[];
  readonly origin: Origin;
}

/** `draining` endpoints finish what they have and get nothing new. */
export type EndpointState = 'ready' | 'draining';

export interface Endpoint {
  /** Unique in its backend and stable while the pod lives: pod name, else address and port. `[A-Za-z0-9_.:-]+` */
  readonly name: string;
  /** IPv4 or IPv6 address, without brackets. */
  readonly address: string;
  readonly port: number;
  readonly state: EndpointState;
  readonly zone?: string;
}

export interface Certificate {
  /** `namespace/name` of the Secret, or `default`. */
  readonly id: string;
  /** PEM: certificate chain, then key. */
  readonly pem: Secret;
  /** SNI names it answers: exact and `*.suffix`; empty for the default certificate. */
  readonly names: readonly string[];
  /** Milliseconds since the epoch. */
  readonly notAfter: number;
  readonly origin: Origin;
}

import type { DiagnosticCode } from '../../diagnostics/codes.ts';
import type { CanaryRule, HostMatch, PathMatch } from '../../model/model.ts';
import type { BackendPolicies, BackendPolicyName, RoutePolicies, RoutePolicyName } from '../../model/policies.ts';
import type { PathType, ServiceReference } from '../../objects/types.ts';
import type { Dialect } from './dialect.ts';
import type { Reader } from './reader.ts';
import type { FeatureSettings } from './settings.ts';

/**
 * What happens when a feature can't be set up for an object: `skip` leaves this one feature out,
 * everything else serves; `close` answers an error instead of serving unprotected.
 */
export type FailureClass = 'skip' | 'close';

type Readers<P> = Partial<Readonly<Record<Dialect, Reader<P>>>>;

interface FeatureBase<P> {
  readonly summary: string;
  readonly failure: FailureClass;
  readonly readers: Readers<P>;
}

/** A feature whose policy belongs to every route of the object. */
export interface RouteFeature<N extends RoutePolicyName> extends FeatureBase<RoutePolicies[N]> {
  readonly level: 'route';
  readonly name: N;
  /**
   * Applies to routes whose object sets no key of the feature: defaults from settings
   * (redirect to https on TLS hosts, body size). `undefined`: none. `compat` as in `ReadContext`.
   */
  defaultPolicy?(settings: FeatureSettings, compat: 'nginx' | 'mse'): RoutePolicies[N] | undefined;
  /** `own`: requests that a canary serves follow the canary's own policy, or none; else they follow the production route's. */
  readonly onCanary?: 'own';
  /**
   * Fits the policy to one route: may change its path match, specialise the policy, drop it, or add
   * routes (aliases, `www` redirects). The first draft returned stands for the one given; an empty
   * list refuses the route.
   */
  shape?(policy: RoutePolicies[N], draft: RouteDraft, context: ShapeContext): readonly RouteDraft[];
  /** Other names for the object's host: all its routes, also those of other objects, answer under them as well. */
  aliases?(policy: RoutePolicies[N]): readonly HostMatch[];
}

/**
 * A feature whose policy belongs to every route on the object's hosts, also those of other objects. The
 * oldest object that sets it for a host decides. Stands in `route.policies` like a route's own.
 */
export interface HostFeature<N extends RoutePolicyName> extends FeatureBase<RoutePolicies[N]> {
  readonly level: 'host';
  readonly name: N;
}

/** A feature whose policy belongs to the Services of the object and is part of a backend's identity. */
export interface BackendFeature<N extends BackendPolicyName> extends FeatureBase<BackendPolicies[N]> {
  readonly level: 'backend';
  readonly name: N;
  defaultPolicy?(settings: FeatureSettings, compat: 'nginx' | 'mse'): BackendPolicies[N] | undefined;
  /**
   * The policy of a canary's backend. Without it a canary has its own policy, else production's. `tag` is
   * short and names the canary's side: stable over restarts, different for each canary.
   */
  forCanary?(
    production: BackendPolicies[N] | undefined,
    own: BackendPolicies[N] | undefined,
    canary: CanarySide,
  ): BackendPolicies[N] | undefined;
  /** What the policy needs on each route of the object, such as the path of a cookie. */
  onRoute?(policy: BackendPolicies[N], draft: RouteDraft): Partial<RoutePolicies>;
  /** What of the policy stays with the backend, when `onRoute` has taken its part: less of it, fewer different backends. */
  onBackend?(policy: BackendPolicies[N]): BackendPolicies[N];
  /** The cookie that shows that a request belongs to a session on this backend. */
  session?(policy: BackendPolicies[N]): SessionMark | undefined;
}

export interface CanarySide {
  readonly tag: string;
  readonly sessions: CanaryPolicy['sessions'];
}

/** Requests whose `cookie` begins with `prefix` belong to a session. */
export interface SessionMark {
  readonly cookie: string;
  readonly prefix: string;
}

/** The canary feature: its policy makes the whole object a canary of other objects' routes. */
export interface CanaryFeature extends FeatureBase<CanaryPolicy> {
  readonly level: 'canary';
  readonly name: 'canary';
}

export interface CanaryPolicy {
  readonly rules: readonly CanaryRule[];
  /** 0 to `total`. */
  readonly weight: number;
  /** 1 to 1,000,000,000. */
  readonly total: number;
  /** Whether a session stays on the side it began on, where production has session affinity. */
  readonly sessions: 'sticky' | 'legacy';
}

/** A route before conflicts are decided. */
export interface RouteDraft {
  readonly host: HostMatch;
  readonly path: PathMatch;
  /** As the author wrote them. */
  readonly pathText: string;
  readonly pathType: PathType;
  /** Absent: the backend is not a Service. */
  readonly service?: ServiceReference;
  /** The object lists the host under `spec.tls`, or has a default certificate for it. */
  readonly tls: boolean;
  readonly policies: Partial<RoutePolicies>;
  /** A derived route (alias, `www`) gives way without a report where an object defines the host itself. */
  readonly derived: boolean;
}

export interface ShapeContext {
  readonly settings: FeatureSettings;
  /** Whose dialect the policy was read in. */
  readonly dialect: Dialect | undefined;
  /** The object is a canary: its path is only compared with production's. */
  readonly isCanary: boolean;
  /** `keyName`: an annotation key without prefix, or undefined for the path itself. */
  report(code: DiagnosticCode, keyName: string | undefined, message: string, hint?: string): void;
  close(status: 401 | 403 | 503): void;
}

type AnyRouteFeature = { [N in RoutePolicyName]: RouteFeature<N> }[RoutePolicyName];
type AnyHostFeature = { [N in RoutePolicyName]: HostFeature<N> }[RoutePolicyName];
type AnyBackendFeature = { [N in BackendPolicyName]: BackendFeature<N> }[BackendPolicyName];

/** Any feature. A union over all names: narrowing by `level` and `name` gives the exact type back. */
export type Feature = AnyRouteFeature | AnyHostFeature | AnyBackendFeature | CanaryFeature;

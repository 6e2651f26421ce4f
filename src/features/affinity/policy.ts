/** Sessions: the first answer sets a cookie, later requests with it reach the same endpoint. Part of the backend. */
export interface AffinityPolicy {
  readonly cookie: string;
  /** `insert`: a cookie of our own. `rewrite`, `prefix`: the application's cookie names the endpoint. */
  readonly strategy: 'insert' | 'rewrite' | 'prefix';
  /** Further words of HAProxy's cookie line, checked. */
  readonly keywords: readonly CookieKeyword[];
  /** When the endpoint can't be reached: another one takes the session over. */
  readonly moves: boolean;
  /** How cookie values of this side begin: `p` for production, else of one canary. */
  readonly side: string;
  /** On its way to the routes, see `session-cookie`; a backend has none. */
  readonly attributes?: CookieAttributes;
}

export type CookieKeyword = 'httponly' | 'secure' | 'preserve' | 'postonly';

export interface CookieAttributes {
  /** Absent: the route's own path. */
  readonly path?: string;
  readonly domain?: string;
  /** Seconds. */
  readonly maxAge?: number;
  /** Seconds from the answer. */
  readonly expires?: number;
  readonly sameSite?: 'None' | 'Lax' | 'Strict';
  /** Leave `SameSite=None` out for browsers that reject it. */
  readonly conditional: boolean;
  /** `https`: on answers over TLS. */
  readonly secure: 'always' | 'https' | 'never';
}

/** The attributes of the session cookie on one route. Part of the route, so that a change is data. */
export interface SessionCookiePolicy extends CookieAttributes {
  readonly path: string;
}

declare module '../../model/policies.ts' {
  interface BackendPolicies {
    affinity: AffinityPolicy;
  }
  interface RoutePolicies {
    'session-cookie': SessionCookiePolicy;
  }
}

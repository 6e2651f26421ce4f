/**
 * Settings of the controller that features read: the defaults an operator sets for all objects
 * (ingress-nginx calls them ConfigMap keys). `src/settings` builds it; a test may start from `FEATURE_DEFAULTS`.
 */
export interface FeatureSettings {
  /** Secrets, ConfigMaps and Services of other namespaces may be named. */
  readonly allowCrossNamespace: boolean;
  /** Redirect to https on hosts that have TLS. */
  readonly sslRedirect: boolean;
  /** Redirect status for the https redirect: 301, 302, 307 or 308. */
  readonly httpRedirectCode: 301 | 302 | 307 | 308;
  /** Port in https redirects; 443 is left out of the URL. */
  readonly httpsPort: number;
  /** Largest request body in bytes; 0: no limit. */
  readonly bodySize: number;
  /**
   * Bodies that come without a length (chunked). `pass`: they are not limited. `refuse`: 411 where there is a limit.
   * `count`: 413 when they cross it; a filter then looks at every request, which costs about 8 µs each.
   */
  readonly undeclaredBodies: 'pass' | 'refuse' | 'count';
  /** Milliseconds. */
  readonly timeouts: { readonly connect: number; readonly server: number; readonly client: number; readonly tunnel: number };
  /** Default for all objects without a list of their own: CIDRs. */
  readonly allowlist: readonly string[];
  readonly denylist: readonly string[];
  /** What ingress-nginx's limits answer: for too many requests and for too many at the same time. */
  readonly limitStatus: { readonly requests: number; readonly connections: number };
  /** Response headers that an object may set through a ConfigMap (`custom-headers`); ingress-nginx calls it global-allowed-response-headers. */
  readonly allowedResponseHeaders: readonly string[];
  /** Strict-Transport-Security on TLS answers, as ingress-nginx sends it. */
  readonly hsts: { readonly enabled: boolean; readonly maxAge: number; readonly includeSubdomains: boolean; readonly preload: boolean };
}

export const FEATURE_DEFAULTS: FeatureSettings = {
  allowCrossNamespace: false,
  sslRedirect: true,
  httpRedirectCode: 308,
  httpsPort: 443,
  bodySize: 1024 * 1024,
  undeclaredBodies: 'pass',
  timeouts: { connect: 5_000, server: 60_000, client: 60_000, tunnel: 3_600_000 },
  allowlist: [],
  denylist: [],
  limitStatus: { requests: 503, connections: 503 },
  allowedResponseHeaders: [],
  hsts: { enabled: true, maxAge: 31_536_000, includeSubdomains: true, preload: false },
};

import type { HaproxyVersion } from '../feature.ts';

/** What the data plane depends on beside the model. */
export interface PlanSettings {
  readonly version: HaproxyVersion;
  /** Absolute; holds every file HAProxy reads and its sockets. */
  readonly runDir: string;
  readonly listeners: ListenerSettings;
  /** Proxies whose `X-Forwarded-*` is believed: addresses or CIDRs. */
  readonly trustedProxies: readonly string[];
  /** X-Forwarded-For from a trusted proxy is passed on with the proxy's own address added, instead of the client's address alone. */
  readonly fullForwardedFor?: boolean;
  /** Milliseconds. */
  readonly timeouts: {
    readonly connect: number;
    readonly server: number;
    readonly client: number;
    readonly tunnel: number;
    readonly httpRequest: number;
    readonly keepAlive: number;
  };
  /** 0: as many as processors. */
  readonly threads: number;
  /** 0: as many as the limit of open files allows. */
  readonly maxConnections: number;
  /** Size of the table of route counters; more routes than this are served and not counted. */
  readonly maxRoutes: number;
  /** Ramjet runs as root, as in a container that can't be otherwise; HAProxy then stays what it was started as. */
  readonly asRoot: boolean;
  /** Seconds until an old worker with long connections is ended after a reload. */
  readonly hardStopAfter: number;
  /** One JSON object a request on HAProxy's standard output. */
  readonly accessLog: boolean;
  /** Strict-Transport-Security on TLS answers; undefined: none. */
  readonly hsts?: string;
}

export interface ListenerSettings {
  /** `address:port` or `:port`. */
  readonly http: readonly string[];
  readonly https: readonly string[];
  /** HTTP/3 on the https addresses, announced by `alt-svc`. */
  readonly http3: boolean;
  /** Connections start with a PROXY protocol header. */
  readonly proxyProtocol: boolean;
  /** Port that clients see for https, in `X-Forwarded-Port` and `alt-svc`. */
  readonly publicHttpsPort: number;
  readonly publicHttpPort: number;
}

export const PLAN_DEFAULTS: PlanSettings = {
  version: '3.4',
  runDir: '/run/ramjet',
  listeners: { http: [':80'], https: [':443'], http3: false, proxyProtocol: false, publicHttpPort: 80, publicHttpsPort: 443 },
  trustedProxies: [],
  timeouts: { connect: 5_000, server: 60_000, client: 60_000, tunnel: 3_600_000, httpRequest: 10_000, keepAlive: 75_000 },
  threads: 0,
  maxConnections: 0,
  maxRoutes: 50_000,
  asRoot: false,
  hardStopAfter: 600,
  accessLog: false,
  hsts: 'max-age=31536000; includeSubDomains',
};

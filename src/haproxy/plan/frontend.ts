import type { Rule, Section } from '../feature.ts';
import { REQUEST_PHASES, RESPONSE_PHASES, type Phase } from '../phases.ts';
import { hap, listenAddress, milliseconds, type Token, word, words } from '../tokens.ts';
import { clientLines, forwardedLines, responseLines } from './forwarded.ts';
import type { PlanSettings } from './settings.ts';

/** Structure that the frontend needs beyond the features: which tables the routes are in. */
export interface RoutingShape {
  readonly wildcards: boolean;
  readonly anyHost: boolean;
  readonly regexHosts: boolean;
  /** Rows of the longest list of regular expressions of a host; 0: none has any. */
  readonly regexRows: number;
  /** Simple regular expressions that ignore case. */
  readonly foldedPaths: boolean;
}

export function mapFile(settings: PlanSettings, name: string): Token {
  return word(`${settings.runDir}/maps/${name}.map`);
}

/** `global` and the base defaults. */
export function globalSections(settings: PlanSettings, lua: readonly string[], peerTables: readonly Token[]): readonly Section[] {
  const { timeouts, runDir } = settings;
  const global = [
    hap`localpeer ramjet`,
    ...(settings.maxConnections > 0 ? [hap`maxconn ${settings.maxConnections}`] : []),
    ...(settings.threads > 0 ? [hap`nbthread ${settings.threads}`] : []),
    // Said outright, or HAProxy warns at each start and reload.
    ...(settings.asRoot ? [hap`chroot /`, hap`uid 0`] : []),
    hap`hard-stop-after ${settings.hardStopAfter}s`,
    hap`stats socket unix@${word(`${runDir}/runtime.sock`)} mode 600 level admin expose-fd listeners`,
    hap`stats timeout 60s`,
    // Rules and rows of thousands of routes name one another by line; a command must fit one buffer.
    hap`tune.bufsize 16384`,
    // Room for headers that rules add to a message with a large body: without it such a message would fail.
    hap`tune.maxrewrite 5120`,
    hap`tune.pattern.cache-size 20000`,
    // By default a request gives way after 50 rules: a pause, and a gap in which another request of the same client reads a limit's old count.
    hap`tune.max-rules-at-once 10000`,
    hap`ssl-default-bind-options ssl-min-ver TLSv1.2`,
    hap`ssl-default-bind-ciphers ECDHE-ECDSA-AES128-GCM-SHA256:ECDHE-RSA-AES128-GCM-SHA256:ECDHE-ECDSA-AES256-GCM-SHA384:ECDHE-RSA-AES256-GCM-SHA384:ECDHE-ECDSA-CHACHA20-POLY1305:ECDHE-RSA-CHACHA20-POLY1305`,
    hap`ssl-server-verify none`,
    ...(settings.accessLog ? [hap`log stdout format raw local0 info`] : []),
    hap`tune.lua.bool-sample-conversion normal`,
    ...lua.map((name) => hap`lua-load-per-thread ${word(`${runDir}/lua/${name}`)}`),
  ];
  const base = [
    hap`mode http`,
    hap`timeout connect ${milliseconds(timeouts.connect)}`,
    hap`timeout client ${milliseconds(timeouts.client)}`,
    hap`timeout server ${milliseconds(timeouts.server)}`,
    hap`timeout tunnel ${milliseconds(timeouts.tunnel)}`,
    hap`timeout http-request ${milliseconds(timeouts.httpRequest)}`,
    hap`timeout http-keep-alive ${milliseconds(timeouts.keepAlive)}`,
    // Without it a reload closes an idle connection in the moment its client writes to it.
    hap`option idle-close-on-response`,
    hap`option http-ignore-probes`,
    // The closing defaults to 503 pages with a body; clients of an API expect the bare status line's meaning only.
    hap`http-reuse always`,
  ];
  return [
    { head: hap`global`, lines: global },
    // A local peer hands the tables from the old process to the new one at a reload.
    {
      head: hap`peers local`,
      lines: [
        hap`bind unix@${word(`${runDir}/peers.sock`)}`,
        hap`server ramjet`,
        hap`table routes type string len 16 size ${settings.maxRoutes} store gpc(${ROUTE_COUNTERS.count})`,
        ...peerTables,
      ],
    },
    { head: hap`defaults base`, lines: base },
  ];
}

/** The frontend: listeners, routing, forwarded headers, then the rules of the features in use, phase by phase. */
export function frontendSection(settings: PlanSettings, shape: RoutingShape, rules: readonly Rule[], hasFeatures: boolean): Section {
  const inPhase = (phase: Phase) => rules.filter((rule) => rule.phase === phase).map((rule) => rule.line);
  const lines = [
    ...bindLines(settings),
    ...(settings.accessLog ? accessLogLines() : []),
    ...inPhase('frontend'),
    ...clientLines(settings),
    ...routingLines(settings, shape),
    ...countLines(),
    ...forwardedLines(settings),
    ...inPhase('common'),
    // A route without features is done here; each of the others pays for its own rules only.
    ...(hasFeatures ? [hap`http-request allow if !{ var(txn.fl) -m len gt 0 }`] : []),
    ...REQUEST_PHASES.flatMap(inPhase),
    ...responseCountLines(),
    ...responseLines(settings),
    ...(hasFeatures ? [hap`http-after-response allow if !{ var(txn.fl) -m len gt 0 }`] : []),
    ...RESPONSE_PHASES.flatMap(inPhase),
    hap`use_backend %[var(txn.be)] if { var(txn.be) -m len gt 0 }`,
    hap`default_backend status_404`,
  ];
  return { head: hap`frontend main from base`, lines };
}

function bindLines(settings: PlanSettings): readonly Token[] {
  const { listeners, runDir } = settings;
  const proxy = listeners.proxyProtocol ? [hap`accept-proxy`] : [];
  const list = word(`${runDir}/certs/list`);
  return [
    ...listeners.http.map((address) => words([hap`bind ${listenAddress(address)}`, ...proxy])),
    ...listeners.https.map((address) => words([hap`bind ${listenAddress(address)} ssl crt-list ${list} alpn h2,http/1.1`, ...proxy])),
    ...(listeners.http3
      ? listeners.https.map(
          (address) =>
            hap`bind ${address.startsWith('[') ? hap`quic6` : hap`quic4`}@${listenAddress(address)} ssl crt-list ${list} alpn h3`,
        )
      : []),
  ];
}

function routingLines(settings: PlanSettings, shape: RoutingShape): readonly Token[] {
  const file = (name: string) => mapFile(settings, name);
  const missing = hap`!{ var(txn.r) -m found }`;
  const key = hap`concat(,txn.p,/\#),map_beg`;
  // The key of the host that was found: regular expressions of its paths are listed under it.
  const named = shape.regexRows > 0 || shape.foldedPaths;
  return [
    hap`http-request set-var(txn.h) req.hdr(host),host_only,lower,rtrim(.)`,
    hap`http-request set-var(txn.p) path`,
    // The common path is already normal; the others are brought into nginx's form or refused.
    hap`http-request set-var(txn.p) lua.ramjet_path if { path -m sub % // /. \\ }`,
    hap`http-request return status 400 if { var(txn.p) -m len 0 }`,
    hap`http-request set-var(txn.r) var(txn.h),${key}(${file('routes')})`,
    ...(named ? [hap`http-request set-var(txn.hk) var(txn.h) if { var(txn.r) -m found }`] : []),
    ...(shape.wildcards
      ? [
          hap`http-request set-var(txn.r) var(txn.h),regsub(^[^.]*.,),${key}(${file('wild')}) if ${missing}`,
          ...(named
            ? [hap`http-request set-var(txn.hk) var(txn.h),regsub(^[^.]*,) if { var(txn.r) -m found } !{ var(txn.hk) -m found }`]
            : []),
        ]
      : []),
    ...(shape.regexHosts
      ? [
          hap`http-request set-var(txn.hk) var(txn.h),map_reg(${file('hosts')}) if ${missing}`,
          hap`http-request set-var(txn.r) var(txn.hk),${key}(${file('routes')}) if ${missing} { var(txn.hk) -m found }`,
        ]
      : []),
    ...(shape.anyHost
      ? [
          hap`http-request set-var(txn.r) str(*),${key}(${file('routes')}) if ${missing}`,
          ...(named ? [hap`http-request set-var(txn.hk) str(*) if { var(txn.r) -m found } !{ var(txn.hk) -m found }`] : []),
        ]
      : []),
    ...(shape.foldedPaths ? foldedLines(file('folded')) : []),
    ...regexLines(shape.regexRows, file('regex')),
    hap`http-request set-var(txn.be) var(txn.r),field(1,|)`,
    hap`http-request set-var(txn.rid) var(txn.r),field(2,|)`,
    hap`http-request set-var(txn.fl) var(txn.r),field(3,|)`,
  ];
}

/** A look-up of its own in lower case; its answer counts if it is the longer match. */
function foldedLines(file: Token): readonly Token[] {
  return [
    hap`http-request set-var(txn.pl) var(txn.p),lower`,
    hap`http-request set-var(txn.rf) var(txn.hk),concat(,txn.pl,/\#),map_beg(${file})`,
    hap`http-request set-var(txn.rl) var(txn.r),field(4,|)`,
    hap`http-request set-var(txn.r) var(txn.rf) if { var(txn.rf) -m found } { var(txn.rf),field(4,|),sub(txn.rl) gt 0 }`,
  ];
}

function regexLines(rows: number, file: Token): readonly Token[] {
  if (rows === 0) return [];
  return [
    hap`http-request set-var(txn.rx) var(txn.hk),map_str(${file})`,
    ...Array.from({ length: rows - 1 }, (_, index) => {
      const before = index === 0 ? hap`` : hap`${index}`;
      return hap`http-request set-var(txn.rx${index + 1}) var(txn.hk),concat(|${index + 1}),map_str(${file}) if { var(txn.rx${before}) -m end + }`;
    }),
    hap`http-request set-var(txn.r) lua.ramjet_regex if { var(txn.rx) -m found }`,
  ];
}

/** Bounds of the latency histogram in milliseconds; one more bucket takes the rest. HAProxy's timers are whole milliseconds. */
export const LATENCY_BUCKETS = [5, 10, 25, 50, 100, 250, 500, 1000, 2500, 5000, 10_000] as const;

/** Counters of a route by index: the buckets, the sum of milliseconds, answers by class 1xx/2xx to 5xx. */
export const ROUTE_COUNTERS = { sum: 12, status: 13, count: 17 } as const;

function countLines(): readonly Token[] {
  return [hap`http-request track-sc0 var(txn.rid) table local/routes if { var(txn.rid) -m len gt 0 }`];
}

function responseCountLines(): readonly Token[] {
  const below = [0, ...LATENCY_BUCKETS.map((bound) => bound + 1)];
  return [
    hap`http-after-response set-var(txn.ms) res.timer.hdr`,
    ...LATENCY_BUCKETS.map(
      (bound, index) => hap`http-after-response sc-inc-gpc(${index},0) if { var(txn.ms) -m int ${below[index] ?? 0}:${bound} }`,
    ),
    hap`http-after-response sc-inc-gpc(${LATENCY_BUCKETS.length},0) if { var(txn.ms) -m int gt ${LATENCY_BUCKETS.at(-1) ?? 0} }`,
    hap`http-after-response sc-add-gpc(${ROUTE_COUNTERS.sum},0) var(txn.ms)`,
    hap`http-after-response sc-inc-gpc(${ROUTE_COUNTERS.status},0) if { status lt 300 }`,
    hap`http-after-response sc-inc-gpc(${ROUTE_COUNTERS.status + 1},0) if { status 300:399 }`,
    hap`http-after-response sc-inc-gpc(${ROUTE_COUNTERS.status + 2},0) if { status 400:499 }`,
    hap`http-after-response sc-inc-gpc(${ROUTE_COUNTERS.status + 3},0) if { status ge 500 }`,
  ];
}

function accessLogLines(): readonly Token[] {
  return [
    hap`log global`,
    hap`log-format '%{+json}o %(time)[date(0,ms)] %(client)[src] %(host)[var(txn.h)] %(method)HM %(uri)HU %(status)ST %(bytes)B %(route)[var(txn.rid)] %(backend)b %(server)s %(ms)[txn.timer.total] %(request_id)[req.hdr(x-request-id)]'`,
  ];
}

/** Backends that only answer a status: no route, closed routes, routes whose Service is missing. */
export function statusSections(): readonly Section[] {
  return [401, 403, 404, 503].map((status) => ({
    head: hap`backend status_${status} from base`,
    lines: [hap`http-request return status ${status}`],
  }));
}

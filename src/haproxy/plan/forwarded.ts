import { hap, string, type Token, word, words } from '../tokens.ts';
import type { PlanSettings } from './settings.ts';

/** How many trusted proxies may stand behind one another. */
const MAX_HOPS = 6;

const fromProxy = hap`{ var(txn.trusted) -m bool }`;
const isHttps = hap`{ var(txn.https) -m bool }`;

/** The address of the client: behind trusted proxies the last one in X-Forwarded-For that is not one of them. */
export function clientLines(settings: PlanSettings): readonly Token[] {
  if (settings.trustedProxies.length === 0) return [];
  const proxies = word(`${settings.runDir}/trusted-proxies.lst`);
  return [
    hap`http-request set-var(txn.peer) src`,
    hap`http-request set-var(txn.trusted) bool(true) if { src -f ${proxies} }`,
    // Walks the chain from the right; an address that can't be read ends it.
    ...Array.from({ length: MAX_HOPS }, (_, index) => {
      const read = Array.from({ length: index + 1 }, (_hop, back) => hap`{ ${hopAddress(back + 1)} -m found }`);
      return hap`http-request set-src ${hopAddress(index + 1)} if ${fromProxy} { src -f ${proxies} } ${words(read)}`;
    }),
  ];
}

/** The hop-th address from the right. */
function hopAddress(hop: number): Token {
  return hap`hdr_ip(x-forwarded-for,-${hop})`;
}

/**
 * What the backend is told about the client, as ingress-nginx does it: X-Forwarded-For holds the client
 * alone, X-Original-Forwarded-For what came in. Everything else of the kind that a client sent is removed;
 * from a trusted proxy it is kept.
 */
export function forwardedLines(settings: PlanSettings): readonly Token[] {
  const trusted = settings.trustedProxies.length > 0;
  return [
    hap`http-request set-header X-Request-ID %[uuid,regsub(-,,g)] if !{ req.hdr(x-request-id) -m found }`,
    hap`http-request set-header X-Real-IP %[src]`,
    ...original(hap`X-Original-Forwarded-For`, hap`x-forwarded-for`),
    ...original(hap`X-Original-Forwarded-Host`, hap`x-forwarded-host`),
    ...httpsLines(settings),
    ...(trusted ? proxyLines(settings) : [hap`http-request del-header X-Forwarded- -m beg`, hap`http-request del-header Forwarded`]),
    hap`http-request set-header X-Forwarded-For %[src]`,
    ...(trusted && settings.fullForwardedFor
      ? [hap`http-request set-header X-Forwarded-For %[var(txn.chain)] if { var(txn.chain) -m found }`]
      : []),
    hap`http-request set-header X-Forwarded-Host %[req.hdr(host)]`,
    ...portLines(settings),
    hap`http-request set-header X-Forwarded-Proto http if !${isHttps}`,
    hap`http-request set-header X-Forwarded-Proto https if ${isHttps}`,
    hap`http-request set-header X-Forwarded-Scheme %[req.hdr(x-forwarded-proto)]`,
    hap`http-request set-header X-Scheme %[req.hdr(x-forwarded-proto)]`,
    // An attacker's Proxy header would become HTTP_PROXY in a CGI program (httpoxy).
    hap`http-request del-header Proxy`,
  ];
}

function original(name: Token, from: Token): readonly Token[] {
  return [
    hap`http-request set-header ${name} %[req.fhdr(${from})] if { req.hdr(${from}) -m found }`,
    hap`http-request del-header ${name} if !{ req.hdr(${from}) -m found }`,
  ];
}

/** `txn.https`: the client's own connection is encrypted, as far as is known here. */
function httpsLines({ listeners, trustedProxies }: PlanSettings): readonly Token[] {
  return [
    hap`http-request set-var(txn.https) ssl_fc`,
    // A balancer that ends TLS and speaks the PROXY protocol names the port the client came to.
    ...(listeners.proxyProtocol ? [hap`http-request set-var(txn.https) bool(true) if { dst_port ${listeners.publicHttpsPort} }`] : []),
    ...(trustedProxies.length === 0
      ? []
      : [
          hap`http-request set-var(txn.https) bool(true) if ${fromProxy} { req.hdr(x-forwarded-proto,1) -i https }`,
          hap`http-request set-var(txn.https) bool(false) if ${fromProxy} { req.hdr(x-forwarded-proto) -m found } !{ req.hdr(x-forwarded-proto,1) -i https }`,
        ]),
  ];
}

/** The host that the client named to a trusted proxy becomes the host of the request; nobody else may speak of another. */
function proxyLines(settings: PlanSettings): readonly Token[] {
  return [
    ...(settings.fullForwardedFor
      ? [
          hap`http-request set-var-fmt(txn.chain) %[req.fhdr(x-forwarded-for)],\ %[var(txn.peer)] if ${fromProxy} { req.hdr(x-forwarded-for) -m found }`,
        ]
      : []),
    hap`http-request set-var(txn.port) req.hdr(x-forwarded-port,1) if ${fromProxy} { req.hdr(x-forwarded-port,1) -m reg ^[0-9]{1,5}$ }`,
    hap`http-request set-header Host %[req.hdr(x-forwarded-host,1)] if ${fromProxy} { req.hdr(x-forwarded-host,1) -m len gt 0 }`,
    hap`http-request del-header X-Forwarded- -m beg if !${fromProxy}`,
    hap`http-request del-header Forwarded if !${fromProxy}`,
  ];
}

function portLines({ listeners, trustedProxies }: PlanSettings): readonly Token[] {
  const { publicHttpPort, publicHttpsPort, proxyProtocol } = listeners;
  const unless = trustedProxies.length === 0 ? hap`` : hap` !{ var(txn.port) -m found }`;
  return [
    proxyProtocol
      ? hap`http-request set-header X-Forwarded-Port %[dst_port] if !${isHttps}${unless}`
      : hap`http-request set-header X-Forwarded-Port ${publicHttpPort} if !${isHttps}${unless}`,
    hap`http-request set-header X-Forwarded-Port ${publicHttpsPort} if ${isHttps}${unless}`,
    ...(trustedProxies.length === 0 ? [] : [hap`http-request set-header X-Forwarded-Port %[var(txn.port)] if { var(txn.port) -m found }`]),
  ];
}

/** What every answer tells a client on TLS. */
export function responseLines(settings: PlanSettings): readonly Token[] {
  const { listeners, hsts } = settings;
  return [
    ...(hsts === undefined ? [] : [hap`http-after-response set-header Strict-Transport-Security ${string(hsts)} if { ssl_fc }`]),
    ...(listeners.http3
      ? [hap`http-after-response set-header Alt-Svc ${string(`h3=":${listeners.publicHttpsPort}"; ma=86400`)} if { ssl_fc }`]
      : []),
  ];
}

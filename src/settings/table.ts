import { cidr } from '../features/values/network.ts';
import { goDuration } from '../features/values/units.ts';
import { bool, choice, commaList, integer, printable } from '../features/values/basic.ts';
import { type Parsed, type Parser, parsed, problem } from '../features/contract/key.ts';
import type { Settings } from './settings.ts';

/** One setting: its flag, how its text is read, and where the value goes. The environment variable is `RAMJET_` and the flag in capitals. */
export interface SettingSpec {
  /** Without dashes: `http-addresses`. */
  readonly flag: string;
  /** What a value looks like; empty for an on/off flag. */
  readonly value: string;
  readonly default: string;
  readonly summary: string;
  /** The settings with the value put in, or one plain problem. */
  apply(settings: Settings, text: string): Parsed<Settings>;
}

function setting<T>(
  spec: Omit<SettingSpec, 'apply'> & { readonly parse: Parser<T>; put(settings: Settings, value: T): Settings },
): SettingSpec {
  const { parse, put, ...rest } = spec;
  return {
    ...rest,
    apply(settings, text) {
      const outcome = parse(text);
      return outcome.ok ? parsed(put(settings, outcome.value)) : outcome;
    },
  };
}

const listen: Parser<string> = (text) =>
  /^([0-9.]+|\[[0-9a-fA-F:.]+\])?:[0-9]{1,5}$/.test(text) ? parsed(text) : problem('is not `address:port` or `:port`');
const names = commaList(printable(253));
const serviceReference: Parser<string> = (text) =>
  /^[a-z0-9.-]+\/[a-z0-9.-]+:[a-z0-9-]+$/.test(text) ? parsed(text) : problem('is not `namespace/name:port`');
const objectReference: Parser<string> = (text) =>
  /^[a-z0-9.-]+\/[a-z0-9.-]+$/.test(text) ? parsed(text) : problem('is not `namespace/name`');
const addresses = commaList(listen);
const networks = commaList(cidr);
const logLevel = choice(['debug', 'info', 'warn', 'error']);
const port = integer({ min: 1, max: 65_535 });

export const SETTINGS: readonly SettingSpec[] = [
  setting({
    flag: 'manifests',
    value: 'PATHS',
    default: '',
    summary: 'Files or directories of manifests, comma separated; - is standard input.',
    parse: names,
    put: (s, manifests) => ({ ...s, manifests }),
  }),
  setting({
    flag: 'http',
    value: 'ADDRESSES',
    default: ':8080',
    summary: 'Where to listen for http, comma separated.',
    parse: addresses,
    put: (s, http) => withListeners(s, { http, publicHttpPort: portOf(http) }),
  }),
  setting({
    flag: 'https',
    value: 'ADDRESSES',
    default: ':8443',
    summary: 'Where to listen for https, comma separated.',
    parse: addresses,
    put: (s, https) => withListeners(s, { https, publicHttpsPort: portOf(https) }),
  }),
  setting({
    flag: 'public-http-port',
    value: 'PORT',
    default: 'that of --http',
    summary: 'Port that clients see for http.',
    parse: port,
    put: (s, publicHttpPort) => withListeners(s, { publicHttpPort }),
  }),
  setting({
    flag: 'public-https-port',
    value: 'PORT',
    default: 'that of --https',
    summary: 'Port that clients see for https: in redirects and X-Forwarded-Port.',
    parse: port,
    put: (s, publicHttpsPort) => withListeners(s, { publicHttpsPort }),
  }),
  setting({
    flag: 'http3',
    value: '',
    default: 'false',
    summary: 'Serve HTTP/3 on the https addresses and announce it.',
    parse: bool,
    put: (s, http3) => withListeners(s, { http3 }),
  }),
  setting({
    flag: 'proxy-protocol',
    value: '',
    default: 'false',
    summary: 'Connections start with a PROXY protocol header.',
    parse: bool,
    put: (s, proxyProtocol) => withListeners(s, { proxyProtocol }),
  }),
  setting({
    flag: 'trusted-proxies',
    value: 'CIDRS',
    default: 'none',
    summary: 'Proxies whose X-Forwarded-* headers are believed, comma separated.',
    parse: networks,
    put: (s, trustedProxies) => withPlan(s, { trustedProxies }),
  }),
  setting({
    flag: 'admin',
    value: 'ADDRESS',
    default: '127.0.0.1:10254',
    summary: 'Where to listen for health, metrics and the admin page.',
    parse: listen,
    put: (s, admin) => ({ ...s, admin }),
  }),
  setting({
    flag: 'ingress-class',
    value: 'NAMES',
    default: 'ramjet,nginx,haptic,haproxy,mse,higress',
    summary: 'Class names to claim without an IngressClass object, comma separated.',
    parse: names,
    put: (s, classNames) => withCompile(s, { classNames }),
  }),
  setting({
    flag: 'controller-class',
    value: 'NAMES',
    default: 'ramjet.dev/ingress,k8s.io/ingress-nginx',
    summary: 'Controller names of IngressClasses to claim, comma separated.',
    parse: names,
    put: (s, controllers) => withCompile(s, { controllers }),
  }),
  setting({
    flag: 'watch-ingress-without-class',
    value: '',
    default: 'true for folders',
    summary: 'Serve objects that name no class.',
    parse: bool,
    put: (s, withoutClass) => withCompile(s, { withoutClass }),
  }),
  setting({
    flag: 'default-backend-service',
    value: 'NAMESPACE/NAME:PORT',
    default: '404',
    summary: 'Answers what no route matches.',
    parse: serviceReference,
    put: (s, defaultBackend) => withCompile(s, { defaultBackend }),
  }),
  setting({
    flag: 'default-ssl-certificate',
    value: 'NAMESPACE/NAME',
    default: 'self-signed',
    summary: 'TLS Secret shown where no other certificate fits.',
    parse: objectReference,
    put: (s, defaultCertificate) => withCompile(s, { defaultCertificate }),
  }),
  setting({
    flag: 'haproxy',
    value: 'PATH',
    default: 'found or provisioned',
    summary: 'The HAProxy program, 3.2 or newer.',
    parse: printable(4096),
    put: (s, haproxy) => ({ ...s, haproxy }),
  }),
  setting({
    flag: 'run-dir',
    value: 'PATH',
    default: 'a temporary directory',
    summary: 'Where configuration, maps and sockets live.',
    parse: printable(80),
    put: (s, runDir) => ({ ...s, runDir }),
  }),
  setting({
    flag: 'threads',
    value: 'N',
    default: 'processors',
    summary: 'Threads of HAProxy.',
    parse: integer({ min: 1, max: 256 }),
    put: (s, threads) => withPlan(s, { threads }),
  }),
  setting({
    flag: 'access-log',
    value: '',
    default: 'false',
    summary: 'One JSON object a request on standard output.',
    parse: bool,
    put: (s, accessLog) => withPlan(s, { accessLog }),
  }),
  setting({
    flag: 'drain',
    value: 'DURATION',
    default: '30s',
    summary: 'Time that open connections get when Ramjet ends.',
    parse: goDuration,
    put: (s, drain) => ({ ...s, drain }),
  }),
  setting({
    flag: 'lame-duck',
    value: 'DURATION',
    default: '0s',
    summary: 'Time in which readiness fails and new connections are still served.',
    parse: goDuration,
    put: (s, lameDuck) => ({ ...s, lameDuck }),
  }),
  setting({
    flag: 'log-level',
    value: 'LEVEL',
    default: 'info',
    summary: 'debug, info, warn or error.',
    parse: logLevel,
    put: (s, level) => ({ ...s, logLevel: level }),
  }),
];

function withPlan(settings: Settings, plan: Partial<Settings['plan']>): Settings {
  return { ...settings, plan: { ...settings.plan, ...plan } };
}

function withListeners(settings: Settings, listeners: Partial<Settings['plan']['listeners']>): Settings {
  const next = withPlan(settings, { listeners: { ...settings.plan.listeners, ...listeners } });
  return listeners.publicHttpsPort === undefined
    ? next
    : withCompile(next, { features: { ...next.compile.features, httpsPort: listeners.publicHttpsPort } });
}

function withCompile(settings: Settings, compile: Partial<Settings['compile']>): Settings {
  return { ...settings, compile: { ...settings.compile, ...compile } };
}

function portOf(addresses: readonly string[]): number {
  return Number(addresses[0]?.split(':').at(-1));
}

export function environmentName(flag: string): string {
  return `RAMJET_${flag.toUpperCase().replaceAll('-', '_')}`;
}

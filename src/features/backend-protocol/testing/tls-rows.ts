/** What stands behind a Service of that name. */
export type ServiceName = 'plain' | 'h2c' | 'tls' | 'tls-h2' | 'raw';

interface Row {
  readonly service: ServiceName;
  /** By key without prefix. */
  readonly annotations: Readonly<Record<string, string>>;
  /** What the endpoint saw, or the status. */
  readonly expect: number | Readonly<Record<string, unknown>>;
  /** Codes of warnings and errors about the object. */
  readonly codes?: readonly string[];
}

const nginxOff = { sni: null, client: null, http: '1.1', alpn: 'http/1.1' };
const VERIFIED = { 'proxy-ssl-secret': 'default/ca', 'proxy-ssl-verify': 'on', 'proxy-ssl-name': 'pod.internal' };
const CLOSED = ['RouteClosed'];

const NGINX: Readonly<Record<string, Row>> = {
  none: { service: 'plain', annotations: {}, expect: { http: '1.1', tls: null } },
  http: { service: 'plain', annotations: { 'backend-protocol': ' http ' }, expect: { http: '1.1', tls: null } },
  https: { service: 'tls', annotations: { 'backend-protocol': 'HTTPS' }, expect: nginxOff },
  'https-lower': { service: 'tls', annotations: { 'backend-protocol': 'https' }, expect: nginxOff },
  grpc: { service: 'h2c', annotations: { 'backend-protocol': 'grpc' }, expect: { http: '2.0', tls: null } },
  grpcs: { service: 'tls-h2', annotations: { 'backend-protocol': 'GRPCS' }, expect: { http: '2.0', alpn: 'h2', sni: null } },
  auto: {
    service: 'plain',
    annotations: { 'backend-protocol': 'AUTO_HTTP' },
    expect: { http: '1.1', tls: null },
    codes: ['AnnotationAdjusted'],
  },
  fcgi: { service: 'plain', annotations: { 'backend-protocol': 'FCGI' }, expect: { http: '1.1', tls: null }, codes: ['AnnotationPending'] },
  unknown: {
    service: 'plain',
    annotations: { 'backend-protocol': 'HTTPSS' },
    expect: { http: '1.1', tls: null },
    codes: ['InvalidAnnotation'],
  },
  hostile: {
    service: 'plain',
    annotations: { 'backend-protocol': 'HTTP\n  server x 127.0.0.1:1' },
    expect: { http: '1.1', tls: null },
    codes: ['InvalidAnnotation'],
  },
  sni: {
    service: 'tls',
    annotations: { 'backend-protocol': 'HTTPS', 'proxy-ssl-name': 'any.name', 'proxy-ssl-server-name': 'on' },
    expect: { sni: 'any.name' },
  },
  'sni-off': {
    service: 'tls',
    annotations: { 'backend-protocol': 'HTTPS', 'proxy-ssl-name': 'any.name', 'proxy-ssl-server-name': 'off' },
    expect: { sni: null },
    codes: ['AnnotationIgnored'],
  },
  'sni-true': {
    service: 'tls',
    annotations: { 'backend-protocol': 'HTTPS', 'proxy-ssl-name': 'any.name', 'proxy-ssl-server-name': 'true' },
    expect: { sni: null },
    codes: ['InvalidAnnotation', 'AnnotationIgnored'],
  },
  nameless: {
    service: 'tls',
    annotations: { 'backend-protocol': 'HTTPS', 'proxy-ssl-server-name': 'on' },
    expect: { sni: null },
    codes: ['AnnotationIgnored'],
  },
  'bad-name': {
    service: 'tls',
    annotations: { 'backend-protocol': 'HTTPS', 'proxy-ssl-name': 'a b) str(x', 'proxy-ssl-server-name': 'on' },
    expect: { sni: null },
    codes: ['InvalidAnnotation', 'AnnotationIgnored'],
  },
  client: { service: 'tls', annotations: { 'backend-protocol': 'HTTPS', 'proxy-ssl-secret': 'client' }, expect: { client: 'gateway' } },
  verified: { service: 'tls', annotations: { 'backend-protocol': 'HTTPS', ...VERIFIED }, expect: { sni: null, client: null } },
  'verified-sni': {
    service: 'tls-h2',
    annotations: { 'backend-protocol': 'GRPCS', ...VERIFIED, 'proxy-ssl-server-name': 'on', 'proxy-ssl-verify-depth': '2' },
    expect: { http: '2.0', sni: 'pod.internal' },
  },
  'verified-client': {
    service: 'tls',
    annotations: { 'backend-protocol': 'HTTPS', ...VERIFIED, 'proxy-ssl-secret': 'both' },
    expect: { client: 'gateway' },
  },
  'other-ca': { service: 'tls', annotations: { 'backend-protocol': 'HTTPS', ...VERIFIED, 'proxy-ssl-secret': 'other-ca' }, expect: 503 },
  'other-name': {
    service: 'tls',
    annotations: { 'backend-protocol': 'HTTPS', ...VERIFIED, 'proxy-ssl-name': 'else.internal' },
    expect: 503,
  },
  'other-sni': {
    service: 'tls',
    annotations: { 'backend-protocol': 'HTTPS', ...VERIFIED, 'proxy-ssl-name': 'else.internal', 'proxy-ssl-server-name': 'on' },
    expect: 503,
  },
  'no-ca': {
    service: 'tls',
    annotations: { 'backend-protocol': 'HTTPS', ...VERIFIED, 'proxy-ssl-secret': 'client' },
    expect: 503,
    codes: ['InvalidSecret', ...CLOSED],
  },
  'no-secret': {
    service: 'tls',
    annotations: { 'backend-protocol': 'HTTPS', 'proxy-ssl-verify': 'on', 'proxy-ssl-name': 'pod.internal' },
    expect: 503,
    codes: ['InvalidAnnotation', ...CLOSED],
  },
  'no-name': {
    service: 'tls',
    annotations: { 'backend-protocol': 'HTTPS', 'proxy-ssl-verify': 'on', 'proxy-ssl-secret': 'ca' },
    expect: 503,
    codes: ['InvalidAnnotation', ...CLOSED],
  },
  'bad-verify': {
    service: 'tls',
    annotations: { 'backend-protocol': 'HTTPS', 'proxy-ssl-verify': 'yes' },
    expect: 503,
    codes: ['InvalidAnnotation', ...CLOSED],
  },
  revoked: {
    service: 'tls',
    annotations: { 'backend-protocol': 'HTTPS', ...VERIFIED, 'proxy-ssl-secret': 'crl' },
    expect: 503,
    codes: ['InvalidSecret', ...CLOSED],
  },
  missing: {
    service: 'tls',
    annotations: { 'backend-protocol': 'HTTPS', 'proxy-ssl-secret': 'gone' },
    expect: 503,
    codes: ['SecretMissing', ...CLOSED],
  },
  foreign: {
    service: 'tls',
    annotations: { 'backend-protocol': 'HTTPS', 'proxy-ssl-secret': 'elsewhere/ca' },
    expect: 503,
    codes: ['SecretMissing', ...CLOSED],
  },
  empty: {
    service: 'tls',
    annotations: { 'backend-protocol': 'HTTPS', 'proxy-ssl-secret': 'empty' },
    expect: 503,
    codes: ['InvalidSecret', ...CLOSED],
  },
  garbage: {
    service: 'tls',
    annotations: { 'backend-protocol': 'HTTPS', 'proxy-ssl-secret': 'garbage' },
    expect: 503,
    codes: ['InvalidSecret', ...CLOSED],
  },
  unpaired: {
    service: 'tls',
    annotations: { 'backend-protocol': 'HTTPS', 'proxy-ssl-secret': 'unpaired' },
    expect: 503,
    codes: ['InvalidSecret', ...CLOSED],
  },
  tls12: {
    service: 'tls',
    annotations: {
      'backend-protocol': 'HTTPS',
      'proxy-ssl-protocols': 'TLSv1.2',
      'proxy-ssl-ciphers': 'ECDHE-ECDSA-AES256-GCM-SHA384:!aNULL',
    },
    expect: { tls: 'TLSv1.2', cipher: 'ECDHE-ECDSA-AES256-GCM-SHA384' },
  },
  tls13: { service: 'tls', annotations: { 'backend-protocol': 'HTTPS', 'proxy-ssl-protocols': 'TLSv1.3' }, expect: { tls: 'TLSv1.3' } },
  'tls-old': {
    service: 'tls',
    annotations: { 'backend-protocol': 'HTTPS', 'proxy-ssl-protocols': 'TLSv1.1 TLSv1.2' },
    expect: { tls: 'TLSv1.2' },
    codes: ['AnnotationAdjusted'],
  },
  'tls-bad': {
    service: 'tls',
    annotations: { 'backend-protocol': 'HTTPS', 'proxy-ssl-protocols': 'SSLv3', 'proxy-ssl-ciphers': 'NO-SUCH-CIPHER' },
    expect: { tls: 'TLSv1.3' },
    codes: ['InvalidAnnotation', 'InvalidAnnotation'],
  },
  'tls-hostile': {
    service: 'tls',
    annotations: {
      'backend-protocol': 'HTTPS',
      'proxy-ssl-protocols': 'TLSv1.2 verify none',
      'proxy-ssl-ciphers': 'AES128-SHA verify none',
    },
    expect: { tls: 'TLSv1.3' },
    codes: ['InvalidAnnotation', 'InvalidAnnotation'],
  },
  'without-tls': {
    service: 'plain',
    annotations: { 'proxy-ssl-secret': 'ca', 'proxy-ssl-verify': 'on' },
    expect: { tls: null },
    codes: ['AnnotationIgnored', 'AnnotationIgnored'],
  },
};

const MSE: Readonly<Record<string, Row>> = {
  http2: { service: 'h2c', annotations: { 'backend-protocol': 'HTTP2' }, expect: { http: '2.0', tls: null } },
  https: { service: 'tls', annotations: { 'backend-protocol': 'https' }, expect: nginxOff },
  grpc: { service: 'h2c', annotations: { 'backend-protocol': 'GRPC' }, expect: { http: '2.0' } },
  grpcs: { service: 'tls-h2', annotations: { 'backend-protocol': 'GRPCS' }, expect: { http: '2.0', alpn: 'h2' } },
  fcgi: { service: 'plain', annotations: { 'backend-protocol': 'FCGI' }, expect: { http: '1.1' }, codes: ['AnnotationAdjusted'] },
  ajp: { service: 'plain', annotations: { 'backend-protocol': 'AJP' }, expect: { http: '1.1' }, codes: ['InvalidAnnotation'] },
  secret: { service: 'tls', annotations: { 'proxy-ssl-secret': 'client' }, expect: { client: 'gateway', sni: null } },
  name: {
    service: 'tls',
    annotations: { 'proxy-ssl-secret': 'default/client', 'proxy-ssl-name': 'pod.internal', 'proxy-ssl-server-name': 'on' },
    expect: { client: 'gateway', sni: 'pod.internal' },
  },
  'name-true': {
    service: 'tls',
    annotations: { 'backend-protocol': 'HTTPS', 'proxy-ssl-name': 'pod.internal', 'proxy-ssl-server-name': 'true' },
    expect: { sni: null },
    codes: ['InvalidAnnotation', 'AnnotationIgnored'],
  },
  missing: { service: 'tls', annotations: { 'proxy-ssl-secret': 'gone' }, expect: 503, codes: ['SecretMissing', ...CLOSED] },
  verify: { service: 'tls', annotations: { 'backend-protocol': 'HTTPS', ...VERIFIED }, expect: { tls: 'TLSv1.3' } },
};

const HAPTIC: Readonly<Record<string, Row>> = {
  h1: { service: 'plain', annotations: { 'backend-protocol': 'h1' }, expect: { http: '1.1', tls: null } },
  http: { service: 'plain', annotations: { 'backend-protocol': 'http' }, expect: { http: '1.1', tls: null } },
  h2: { service: 'h2c', annotations: { 'backend-protocol': 'h2' }, expect: { http: '2.0', tls: null } },
  grpc: { service: 'h2c', annotations: { 'backend-protocol': 'grpc' }, expect: { http: '2.0' } },
  'h1-ssl': { service: 'tls', annotations: { 'backend-protocol': 'h1-ssl' }, expect: nginxOff },
  https: { service: 'tls', annotations: { 'backend-protocol': 'https' }, expect: nginxOff },
  'h2-ssl': { service: 'tls-h2', annotations: { 'backend-protocol': 'h2-ssl' }, expect: { http: '2.0', alpn: 'h2' } },
  grpcs: { service: 'tls-h2', annotations: { 'backend-protocol': 'grpcs' }, expect: { http: '2.0', alpn: 'h2' } },
  unknown: { service: 'plain', annotations: { 'backend-protocol': 'HTTPS' }, expect: 503, codes: ['InvalidAnnotation', ...CLOSED] },
  ca: { service: 'tls', annotations: { 'backend-ca-secret': 'ca' }, expect: { tls: 'TLSv1.3', sni: null } },
  'ca-name': {
    service: 'tls',
    annotations: { 'backend-ca-secret': 'ca', 'backend-verify': 'on', 'backend-verify-host': 'pod.internal' },
    expect: { tls: 'TLSv1.3' },
  },
  'ca-sni': {
    service: 'tls',
    annotations: { 'backend-ca-secret': 'default/ca', 'backend-verify-host': 'pod.internal', 'backend-sni': 'pod.internal' },
    expect: { sni: 'pod.internal' },
  },
  'ca-off': {
    service: 'tls',
    annotations: { 'backend-ca-secret': 'other-ca', 'backend-verify': 'no' },
    expect: 503,
    codes: ['AnnotationIgnored'],
  },
  'wrong-ca': { service: 'tls', annotations: { 'backend-ca-secret': 'other-ca', 'backend-protocol': 'https' }, expect: 503 },
  'wrong-name': { service: 'tls', annotations: { 'backend-ca-secret': 'ca', 'backend-verify-host': 'else.internal' }, expect: 503 },
  'wrong-host': { service: 'tls', annotations: { 'backend-ca-secret': 'ca', 'backend-sni': 'host' }, expect: 503 },
  contradiction: {
    service: 'tls',
    annotations: { 'backend-ca-secret': 'ca', 'backend-verify-host': 'pod.internal', 'backend-sni': 'sni' },
    expect: 503,
    codes: ['InvalidAnnotation', ...CLOSED],
  },
  'verify-alone': {
    service: 'tls',
    annotations: { 'backend-protocol': 'https', 'backend-verify': 'true' },
    expect: 503,
    codes: ['InvalidAnnotation', ...CLOSED],
  },
  'name-alone': {
    service: 'tls',
    annotations: { 'backend-protocol': 'https', 'backend-verify-host': 'pod.internal' },
    expect: 503,
    codes: ['InvalidAnnotation', ...CLOSED],
  },
  'bad-verify': {
    service: 'tls',
    annotations: { 'backend-protocol': 'https', 'backend-verify': 'required' },
    expect: 503,
    codes: ['InvalidAnnotation', ...CLOSED],
  },
  'ca-missing': { service: 'tls', annotations: { 'backend-ca-secret': 'gone' }, expect: 503, codes: ['SecretMissing', ...CLOSED] },
  'ca-keyless': { service: 'tls', annotations: { 'backend-ca-secret': 'client' }, expect: 503, codes: ['InvalidSecret', ...CLOSED] },
  'ca-garbage': { service: 'tls', annotations: { 'backend-ca-secret': 'garbage' }, expect: 503, codes: ['InvalidSecret', ...CLOSED] },
  'sni-host': {
    service: 'tls',
    annotations: { 'backend-protocol': 'https', 'backend-sni': 'host' },
    expect: { sni: 'haptic-sni-host.example' },
  },
  'sni-bad': {
    service: 'tls',
    annotations: { 'backend-protocol': 'https', 'backend-sni': 'str(a) verify none' },
    expect: 503,
    codes: ['InvalidAnnotation', ...CLOSED],
  },
  crt: { service: 'tls', annotations: { 'backend-protocol': 'https', 'backend-crt-secret': 'client' }, expect: { client: 'gateway' } },
  'crt-missing': {
    service: 'tls',
    annotations: { 'backend-protocol': 'https', 'backend-crt-secret': 'gone' },
    expect: { client: null },
    codes: ['SecretMissing'],
  },
  'crt-bad': {
    service: 'tls',
    annotations: { 'backend-protocol': 'https', 'backend-crt-secret': 'ca' },
    expect: { client: null },
    codes: ['InvalidSecret'],
  },
  'crt-plain': {
    service: 'plain',
    annotations: { 'backend-crt-secret': 'client', 'backend-sni': 'host', 'backend-ciphers': 'HIGH' },
    expect: { tls: null },
    codes: ['AnnotationIgnored', 'AnnotationIgnored', 'AnnotationIgnored'],
  },
  ciphers: {
    service: 'tls',
    annotations: { 'backend-protocol': 'https', 'backend-ssl-protocols': 'TLSv1.2', 'backend-ciphers': 'ECDHE-ECDSA-AES128-GCM-SHA256' },
    expect: { tls: 'TLSv1.2', cipher: 'ECDHE-ECDSA-AES128-GCM-SHA256' },
  },
  suites: {
    service: 'tls',
    annotations: {
      'backend-protocol': 'https',
      'backend-ssl-protocols': 'TLSv1.2 TLSv1.3',
      'backend-ciphersuites': 'TLS_CHACHA20_POLY1305_SHA256',
    },
    expect: { cipher: 'TLS_CHACHA20_POLY1305_SHA256' },
  },
  'bad-suites': {
    service: 'tls',
    annotations: { 'backend-protocol': 'https', 'backend-ciphersuites': 'TLS_NONE' },
    expect: 503,
    codes: ['InvalidAnnotation', ...CLOSED],
  },
  'bad-ciphers': {
    service: 'tls',
    annotations: { 'backend-protocol': 'https', 'backend-ciphers': 'x'.repeat(65_536) },
    expect: 503,
    codes: ['InvalidAnnotation', ...CLOSED],
  },
  'bad-versions': {
    service: 'tls',
    annotations: { 'backend-protocol': 'https', 'backend-ssl-protocols': '1.3' },
    expect: 503,
    codes: ['InvalidAnnotation', ...CLOSED],
  },
  'proxy-v1': {
    service: 'raw',
    annotations: { 'proxy-protocol': 'proxy-v1' },
    expect: { startsWith: Buffer.from('PROXY TCP4 127.0.0.1 127.0.0.1 ').toString('hex') },
  },
  proxy: { service: 'raw', annotations: { 'proxy-protocol': 'proxy' }, expect: { startsWith: Buffer.from('PROXY TCP4 ').toString('hex') } },
  'proxy-v2': { service: 'raw', annotations: { 'proxy-protocol': 'proxy-v2' }, expect: { startsWith: '0d0a0d0a000d0a515549540a2111000c' } },
  'proxy-v2-ssl': {
    service: 'raw',
    annotations: { 'proxy-protocol': 'proxy-v2-ssl' },
    expect: { startsWith: '0d0a0d0a000d0a515549540a2111' },
  },
  'proxy-v2-ssl-cn': {
    service: 'raw',
    annotations: { 'proxy-protocol': 'proxy-v2-ssl-cn' },
    expect: { startsWith: '0d0a0d0a000d0a515549540a2111' },
  },
  'proxy-bad': { service: 'plain', annotations: { 'proxy-protocol': 'v2' }, expect: 503, codes: ['InvalidAnnotation', ...CLOSED] },
};

/** What each annotation does, for good, bad and odd values. */
export const DIALECTS = [
  { name: 'nginx', prefix: 'nginx.ingress.kubernetes.io', className: 'nginx', rows: NGINX },
  { name: 'mse', prefix: 'mse.ingress.kubernetes.io', className: 'mse', rows: MSE },
  { name: 'haptic', prefix: 'haproxy-haptic.org', className: 'haptic', rows: HAPTIC },
] as const;

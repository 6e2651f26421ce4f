import { key, type Parsed, parsed, problem } from '../contract/key.ts';
import { type ReadContext, reader } from '../contract/reader.ts';
import { choice } from '../values/basic.ts';
import { hostName } from '../values/network.ts';
import { lookSecret, objectReference } from '../values/secrets.ts';
import type { BackendProtocolPolicy, BackendTls, BackendVerify, ClientCertificate, ProxyProtocol } from './policy.ts';
import { labelOf, readCa, readClientCertificate } from './secrets.ts';
import { ciphers, ciphersuites, tlsVersions } from './values.ts';
import type { Versions } from './versions.ts';

const common = { onInvalid: 'close', scope: 'backend' } as const;

const NAMES = ['h1', 'http', 'h2', 'grpc', 'h1-ssl', 'https', 'h2-ssl', 'grpcs'] as const;
const HTTP2: readonly string[] = ['h2', 'grpc', 'h2-ssl', 'grpcs'] satisfies readonly (typeof NAMES)[number][];
const OVER_TLS: readonly string[] = ['h1-ssl', 'https', 'h2-ssl', 'grpcs'] satisfies readonly (typeof NAMES)[number][];

const SEND: Readonly<Record<string, ProxyProtocol>> = {
  proxy: 'v1',
  'proxy-v1': 'v1',
  'proxy-v2': 'v2',
  'proxy-v2-ssl': 'v2-ssl',
  'proxy-v2-ssl-cn': 'v2-ssl-cn',
};

export const haptic = reader({
  dialect: 'haptic',
  keys: {
    protocol: key({
      ...common,
      name: 'backend-protocol',
      parse: choice(NAMES),
      value: NAMES.join(', '),
      default: 'h1',
      summary: 'What the endpoints speak: HTTP/1.1 or HTTP/2 (grpc), in the clear or over TLS.',
    }),
    ca: key({
      ...common,
      name: 'backend-ca-secret',
      parse: objectReference,
      value: 'name or namespace/name of a Secret',
      default: 'none',
      summary: 'The Secret with the CA (ca.crt) by which the certificates of the endpoints are checked; turns TLS and the check on.',
      difference: 'Without a usable CA the routes are closed; HAPTIC leaves the check out with a comment in its configuration.',
    }),
    certificate: key({
      ...common,
      name: 'backend-crt-secret',
      parse: objectReference,
      value: 'name or namespace/name of a Secret',
      default: 'none',
      summary: 'The Secret with the client certificate (tls.crt, tls.key) to show to the endpoints; left out where it is missing.',
    }),
    verify: key({
      ...common,
      name: 'backend-verify',
      parse: truthy,
      value: 'on or off',
      default: 'off; on with backend-ca-secret',
      summary: 'Checks the certificates of the endpoints; needs backend-ca-secret.',
    }),
    verifyHost: key({
      ...common,
      name: 'backend-verify-host',
      parse: hostName,
      value: 'DNS name',
      default: 'none',
      summary: 'The name that a certificate must be for.',
      difference: 'HAProxy checks a certificate against the SNI that it sent: another name than `backend-sni` closes the routes.',
    }),
    sni: key({
      ...common,
      name: 'backend-sni',
      parse: sniName,
      value: 'host, sni, or a DNS name',
      default: 'none',
      summary: 'The SNI: the host of the request, or a fixed name.',
    }),
    ciphers: key({
      ...common,
      name: 'backend-ciphers',
      parse: ciphers,
      value: 'cipher list of OpenSSL',
      default: 'DEFAULT',
      summary: 'Ciphers to the endpoints in TLS 1.2.',
    }),
    ciphersuites: key({
      ...common,
      name: 'backend-ciphersuites',
      parse: ciphersuites,
      value: 'TLS 1.3 suites, joined by colons',
      default: 'all',
      summary: 'Cipher suites to the endpoints in TLS 1.3.',
    }),
    versions: key({
      ...common,
      name: 'backend-ssl-protocols',
      parse: tlsVersions,
      value: 'TLSv1.2, TLSv1.3 or both',
      default: 'TLSv1.2 TLSv1.3',
      summary: 'TLS versions to the endpoints.',
      difference: 'Versions before TLS 1.2 are left out.',
    }),
    proxyProtocol: key({
      ...common,
      name: 'proxy-protocol',
      parse: sendProxy,
      value: Object.keys(SEND).join(', '),
      default: 'none',
      summary: 'Begins each connection to an endpoint with a PROXY protocol header that carries the address of the client.',
    }),
  },
  toPolicy({ protocol, proxyProtocol, ...values }, context): BackendProtocolPolicy | undefined {
    const http = protocol !== undefined && HTTP2.includes(protocol) ? 'h2' : 'h1';
    const overTls = protocol !== undefined && OVER_TLS.includes(protocol);
    const proxy = proxyProtocol === undefined ? {} : { proxyProtocol };
    if (!overTls && values.ca === undefined && values.verify !== true) {
      reportWithoutTls(context);
      return http === 'h1' && proxyProtocol === undefined ? undefined : { http, ...proxy };
    }
    const tls = backendTls(values, context);
    return tls && { http, tls, ...proxy };
  },
});

interface TlsValues {
  readonly ca?: string;
  readonly certificate?: string;
  readonly verify?: boolean;
  readonly verifyHost?: string;
  readonly sni?: BackendTls['sni'];
  readonly ciphers?: string;
  readonly ciphersuites?: string;
  readonly versions?: Versions;
}

function backendTls(values: TlsValues, context: ReadContext): BackendTls | undefined {
  const sni = values.sni ?? ({ type: 'none' } as const);
  const verify = readVerify(values, sni, context);
  if (verify === 'closed') return undefined;
  const certificate = values.certificate === undefined ? undefined : readCertificate(values.certificate, context);
  const { ciphers, ciphersuites, versions } = values;
  return {
    sni,
    ...(verify === undefined ? {} : { verify }),
    ...(certificate === undefined ? {} : { certificate }),
    ...(ciphers === undefined ? {} : { ciphers }),
    ...(ciphersuites === undefined ? {} : { ciphersuites }),
    ...(versions === undefined ? {} : { versions }),
  };
}

function readVerify(
  { ca: reference, verify, verifyHost }: TlsValues,
  sni: BackendTls['sni'],
  context: ReadContext,
): BackendVerify | undefined | 'closed' {
  const refuse = (code: 'InvalidAnnotation' | 'InvalidSecret' | 'SecretMissing', key: string, message: string, hint?: string) => {
    context.report(code, key, message, hint);
    context.close(503);
    return 'closed' as const;
  };
  if (reference === undefined) {
    if (verify === true)
      return refuse(
        'InvalidAnnotation',
        'verify',
        '`backend-verify` needs a CA, and there is no `backend-ca-secret`.',
        'Name a Secret with `ca.crt`.',
      );
    if (verifyHost !== undefined)
      return refuse(
        'InvalidAnnotation',
        'verifyHost',
        '`backend-verify-host` needs a CA, and there is no `backend-ca-secret`.',
        'Name a Secret with `ca.crt`.',
      );
    return undefined;
  }
  if (verify === false)
    context.report(
      'AnnotationIgnored',
      'verify',
      '`backend-verify` can not turn the check off while there is `backend-ca-secret`.',
      'Remove one of the two.',
    );
  const secret = lookSecret(reference, 'backend-ca-secret', context);
  if (typeof secret === 'string') return refuse('SecretMissing', 'ca', secret);
  const found = readCa(secret);
  if (typeof found !== 'object')
    return refuse('InvalidSecret', 'ca', `\`backend-ca-secret\`: ${found ?? `${labelOf(secret)} has no \`ca.crt\`.`}`);
  if (verifyHost !== undefined && sni.type !== 'none' && (sni.type === 'host' || sni.name !== verifyHost)) {
    return refuse(
      'InvalidAnnotation',
      'verifyHost',
      '`backend-verify-host` and `backend-sni` name different names; a certificate can be checked against the SNI only.',
      'Set both to the same name, or remove one.',
    );
  }
  return { ca: found.ca, ...(verifyHost === undefined ? {} : { name: verifyHost }) };
}

/** Without it the endpoint refuses us at worst, so nothing is closed. */
function readCertificate(reference: string, context: ReadContext): ClientCertificate | undefined {
  const secret = lookSecret(reference, 'backend-crt-secret', context);
  const found = typeof secret === 'string' ? undefined : readClientCertificate(secret);
  if (typeof secret === 'string') context.report('SecretMissing', 'certificate', `${secret.slice(0, -1)}; no client certificate is shown.`);
  else if (typeof found !== 'object') {
    const reason = found?.slice(0, -1) ?? `${labelOf(secret)} has no \`tls.crt\` with \`tls.key\``;
    context.report('InvalidSecret', 'certificate', `\`backend-crt-secret\`: ${reason}; no client certificate is shown.`);
  }
  return typeof found === 'object' ? found : undefined;
}

const TLS_KEYS = {
  certificate: 'backend-crt-secret',
  verifyHost: 'backend-verify-host',
  sni: 'backend-sni',
  ciphers: 'backend-ciphers',
  ciphersuites: 'backend-ciphersuites',
  versions: 'backend-ssl-protocols',
};

function reportWithoutTls(context: ReadContext): void {
  for (const [key, name] of Object.entries(TLS_KEYS)) {
    if (context.given(key))
      context.report(
        'AnnotationIgnored',
        key,
        `\`${name}\` has no effect, since the endpoints are not spoken to over TLS.`,
        'Set `backend-protocol: https` or `grpcs`.',
      );
  }
}

function truthy(text: string): Parsed<boolean> {
  const outcome = choice(['on', 'true', 'yes', '1', 'off', 'false', 'no', '0'], { ignoreCase: true })(text);
  return outcome.ok ? parsed(['on', 'true', 'yes', '1'].includes(outcome.value)) : outcome;
}

function sniName(text: string): Parsed<BackendTls['sni']> {
  const word = text.trim();
  if (word === 'host' || word === 'sni') return parsed({ type: 'host' });
  const name = hostName(word);
  return name.ok ? parsed({ type: 'name', name: name.value }) : problem('is not `host`, `sni` or a DNS name');
}

function sendProxy(text: string): Parsed<ProxyProtocol> {
  const found = Object.entries(SEND).find(([name]) => name === text.trim())?.[1];
  return found === undefined ? problem(`is not one of ${Object.keys(SEND).join(', ')}`) : parsed(found);
}

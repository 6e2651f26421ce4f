import { key, type Parsed, parsed, problem } from '../contract/key.ts';
import { reader } from '../contract/reader.ts';
import { integer } from '../values/basic.ts';
import { hostName } from '../values/network.ts';
import { objectReference } from '../values/secrets.ts';
import type { BackendProtocolPolicy } from './policy.ts';
import { proxySsl, reportWithoutTls } from './proxy-ssl.ts';
import { ciphers, onOff, tlsVersions } from './values.ts';

const common = { onInvalid: 'default', scope: 'backend' } as const;

/** HTTP2 is MSE's word; ingress-nginx would have called it GRPC. */
const PROTOCOLS = ['HTTP', 'HTTPS', 'HTTP2', 'GRPC', 'GRPCS', 'AUTO_HTTP', 'FCGI'] as const;
export type NginxProtocol = (typeof PROTOCOLS)[number];

function protocolName(text: string): Parsed<NginxProtocol> {
  const found = PROTOCOLS.find((one) => one === text.trim().toUpperCase());
  return found === undefined ? problem(`is not one of ${PROTOCOLS.join(', ')}`) : parsed(found);
}

const independent = 'It counts without `proxy-ssl-secret`, too; ingress-nginx ignores it then.';

export const keys = {
  protocol: key({
    ...common,
    name: 'backend-protocol',
    parse: protocolName,
    value: PROTOCOLS.join(', '),
    default: 'HTTP',
    summary: 'What the endpoints speak: HTTPS is HTTP/1.1 over TLS, GRPC is HTTP/2, GRPCS is HTTP/2 over TLS.',
    difference:
      'AUTO_HTTP, the scheme of the client, is served as HTTP: the protocol belongs to the endpoint here. FCGI is not honoured yet; HTTP is spoken.',
  }),
  secret: key({
    ...common,
    onInvalid: 'close',
    name: 'proxy-ssl-secret',
    parse: objectReference,
    value: 'name or namespace/name of a Secret',
    default: 'none',
    summary:
      'The Secret with a client certificate (tls.crt, tls.key) to show to the endpoints, with the CA (ca.crt) to check theirs, or both.',
    difference:
      'Without a namespace it is the object’s own. A Secret with revocation lists (ca.crl) closes the routes where verification is on, since they are not checked.',
  }),
  name: key({
    ...common,
    name: 'proxy-ssl-name',
    parse: hostName,
    value: 'DNS name',
    default: 'none',
    summary: 'The name that the certificate of an endpoint must be for, and the SNI where `proxy-ssl-server-name` is on.',
    difference: independent,
  }),
  verify: key({
    ...common,
    onInvalid: 'close',
    name: 'proxy-ssl-verify',
    parse: onOff,
    value: 'on or off',
    default: 'off',
    summary: 'Checks the certificates of the endpoints; where the check fails, the answer is 503.',
    difference: 'Without a CA or without `proxy-ssl-name` the routes are closed; ingress-nginx checks nothing, or fails each request.',
  }),
  depth: key({
    ...common,
    name: 'proxy-ssl-verify-depth',
    parse: integer({ min: 0, max: 100 }),
    value: 'whole number',
    default: '1',
    summary: 'Longest chain of certificates between an endpoint’s and the CA.',
    status: { is: 'no-op', why: 'chains of any length are checked to their end' },
  }),
  serverName: key({
    ...common,
    name: 'proxy-ssl-server-name',
    parse: onOff,
    value: 'on or off',
    default: 'off',
    summary: 'Sends `proxy-ssl-name` as SNI.',
    difference: independent,
  }),
  protocols: key({
    ...common,
    name: 'proxy-ssl-protocols',
    parse: tlsVersions,
    value: 'TLSv1.2, TLSv1.3 or both, separated by blanks',
    default: 'TLSv1.2 TLSv1.3',
    summary: 'TLS versions to the endpoints.',
    difference: 'Both versions are spoken by default; versions before TLS 1.2 are left out.',
  }),
  ciphers: key({
    ...common,
    name: 'proxy-ssl-ciphers',
    parse: ciphers,
    value: 'cipher list of OpenSSL',
    default: 'DEFAULT',
    summary: 'Ciphers to the endpoints in TLS 1.2.',
    difference: independent,
  }),
} as const;

export const nginx = reader({
  dialect: 'nginx',
  keys,
  toPolicy({ protocol, ...values }, context): BackendProtocolPolicy | undefined {
    if (protocol === 'AUTO_HTTP')
      context.report(
        'AnnotationAdjusted',
        'protocol',
        '`backend-protocol: AUTO_HTTP` is served as HTTP, whatever the client speaks.',
        'Write `HTTPS` if the endpoints speak TLS.',
      );
    if (protocol === 'FCGI')
      context.report('AnnotationPending', 'protocol', '`backend-protocol: FCGI` is known and not yet honoured; HTTP is spoken.');
    const http = protocol === 'GRPC' || protocol === 'GRPCS' || protocol === 'HTTP2' ? 'h2' : 'h1';
    if (protocol !== 'HTTPS' && protocol !== 'GRPCS') {
      reportWithoutTls(context);
      return http === 'h2' ? { http } : undefined;
    }
    const tls = proxySsl(values, context);
    return tls && { http, tls };
  },
});

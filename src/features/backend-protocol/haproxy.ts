import { shortDigest } from '../../model/identity.ts';
import type { BackendPart, HaproxyVersion, PlanFile, ServerContext } from '../../haproxy/feature.ts';
import { cipherList, hap, type Token, word } from '../../haproxy/tokens.ts';
import type { BackendProtocolPolicy, BackendTls, ProxyProtocol } from './policy.ts';

/** What the port of a Service says about itself where no annotation does. */
const H2C: BackendProtocolPolicy = { http: 'h2' };

const backendProtocol: BackendPart<'backend-protocol'> = {
  level: 'backend',
  feature: 'backend-protocol',
  policyOf: ({ policies, appProtocol }) => policies['backend-protocol'] ?? (appProtocol === 'kubernetes.io/h2c' ? H2C : undefined),
  server: ({ http, tls, proxyProtocol }, _endpoint, context) => [
    ...(tls === undefined ? [] : tlsOptions(tls, http, context)),
    ...(http === 'h2' ? [hap`proto h2`] : []),
    ...(proxyProtocol === undefined ? [] : [SEND_PROXY[proxyProtocol]]),
  ],
  files: ({ tls }) => [
    ...(tls?.verify === undefined ? [] : [caFile(tls.verify.ca)]),
    ...(tls?.certificate === undefined
      ? []
      : [{ name: `crt/${tls.certificate.digest}.pem`, content: tls.certificate.pem.reveal(), secret: true }]),
  ],
};

const SEND_PROXY: Readonly<Record<ProxyProtocol, Token>> = {
  v1: hap`send-proxy`,
  v2: hap`send-proxy-v2`,
  'v2-ssl': hap`send-proxy-v2-ssl`,
  'v2-ssl-cn': hap`send-proxy-v2-ssl-cn`,
};

function tlsOptions(tls: BackendTls, http: 'h1' | 'h2', { version, file }: ServerContext): readonly Token[] {
  const { verify, certificate, ciphers, ciphersuites, versions } = tls;
  return [
    hap`ssl`,
    ...(verify === undefined ? [hap`verify none`] : [hap`verify required`, hap`ca-file ${file(caFile(verify.ca).name)}`]),
    ...nameOptions(tls, version),
    // Many gRPC servers refuse a connection without ALPN, and HAProxy 3.4 would offer h2 by itself one day.
    http === 'h2' ? hap`alpn h2` : hap`alpn http/1.1`,
    ...(certificate === undefined ? [] : [hap`crt ${file(`crt/${certificate.digest}.pem`)}`]),
    ...(ciphers === undefined ? [] : [hap`ciphers ${cipherList(ciphers)}`]),
    ...(ciphersuites === undefined ? [] : [hap`ciphersuites ${cipherList(ciphersuites)}`]),
    ...(versions === undefined ? [] : [hap`ssl-min-ver TLSv${word(versions.min)}`, hap`ssl-max-ver TLSv${word(versions.max)}`]),
  ];
}

/**
 * A certificate is checked against the SNI that was sent; `verifyhost` counts only where none was. HAProxy 3.4
 * sends the request's host by itself unless told not to, and would check against that.
 */
function nameOptions({ sni, verify }: BackendTls, version: HaproxyVersion): readonly Token[] {
  switch (sni.type) {
    case 'name':
      return [hap`sni str(${word(sni.name)})`];
    case 'host':
      return [hap`sni req.hdr(host),host_only`];
    case 'none':
      return [
        ...(version === '3.2' ? [] : [hap`no-sni-auto`]),
        ...(verify?.name === undefined ? [] : [hap`verifyhost ${word(verify.name)}`]),
      ];
  }
}

function caFile(ca: string): PlanFile {
  return { name: `ca/${shortDigest(ca)}.pem`, content: ca, secret: false };
}

export const parts = [backendProtocol] as const;

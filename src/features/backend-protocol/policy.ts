import type { Secret } from '../../model/secret.ts';

export interface BackendProtocolPolicy {
  /** `h2`: HTTP/2 from the first byte, by ALPN where there is TLS. */
  readonly http: 'h1' | 'h2';
  /** Absent: in the clear. */
  readonly tls?: BackendTls;
  /** A header with the client's address in front of each connection; `-ssl` and `-ssl-cn` add facts of the client's TLS. */
  readonly proxyProtocol?: ProxyProtocol;
}

export type ProxyProtocol = 'v1' | 'v2' | 'v2-ssl' | 'v2-ssl-cn';

export interface BackendTls {
  /** Server name that is asked for; `host`: the request's. A certificate is checked against it. */
  readonly sni: { readonly type: 'none' } | { readonly type: 'host' } | { readonly type: 'name'; readonly name: string };
  /** Absent: any certificate will do. */
  readonly verify?: BackendVerify;
  /** Shown to the endpoint. */
  readonly certificate?: ClientCertificate;
  /** OpenSSL's list for TLS 1.2. */
  readonly ciphers?: string;
  /** Names of TLS 1.3 suites, joined by colons. */
  readonly ciphersuites?: string;
  /** The lowest and highest version. */
  readonly versions?: { readonly min: TlsVersion; readonly max: TlsVersion };
}

export type TlsVersion = '1.2' | '1.3';

export interface BackendVerify {
  /** One or more certificates in PEM. */
  readonly ca: string;
  /** The DNS name that the certificate must be for, where `sni` names none; absent: any name. */
  readonly name?: string;
}

export interface ClientCertificate {
  /** Of chain and key: the key itself is printed nowhere, and two of them must not look the same. */
  readonly digest: string;
  /** Chain, then key. */
  readonly pem: Secret;
}

declare module '../../model/policies.ts' {
  interface BackendPolicies {
    'backend-protocol': BackendProtocolPolicy;
  }
}

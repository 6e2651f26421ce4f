/** Applied in this order: remove, set, add. Names differ from one another within each list. */
export interface HeaderOperations {
  readonly remove: readonly string[];
  readonly set: readonly HeaderLine[];
  /** The value stands beside those that are there. */
  readonly add: readonly HeaderLine[];
}

export interface HeaderLine {
  readonly name: string;
  /** Printable, without line breaks; at most 2,500 bytes together with all others of the list. */
  readonly value: string;
}

export const NO_OPERATIONS: HeaderOperations = { remove: [], set: [], add: [] };

export interface HeadersPolicy {
  /** Host that the endpoint is asked for. */
  readonly host?: string;
  readonly request: HeaderOperations;
  /** Also on answers that Ramjet gives itself. */
  readonly response: HeaderOperations;
  /** `close`: one request a connection. */
  readonly connection?: 'close';
  /** Absent: the client's address. `keep`: what a trusted proxy sent, else the client's address. `untouched`: what a trusted proxy sent, else nothing. */
  readonly forwardedFor?: 'keep' | 'untouched' | 'chain';
}

/** Operations between route and endpoint; a canary has its own. */
export interface HeaderControlPolicy {
  readonly request: HeaderOperations;
  /** Only on answers of an endpoint. */
  readonly response: HeaderOperations;
}

/** Strict-Transport-Security of TLS answers, in place of the setting; empty: not sent. */
export interface HstsPolicy {
  readonly value: string;
}

/** The client's address is in this header, if a trusted proxy sent it. `[A-Za-z0-9_-]+` */
export interface SourceAddressPolicy {
  readonly header: string;
}

export interface RequestIdPolicy {
  /** `[A-Za-z0-9_-]+` */
  readonly header: string;
  /** A value that the client sent is kept. */
  readonly acceptInbound: boolean;
}

/** Rewrites parts of an endpoint's answer. */
export interface ResponseRewritePolicy {
  /** Prefix of Location and Refresh. */
  readonly location?: Replacement;
  /** Prefix of the Path of a cookie. */
  readonly cookiePath?: Replacement;
  /** The whole Domain of a cookie, a leading dot aside. */
  readonly cookieDomain?: Replacement;
}

export interface Replacement {
  readonly from: string;
  readonly to: string;
}

declare module '../../model/policies.ts' {
  interface RoutePolicies {
    headers: HeadersPolicy;
    'header-control': HeaderControlPolicy;
    hsts: HstsPolicy;
    'source-address': SourceAddressPolicy;
    'request-id': RequestIdPolicy;
    'response-rewrite': ResponseRewritePolicy;
  }
}

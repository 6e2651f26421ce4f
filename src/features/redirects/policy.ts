export const REDIRECT_CODES = [301, 302, 303, 307, 308] as const;
export type RedirectCode = (typeof REDIRECT_CODES)[number];

/** Answers plain http with the same URL on https, but for certificate challenges. */
export interface HttpsRedirectPolicy {
  /** `tls`: only where the object has TLS for the host. */
  readonly when: 'tls' | 'always';
  readonly code: RedirectCode;
  /** 1 to 65535. */
  readonly port: number;
  /** The port is written even if it is 443. */
  readonly writePort: boolean;
  /** `cut`: one `/` at the end of a path without query is dropped, as ingress-nginx does. */
  readonly trailingSlash: 'keep' | 'cut';
}

/**
 * A Location made for each request: literal text and at most three parts of the request, in this order:
 * `before` scheme `middle` host `after` tail `end`.
 */
export interface LocationTemplate {
  /** `site`: the text is a path, and the site's own scheme and host are put in front. */
  readonly base: 'site' | 'none';
  readonly before: string;
  readonly scheme: boolean;
  readonly middle: string;
  /** `name`: without port; `header`: as the client sent it; `apex`: likewise, less a leading `www.`. */
  readonly host: 'none' | 'name' | 'header' | 'apex';
  readonly after: string;
  /** `uri`: path and query; `query`: `?` and the query if there is one. Undecoded, as the client sent them. */
  readonly tail: 'none' | 'uri' | 'path' | 'query';
  readonly end: string;
}

export interface Redirect {
  readonly location: LocationTemplate;
  readonly code: RedirectCode;
}

export interface RedirectsPolicy {
  /** Every request of the route. */
  readonly all?: Redirect;
  /** Requests for exactly `/` on the hosts of the object; becomes a route of its own. */
  readonly root?: Redirect;
  /** What no path of the object's hosts takes; becomes a route of its own. */
  readonly missing?: Redirect;
  /** Status of the redirect between `www.name` and `name`, whichever the object does not serve; becomes a route of its own. */
  readonly www?: RedirectCode;
}

declare module '../../model/policies.ts' {
  interface RoutePolicies {
    'https-redirect': HttpsRedirectPolicy;
    redirects: RedirectsPolicy;
  }
}

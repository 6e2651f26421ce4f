/**
 * Text in which `$1` to `$9` stand for what a group captured; a `$` has no other meaning. Literal text is
 * fit for a URL.
 */
export type Template = string;

/** What becomes of the path; the query stays. */
export type PathRewrite =
  /** The whole path is replaced. Groups are those of the route's own regular expression. */
  | { readonly type: 'whole'; readonly to: Template }
  /** What the route's path holds is replaced, what follows is kept. */
  | { readonly type: 'prefix'; readonly to: string }
  /** The whole path is replaced where the pattern is found in it; PCRE2. */
  | { readonly type: 'match'; readonly pattern: string; readonly to: Template }
  /** The client is sent to a URL, with status 302. Groups as in `whole`. */
  | { readonly type: 'redirect'; readonly to: Template };

/** What the endpoint sees in place of the path that was asked for. */
export interface RewritePolicy {
  readonly path?: PathRewrite;
  /** X-Forwarded-Prefix for the endpoint. */
  readonly prefix?: Template;
  /** Until shaping: whose rules say what the rewrite makes of the route's path. */
  readonly shaping?: 'nginx' | 'mse';
}

declare module '../../model/policies.ts' {
  interface RoutePolicies {
    rewrite: RewritePolicy;
  }
}

export interface CorsPolicy {
  readonly origins: AllowedOrigins;
  /** Value of Access-Control-Allow-Methods; `requested`: what the preflight asks for. */
  readonly methods: string | RequestedValue;
  readonly headers: string | RequestedValue;
  /** Value of Access-Control-Expose-Headers; absent: not sent. */
  readonly expose?: string;
  readonly credentials: boolean;
  /** Seconds. */
  readonly maxAge: number;
  /** `options`: every OPTIONS of an allowed origin, with 204. `strict`: only one with Access-Control-Request-Method, with 200. */
  readonly preflight: 'options' | 'strict';
}

export interface RequestedValue {
  readonly requested: true;
}

/**
 * `star`: all, told by a literal `*` on every answer. `any`: all, told by their own name.
 * `listed`: `https://shop.example`, `null`; `https://*.shop.example` stands for one label, with `deep` for up to four.
 */
export type AllowedOrigins =
  | { readonly type: 'star' }
  | { readonly type: 'any' }
  | { readonly type: 'listed'; readonly origins: readonly string[]; readonly deep: boolean };

declare module '../../model/policies.ts' {
  interface RoutePolicies {
    cors: CorsPolicy;
  }
}

/** Rules that every request meets, before a plain route leaves the list: only for what is cheap and common to all routes. */
export const COMMON_PHASES = ['common'] as const;

/**
 * The order of one request (design: normalise, route, client address, count, fixed answers, redirects,
 * access, limits, authentication, validation, mirror, headers, rewrite, canary). Rules of one phase
 * stand in the order of the feature registry. Request and response phases run in the frontend and see
 * only routes with a feature: a plain route has left the list before the first of them.
 */
export const REQUEST_PHASES = [
  'answer',
  'redirect',
  'access',
  'limit',
  'auth',
  'validate',
  'mirror',
  'headers',
  'rewrite',
  'canary',
] as const;

/** `http-after-response` in the frontend: also on answers that HAProxy makes itself. */
export const RESPONSE_PHASES = ['response'] as const;

/** Rules of every backend, kept in the shared defaults. */
export const BACKEND_PHASES = ['backend'] as const;

/** `filter` lines and `tcp-request` lines of the frontend. */
export const FRONTEND_PHASES = ['frontend'] as const;

export type Phase =
  | (typeof COMMON_PHASES)[number]
  | (typeof REQUEST_PHASES)[number]
  | (typeof RESPONSE_PHASES)[number]
  | (typeof BACKEND_PHASES)[number]
  | (typeof FRONTEND_PHASES)[number];

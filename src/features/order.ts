/**
 * The feature folders in the order in which they are read, and in which their rules stand inside a
 * phase. A feature that changes a route's path or host comes before those that look at it.
 */
export const FEATURE_ORDER = [
  'path',
  'rewrite',
  'canary',
  'redirects',
  'access',
  'limits',
  'basic-auth',
  'body-size',
  'buffering',
  'cors',
  'headers',
  'timeouts',
  'load-balancing',
  'affinity',
  'health-check',
  'backend-protocol',
] as const;

export interface BodySizePolicy {
  /** Bytes; 0: no limit. */
  readonly limit: number;
  /** What becomes of bodies without a declared length where there is a limit. */
  readonly undeclared: 'pass' | 'refuse' | 'count';
  /** True for routes that follow the settings alone. */
  readonly isDefault: boolean;
}

declare module '../../model/policies.ts' {
  interface RoutePolicies {
    'body-size': BodySizePolicy;
  }
}

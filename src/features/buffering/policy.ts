declare module '../../model/policies.ts' {
  interface RoutePolicies {
    /** Nothing ever has it: every key of the feature is without meaning here. */
    buffering: never;
  }
}

export {};

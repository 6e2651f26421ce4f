/** Nothing ever has it: every key of the feature is without meaning here. */
export type BufferingPolicy = never;

declare module '../../model/policies.ts' {
  interface RoutePolicies {
    buffering: BufferingPolicy;
  }
}

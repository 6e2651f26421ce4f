/**
 * What features attach to the model. Each feature declares its own entry from its `policy.ts` by
 * module augmentation, so the model names no feature and every policy is still typed:
 *
 *     declare module '../../model/policies.ts' {
 *       interface RoutePolicies { cors: CorsPolicy }
 *     }
 */
export interface RoutePolicies {}

/** Policies of a backend: together with Service and port they make its identity. */
export interface BackendPolicies {}

/** Policies of a whole host. */
export interface HostPolicies {}

export type RoutePolicyName = keyof RoutePolicies;
export type BackendPolicyName = keyof BackendPolicies;

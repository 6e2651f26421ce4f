/** Whether and how HAProxy asks endpoints for their health, beside what Kubernetes says of their pods. */
export interface HealthCheckPolicy {
  /** Absent: no check of our own. */
  readonly check?: HealthCheck;
  readonly agent?: AgentCheck;
}

export interface HealthCheck {
  /** Absent: a TCP connection is enough. */
  readonly request?: { readonly method: string; readonly uri: string };
  /** Milliseconds between two checks. */
  readonly interval?: number;
  /** Failures until an endpoint is out, successes until it is back. */
  readonly fall?: number;
  readonly rise?: number;
  readonly port?: number;
  /** Milliseconds. */
  readonly timeout?: number;
}

/** A program beside the endpoint that says how much it can take. */
export interface AgentCheck {
  readonly port: number;
  readonly address?: string;
  /** Milliseconds. */
  readonly interval?: number;
  readonly send?: string;
}

declare module '../../model/policies.ts' {
  interface BackendPolicies {
    'health-check': HealthCheckPolicy;
  }
}

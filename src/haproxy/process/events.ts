import type { Alert } from './alerts.ts';

/** What happened to HAProxy, for metrics, logs and readiness. */
export type ProcessEvent =
  | { readonly kind: 'ready'; readonly masterPid: number; readonly workerPid: number }
  | { readonly kind: 'reloaded'; readonly reasons: readonly string[]; readonly workerPid: number; readonly milliseconds: number }
  | { readonly kind: 'reload-failed'; readonly reasons: readonly string[]; readonly detail: string; readonly alerts: readonly Alert[] }
  /** `detail` is the exit of the process that died. Service is down until `restarted` or `reloaded`. */
  | { readonly kind: 'crashed'; readonly who: 'master' | 'worker'; readonly detail: string }
  | { readonly kind: 'restarted'; readonly masterPid: number; readonly workerPid: number; readonly downMilliseconds: number }
  | { readonly kind: 'restart-failed'; readonly detail: string; readonly alerts: readonly Alert[]; readonly retryMilliseconds: number }
  /** Still serving; readiness should fail from here on. */
  | { readonly kind: 'lame-duck' }
  | { readonly kind: 'draining' }
  | { readonly kind: 'stopped' };

export type ProcessListener = (event: ProcessEvent) => void;

/** The part of a pino logger that is used here. */
export interface ProcessLog {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

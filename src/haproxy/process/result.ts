import type { Alert } from './alerts.ts';

/**
 * `config`: HAProxy refuses the file. `path`: a socket path that does not fit. `spawn`: the binary
 * could not be run. `timeout`: no answer in time. `master-lost`: the master went away meanwhile and
 * is being restarted. `state`: not possible now (stopped, already started).
 */
export type ProcessErrorCode = 'config' | 'path' | 'spawn' | 'timeout' | 'master-lost' | 'state';

export interface ProcessError {
  readonly code: ProcessErrorCode;
  readonly detail: string;
  readonly alerts: readonly Alert[];
}

export interface ProcessFailure {
  readonly ok: false;
  readonly error: ProcessError;
}

export type ProcessResult<T> = { readonly ok: true; readonly value: T } | ProcessFailure;

export function processFailure(code: ProcessErrorCode, detail: string, alerts: readonly Alert[] = []): ProcessFailure {
  return { ok: false, error: { code, detail, alerts } };
}

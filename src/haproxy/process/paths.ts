import { join } from 'node:path';
import { MAX_SOCKET_PATH_BYTES } from '../runtime/exchange.ts';
import { processFailure, type ProcessResult } from './result.ts';

export interface RunPaths {
  readonly masterSocket: string;
  /** HAProxy's pid file. It is written when a worker serves, never before. */
  readonly readyFile: string;
}

/** HAProxy binds `PATH.PID.tmp` and renames it, so its own sockets have less room than ours. */
const BIND_SUFFIX_BYTES = '.4194304.tmp'.length;

const MAX_BOUND_SOCKET_PATH_BYTES = MAX_SOCKET_PATH_BYTES - BIND_SUFFIX_BYTES;

export function runPaths(runDir: string): ProcessResult<RunPaths> {
  const masterSocket = join(runDir, 'master.sock');
  const bytes = Buffer.byteLength(masterSocket);
  if (bytes > MAX_BOUND_SOCKET_PATH_BYTES) {
    return processFailure('path', `${masterSocket}: ${String(bytes)} bytes, HAProxy can bind ${String(MAX_BOUND_SOCKET_PATH_BYTES)}`);
  }
  // The path stands in an argument where a comma begins options, and in the watchdog's pattern.
  if (!/^\/[A-Za-z0-9_./-]+$/.test(masterSocket)) return processFailure('path', `${masterSocket}: not an absolute plain path`);
  return { ok: true, value: { masterSocket, readyFile: join(runDir, 'haproxy.pid') } };
}

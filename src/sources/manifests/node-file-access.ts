import { closeSync, constants, fstatSync, openSync, readdirSync, readFileSync, statSync, watch, type BigIntStats } from 'node:fs';
import type { FileAccess, FileStat, ListResult, ReadResult, WatchResult } from './file-access.ts';

/**
 * The real file system. Calls are synchronous: a stat takes 2 µs this way and twenty times that
 * through the thread pool, and the callers go in slices.
 */
export const nodeFileAccess: FileAccess = { list, stat, read, watch: watchDirectory };

function list(directory: string): ListResult {
  try {
    return { ok: true, names: readdirSync(directory) };
  } catch (error) {
    return { ok: false, missing: isMissing(error), reason: reasonOf(error) };
  }
}

function stat(path: string): FileStat | undefined {
  try {
    const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
    return stats && toFileStat(stats);
  } catch {
    // No permission, a link to itself, a file where a directory was: as good as missing.
    return undefined;
  }
}

function read(path: string, maxBytes: number): ReadResult {
  let descriptor: number | undefined;
  try {
    // O_NONBLOCK: a FIFO put in the file's place must not hold the process.
    descriptor = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    const before = toFileStat(fstatSync(descriptor, { bigint: true }));
    if (before.kind !== 'file') return { state: 'failed', reason: 'it is not a regular file' };
    if (before.size > maxBytes) return { state: 'failed', reason: `it is larger than ${maxBytes} bytes` };
    const bytes = readFileSync(descriptor);
    const after = toFileStat(fstatSync(descriptor, { bigint: true }));
    return before.signature === after.signature ? { state: 'read', bytes, stat: after } : { state: 'changing' };
  } catch (error) {
    return isMissing(error) ? { state: 'missing' } : { state: 'failed', reason: reasonOf(error) };
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

function watchDirectory(directory: string, onChange: (name: string | undefined) => void, onError: (reason: string) => void): WatchResult {
  try {
    const watcher = watch(directory, { persistent: false }, (_event, name) => onChange(name ?? undefined));
    watcher.on('error', (error) => onError(reasonOf(error)));
    return { ok: true, close: () => watcher.close() };
  } catch (error) {
    return { ok: false, reason: reasonOf(error) };
  }
}

function toFileStat(stats: BigIntStats): FileStat {
  // The inode number of a removed directory is soon given to another one; the birth time tells them apart.
  const identity = `${stats.dev}:${stats.ino}:${stats.birthtimeNs}`;
  const kind = stats.isFile() ? 'file' : stats.isDirectory() ? 'directory' : 'other';
  return { kind, identity, size: Number(stats.size), signature: `${identity}:${stats.size}:${stats.mtimeNs}:${stats.ctimeNs}` };
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR');
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

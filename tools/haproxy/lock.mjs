import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { HaproxyError } from './common.mjs';

/** @param {string} path */
function ageMs(path) {
  try {
    return Date.now() - statSync(path).mtimeMs;
  } catch {
    return 0;
  }
}

/** @param {string} path */
function tryTake(path) {
  try {
    mkdirSync(path);
    return true;
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code === 'EEXIST') return false;
    throw error;
  }
}

/**
 * Runs `work` while holding `path`, a folder. The holder touches it all the time, so a lock left by a
 * killed run is known by its age alone: a process id would say nothing across containers that share
 * a cache.
 *
 * @template T
 * @param {string} path
 * @param {() => Promise<T>} work
 * @param {{ staleMs?: number, waitMs?: number, pollMs?: number, onWait?: () => void }} [options]
 * @returns {Promise<T>}
 */
export async function withLock(path, work, options = {}) {
  const { staleMs = 15_000, waitMs = 900_000, pollMs = 200, onWait = () => {} } = options;
  mkdirSync(dirname(path), { recursive: true });
  const deadline = Date.now() + waitMs;
  let waiting = false;
  while (!tryTake(path)) {
    if (ageMs(path) > staleMs) {
      rmSync(path, { recursive: true, force: true });
      continue;
    }
    if (!waiting) onWait();
    waiting = true;
    if (Date.now() > deadline) throw new HaproxyError('busy', `Another run has held ${path} for too long.`);
    await sleep(pollMs);
  }
  const token = join(path, randomUUID());
  writeFileSync(token, '');
  const beat = setInterval(() => touch(path), staleMs / 10);
  try {
    return await work();
  } finally {
    clearInterval(beat);
    // A holder that was stopped for long (a sleeping laptop) may have lost the lock to another run.
    if (existsSync(token)) rmSync(path, { recursive: true, force: true });
  }
}

/** @param {string} path */
function touch(path) {
  try {
    const now = new Date();
    utimesSync(path, now, now);
  } catch {
    // Somebody cleared the cache: the work itself will say so.
  }
}

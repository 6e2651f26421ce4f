#!/usr/bin/env node
/**
 * Finds a usable HAProxy, or provisions one from Debian. Runs before `npm install`, so it has no
 * dependencies.
 *
 *   node tools/haproxy.mjs [--version 3.4|3.2|any] [--print]
 */
import { execFileSync } from 'node:child_process';
import { accessSync, constants, mkdirSync, realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { HaproxyError, onPath } from './haproxy/common.mjs';
import { withLock } from './haproxy/lock.mjs';
import { binaryOf, buildPrefix, isComplete, prefixOf } from './haproxy/provision.mjs';

export { HaproxyError };

/** @typedef {import('./haproxy/common.mjs').Env} Env */
/** @typedef {import('./haproxy/common.mjs').Log} Log */
/** @typedef {import('./haproxy/provision.mjs').Series} Series */
/** @typedef {'any' | Series} Want */
/** @typedef {{ full: string, major: number, minor: number, series: string }} Version */
/** @typedef {{ path: string, version: Version, origin: 'env' | 'path' | 'cache' | 'provisioned' }} Found */

/** Newest first: `any` takes the first that can be had. */
const SERIES = /** @type {const} */ (['3.4', '3.2']);

const USAGE = `Usage: node tools/haproxy.mjs [--version 3.4|3.2|any] [--print]

Prints the path of a usable haproxy; fetches one into a private folder if there is none.
  --version  3.4 or 3.2 must match exactly; any (default) is 3.2 or newer
  --print    the path only, no progress
Environment: RAMJET_HAPROXY, RAMJET_CACHE, XDG_CACHE_HOME
`;

/**
 * @param {string} path
 * @returns {Version | undefined} undefined: not a HAProxy that runs here
 */
export function haproxyVersion(path) {
  try {
    const said = execFileSync(path, ['-v'], {
      encoding: 'utf8',
      timeout: 10_000,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const match = /HA-?Proxy version ((\d+)\.(\d+)\S*)/.exec(said);
    if (!match) return undefined;
    const [, full = '', major = '', minor = ''] = match;
    return { full, major: Number(major), minor: Number(minor), series: `${major}.${minor}` };
  } catch {
    return undefined;
  }
}

/**
 * @param {Version} version
 * @param {Want} want
 */
function suits(version, want) {
  if (want !== 'any') return version.series === want;
  return version.major > 3 || (version.major === 3 && version.minor >= 2);
}

/**
 * @param {Env} env
 * @returns {string} where private copies are kept
 */
export function cacheDirectory(env) {
  if (env.RAMJET_CACHE) return resolve(env.RAMJET_CACHE);
  if (env.XDG_CACHE_HOME) return resolve(env.XDG_CACHE_HOME, 'ramjet');
  return resolve(env.HOME || homedir(), '.cache', 'ramjet');
}

/**
 * Somebody who set RAMJET_HAPROXY means it: a value that can't serve is an error, never passed over.
 * Asking for one series is another matter: the test matrix does that whatever is set.
 *
 * @param {Env} env
 * @param {Want} want
 * @returns {Found | undefined}
 */
function fromEnvironment(env, want) {
  if (!env.RAMJET_HAPROXY) return undefined;
  const path = resolve(env.RAMJET_HAPROXY);
  const version = haproxyVersion(path);
  if (!version) throw new HaproxyError('bad-setting', `RAMJET_HAPROXY=${path} is not a haproxy that runs here.`);
  if (suits(version, want)) return { path, version, origin: 'env' };
  if (want !== 'any') return undefined;
  throw new HaproxyError('bad-setting', `RAMJET_HAPROXY=${path} is HAProxy ${version.full}; Ramjet needs 3.2 or newer.`);
}

/**
 * @param {string} cacheDir
 * @param {Want} want
 * @returns {Found | undefined}
 */
function fromCache(cacheDir, want) {
  for (const series of want === 'any' ? SERIES : [want]) {
    const prefix = prefixOf(cacheDir, series);
    if (!isComplete(prefix)) continue;
    const path = binaryOf(prefix);
    // Run it: a cache that was moved has the marker, but paths in its binary that lead nowhere.
    const version = haproxyVersion(path);
    if (version && suits(version, series)) return { path, version, origin: 'cache' };
  }
  return undefined;
}

/**
 * What is already here: RAMJET_HAPROXY, then PATH, then the private cache. Fetches nothing.
 *
 * @param {{ env?: Env, want?: Want, cacheDir?: string }} [options]
 * @returns {Found | undefined}
 */
export function findHaproxy({ env = process.env, want = 'any', cacheDir = cacheDirectory(env) } = {}) {
  const named = fromEnvironment(env, want);
  if (named) return named;
  const installed = onPath('haproxy', env);
  const version = installed && haproxyVersion(installed);
  if (installed && version && suits(version, want)) return { path: installed, version, origin: 'path' };
  return fromCache(cacheDir, want);
}

/** @param {string} cacheDir */
function makeWritable(cacheDir) {
  try {
    mkdirSync(cacheDir, { recursive: true });
    accessSync(cacheDir, constants.W_OK);
  } catch (error) {
    const reason = /** @type {Error} */ (error).message;
    throw new HaproxyError('bad-setting', `The cache folder can't be written (${reason}); set RAMJET_CACHE to one that can.`);
  }
}

/**
 * @param {{ series: Series, cacheDir: string, log: Log, env: Env }} job
 * @returns {Promise<Found>}
 */
async function provisionSeries(job) {
  const { series, cacheDir, log } = job;
  makeWritable(cacheDir);
  const onWait = () => log(`another run is provisioning HAProxy ${series}; waiting for it`);
  return withLock(
    `${prefixOf(cacheDir, series)}.lock`,
    async () => {
      const ready = fromCache(cacheDir, series);
      if (ready) return ready;
      await buildPrefix(job);
      const made = fromCache(cacheDir, series);
      if (!made) throw new HaproxyError('verification', `HAProxy ${series} was provisioned but doesn't run from ${cacheDir}.`);
      log(`HAProxy ${made.version.full} is ready in ${prefixOf(cacheDir, series)}`);
      return { ...made, origin: /** @type {const} */ ('provisioned') };
    },
    { onWait },
  );
}

/**
 * @param {{ want?: Want, cacheDir?: string, log?: Log, env?: Env }} [options]
 * @returns {Promise<Found>}
 */
export async function provisionHaproxy(options = {}) {
  const { want = 'any', env = process.env, log = () => {} } = options;
  const cacheDir = resolve(options.cacheDir ?? cacheDirectory(env));
  const job = { cacheDir, log, env };
  if (want !== 'any') return provisionSeries({ ...job, series: want });
  try {
    return await provisionSeries({ ...job, series: SERIES[0] });
  } catch (error) {
    // Only what is wrong with 3.4 alone: without a mirror, 3.2 can't be had either.
    if (!(error instanceof HaproxyError) || !['no-package', 'verification'].includes(error.code)) throw error;
    log(`HAProxy ${SERIES[0]} can't be had (${error.summary}); falling back to ${SERIES[1]}`);
    return provisionSeries({ ...job, series: SERIES[1] });
  }
}

/**
 * Finds one, or provisions one.
 *
 * @param {{ want?: Want, log?: Log, env?: Env }} [options]
 * @returns {Promise<Found>}
 */
export async function ensureHaproxy({ want = 'any', log = () => {}, env = process.env } = {}) {
  return findHaproxy({ env, want }) ?? provisionHaproxy({ want, log, env });
}

class UsageError extends Error {}

/**
 * @param {string[]} args
 * @returns {{ want: Want, quiet: boolean, help: boolean }}
 */
function readArguments(args) {
  const want = new Map([['any', /** @type {Want} */ ('any')], ...SERIES.map((series) => /** @type {const} */ ([series, series]))]);
  try {
    const { values } = parseArgs({
      args,
      options: {
        version: { type: 'string', default: 'any' },
        print: { type: 'boolean' },
        help: { type: 'boolean' },
      },
    });
    const chosen = want.get(values.version);
    if (!chosen) throw new Error(`--version ${values.version}: expected ${[...want.keys()].join(', ')}`);
    return { want: chosen, quiet: values.print ?? false, help: values.help ?? false };
  } catch (error) {
    throw new UsageError(`${/** @type {Error} */ (error).message}\n${USAGE}`);
  }
}

/** @param {{ want: Want, quiet: boolean, help: boolean }} options */
async function main({ want, quiet, help }) {
  if (help) {
    process.stdout.write(USAGE);
    return;
  }
  /** @type {Log} */
  const log = quiet ? () => {} : (line) => process.stderr.write(`haproxy: ${line}\n`);
  const found = await ensureHaproxy({ want, log });
  process.stdout.write(`${found.path}\n`);
}

if (process.argv[1] && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  try {
    await main(readArguments(process.argv.slice(2)));
  } catch (error) {
    // A stack helps only with what nobody foresaw.
    const expected = error instanceof HaproxyError || error instanceof UsageError;
    process.stderr.write(`haproxy: ${expected ? error.message : /** @type {Error} */ (error).stack}\n`);
    process.exitCode = 1;
  }
}

#!/usr/bin/env node
/**
 * Makes a fresh checkout ready: packages, HAProxy, bundles. Needs Node and npm only, and does nothing twice.
 *
 *   node tools/setup.mjs [--for-tests | --packages-only]
 *
 * `--for-tests` fetches both supported HAProxy series instead of any one that serves; `--packages-only` none.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const LEAST_NODE = [20, 18, 1];

/** @param {string} line */
function log(line) {
  process.stdout.write(`setup: ${line}\n`);
}

class SetupError extends Error {}

/**
 * @param {string} name
 * @param {() => string | Promise<string>} work returns what to print after the name
 */
async function step(name, work) {
  const begun = performance.now();
  const result = await work();
  log(`${name}: ${result} (${Math.round(performance.now() - begun)} ms)`);
}

function checkNode() {
  const have = process.versions.node.split('.').map(Number);
  const index = LEAST_NODE.findIndex((least, at) => have[at] !== least);
  if (index !== -1 && have[index] < LEAST_NODE[index]) {
    throw new SetupError(`Node ${process.versions.node} is too old; install ${LEAST_NODE.join('.')} or newer.`);
  }
  return process.versions.node;
}

/** npm writes its hidden lock file last, so an install that was cut off is seen too. */
function packagesAreCurrent() {
  const installed = join(ROOT, 'node_modules/.package-lock.json');
  if (!existsSync(installed)) return false;
  const lock = join(ROOT, 'package-lock.json');
  return statSync(installed).mtimeMs >= statSync(lock).mtimeMs || sameVersions(installed, lock);
}

/**
 * A git checkout gives the lock file a new date without changing it.
 *
 * @param {string} installed
 * @param {string} lock
 */
function sameVersions(installed, lock) {
  const have = JSON.parse(readFileSync(installed, 'utf8')).packages;
  const want = JSON.parse(readFileSync(lock, 'utf8')).packages;
  return Object.entries(want).every(([path, { version, optional }]) => {
    if (path === '') return true;
    const there = have[path];
    return there ? there.version === version : optional === true;
  });
}

function installPackages() {
  if (packagesAreCurrent()) return 'up to date';
  log('packages: npm ci …');
  const npm = spawnSync('npm', ['ci', '--no-audit', '--no-fund'], { cwd: ROOT, stdio: ['ignore', 'inherit', 'inherit'] });
  if (npm.error) throw new SetupError(`npm could not be started: ${npm.error.message}`);
  if (npm.status !== 0) throw new SetupError('npm ci failed, see above.');
  return 'installed';
}

/** @param {'any' | '3.4' | '3.2'} want */
async function haproxy(want) {
  const { ensureHaproxy } = await import('./haproxy.mjs');
  const found = await ensureHaproxy({ want, log });
  return `${found.version.full}, ${found.path}`;
}

async function bundles() {
  const { buildIfStale } = await import('./build.mjs');
  return (await buildIfStale({ log })) ? 'built' : 'up to date';
}

/** @param {string[]} args */
async function main(args) {
  const [option, ...more] = args;
  if (more.length > 0 || (option !== undefined && !['--for-tests', '--packages-only'].includes(option))) {
    throw new SetupError('usage: node tools/setup.mjs [--for-tests | --packages-only]');
  }
  await step('node', checkNode);
  await step('packages', installPackages);
  if (option === '--packages-only') return;
  if (option === '--for-tests') {
    await step('haproxy 3.4', () => haproxy('3.4'));
    await step('haproxy 3.2', () => haproxy('3.2'));
  } else await step('haproxy', () => haproxy('any'));
  await step('bundles', bundles);
}

try {
  await main(process.argv.slice(2));
} catch (error) {
  const { HaproxyError } = await import('./haproxy.mjs');
  // A stack helps only with what nobody foresaw.
  const expected = error instanceof SetupError || error instanceof HaproxyError;
  process.stderr.write(`setup: ${expected ? error.message : error.stack}\n`);
  process.exitCode = 1;
}

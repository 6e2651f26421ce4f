/**
 * Lays down Debian's own HAProxy package with every library it needs, libc and loader included, in a
 * private prefix: current versions then run on any Debian, and nothing is installed.
 */
import { cpSync, lstatSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describeMachine, PrivateApt, requireApt } from './apt.mjs';
import { HaproxyError, onPath, run, tail } from './common.mjs';
import { mainArchives, readSources } from './sources.mjs';
import { verifyHaproxy } from './verify.mjs';

/** @typedef {import('./common.mjs').Env} Env */
/** @typedef {import('./common.mjs').Log} Log */
/** @typedef {'3.4' | '3.2'} Series */
/** @typedef {{ env: Env, log: Log, cacheDir: string, series: Series }} Job */

const MARKER = 'provisioned.json';

/** @type {Readonly<Record<string, { triplet: string, loader: string }>>} */
const PLATFORMS = {
  amd64: { triplet: 'x86_64-linux-gnu', loader: 'ld-linux-x86-64.so.2' },
  arm64: { triplet: 'aarch64-linux-gnu', loader: 'ld-linux-aarch64.so.1' },
};

/**
 * Tried in this order: each group is complete in itself. A series moves through the suites with
 * time (experimental → sid → testing → stable), so none is bound to one of them here.
 */
const SUITE_GROUPS = [['sid', 'experimental'], ['testing'], ['stable', 'stable-backports']];

/**
 * @param {string} cacheDir
 * @param {Series} series
 */
export function prefixOf(cacheDir, series) {
  return join(cacheDir, `haproxy-${series}`);
}

/** @param {string} prefix */
export function binaryOf(prefix) {
  return join(prefix, 'bin', 'haproxy');
}

/**
 * @param {string} prefix
 * @returns {boolean} the marker is written last, so its presence means a complete, verified prefix
 */
export function isComplete(prefix) {
  try {
    return typeof JSON.parse(readFileSync(join(prefix, MARKER), 'utf8')).haproxy === 'string';
  } catch {
    return false;
  }
}

/**
 * The caller holds the lock of this prefix.
 *
 * @param {Job} job
 */
export async function buildPrefix(job) {
  const { env, log, cacheDir, series } = job;
  if (/[":;$\n]/.test(cacheDir)) {
    throw new HaproxyError('bad-setting', `The cache folder ${cacheDir} has a character that a library path can't hold; set RAMJET_CACHE.`);
  }
  requireApt(env);
  const machine = await describeMachine(env);
  const platform = PLATFORMS[machine.architecture];
  if (!platform) throw new HaproxyError('unsupported', `No HAProxy is provisioned for the architecture ${machine.architecture}.`);
  const draft = join(cacheDir, `.haproxy-${series}.${process.pid}`);
  // Left by killed runs: we hold the lock, so nobody works in them.
  for (const name of readdirSync(cacheDir)) {
    if (name.startsWith(`.haproxy-${series}.`)) rmSync(join(cacheDir, name), { recursive: true, force: true });
  }
  try {
    const fetched = await fetchPackages(job, machine, join(draft, 'apt'));
    log(`unpacking ${fetched.packages.length} packages`);
    await assemble(job, platform, draft, fetched.packages);
    await publish(job, platform, draft, fetched);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

/**
 * @param {Job} job
 * @param {import('./apt.mjs').Machine} machine
 * @param {string} root
 * @returns {Promise<{ version: string, suite: string, packages: string[] }>}
 */
async function fetchPackages(job, machine, root) {
  const archives = mainArchives(readSources(machine.sources));
  if (archives.length === 0) {
    throw new HaproxyError('no-source', "None of this machine's apt sources is Debian's main archive, so there is no mirror to ask.");
  }
  /** @type {HaproxyError | undefined} */
  let first;
  for (const [index, archive] of archives.entries()) {
    const apt = new PrivateApt({ root: join(root, String(index)), machine, env: job.env });
    try {
      return await fetchFrom(job, apt, archive);
    } catch (error) {
      if (!(error instanceof HaproxyError)) throw error;
      first ??= error;
    }
  }
  throw first;
}

/**
 * @param {Job} job
 * @param {PrivateApt} apt
 * @param {import('./sources.mjs').Source} archive
 */
async function fetchFrom({ env, log, series }, apt, archive) {
  const wanted = new RegExp(`^(\\d+:)?${series.replace('.', '\\.')}\\.\\d`);
  // Patchelf comes from the same suite and runs on the private libraries, as haproxy does.
  const extra = onPath('patchelf', env) ? [] : ['patchelf'];
  /** @type {HaproxyError | undefined} */
  let last;
  for (const suites of SUITE_GROUPS) {
    log(`looking for HAProxy ${series} in Debian ${suites.join(' and ')}`);
    try {
      await apt.update(archive, suites);
      for (const { version, suite } of await apt.versions('haproxy')) {
        if (!wanted.test(version)) continue;
        log(`downloading haproxy ${version} (${suite}) and its libraries`);
        return { version, suite, packages: await apt.download([`haproxy=${version}`, ...extra], suite) };
      }
    } catch (error) {
      if (!(error instanceof HaproxyError) || error.code !== 'no-package') throw error;
      last = error;
    }
  }
  throw last ?? new HaproxyError('no-package', `No suite of the Debian mirror has HAProxy ${series} for this machine.`);
}

/**
 * @param {Job} job
 * @param {{ triplet: string, loader: string }} platform
 * @param {string} draft
 * @param {readonly string[]} packages
 */
async function assemble({ env, cacheDir, series }, platform, draft, packages) {
  const [unpacked, prefix] = [join(draft, 'unpacked'), join(draft, 'prefix')];
  mkdirSync(unpacked);
  for (const file of packages) {
    const result = await run('dpkg-deb', ['-x', file, unpacked], { env });
    if (!result.ok) throw new HaproxyError('verification', `Unpacking ${basename(file)} failed:\n${tail(result.output)}`);
  }
  mkdirSync(join(prefix, 'bin'), { recursive: true });
  const lib = join(prefix, 'lib');
  mkdirSync(lib);
  // Both places: before the merge of /usr, libc was in the shorter one.
  for (const folder of [`lib/${platform.triplet}`, `usr/lib/${platform.triplet}`]) copyLibraries(join(unpacked, folder), lib);
  cpSync(join(unpacked, 'usr/sbin/haproxy'), binaryOf(prefix));

  const home = join(prefixOf(cacheDir, series), 'lib');
  // RPATH, not RUNPATH: only RPATH also holds for the libraries of the libraries.
  const args = ['--set-interpreter', join(home, platform.loader), '--force-rpath', '--set-rpath', home, binaryOf(prefix)];
  const own = onPath('patchelf', env);
  const patched = own
    ? await run(own, args, { env })
    : await run(join(lib, platform.loader), ['--library-path', lib, join(unpacked, 'usr/bin/patchelf'), ...args], { env });
  if (!patched.ok) throw new HaproxyError('verification', `patchelf failed:\n${tail(patched.output)}`);
}

/**
 * @param {string} from
 * @param {string} to
 */
function copyLibraries(from, to) {
  /** @type {string[]} */
  let names = [];
  try {
    names = readdirSync(from);
  } catch {
    return;
  }
  for (const name of names) {
    const path = join(from, name);
    if (!/\.so(\.|$)/.test(name) || lstatSync(path).isDirectory()) continue;
    cpSync(path, join(to, name), { verbatimSymlinks: true });
  }
}

/**
 * Moves the draft to its final path first, because the paths inside the binary are final and it can
 * only be tried there; until the marker is written, nobody takes it for usable.
 *
 * @param {Job} job
 * @param {{ loader: string }} platform
 * @param {string} draft
 * @param {{ version: string, suite: string, packages: readonly string[] }} fetched
 */
async function publish({ log, cacheDir, series }, platform, draft, fetched) {
  const prefix = prefixOf(cacheDir, series);
  try {
    renameSync(prefix, join(draft, 'replaced'));
  } catch {
    // There was none.
  }
  renameSync(join(draft, 'prefix'), prefix);
  log('verifying: features, configuration check, master-worker reload');
  const libraries = join(prefix, 'lib');
  try {
    await verifyHaproxy(binaryOf(prefix), { loader: join(libraries, platform.loader), libraries });
  } catch (error) {
    rmSync(prefix, { recursive: true, force: true });
    throw error;
  }
  const packages = fetched.packages.map((file) => decodeURIComponent(basename(file, '.deb'))).sort();
  const marker = {
    haproxy: fetched.version,
    suite: fetched.suite,
    provisioned: new Date().toISOString(),
    packages,
  };
  const unfinished = join(prefix, `${MARKER}.new`);
  writeFileSync(unfinished, `${JSON.stringify(marker, null, 2)}\n`);
  renameSync(unfinished, join(prefix, MARKER));
}

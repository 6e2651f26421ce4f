#!/usr/bin/env node
/**
 * Bundles the daemon and the agent into dist/, and copies the files beside them that are not code.
 *
 *   node tools/build.mjs [--if-stale]
 */
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, realpathSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** Bundle name under dist/ → entry. One that does not exist yet is left out, with a line that says so. */
const ENTRIES = { ramjet: 'src/main.ts', agent: 'src/agent/main.ts', 'hash-worker': 'src/features/basic-auth/agent-worker.ts' };

/** Files read at run time, copied to dist/assets/ under their path below src/. */
const ASSET = /\.(lua|json|html|css|js|svg|wasm)$/;

/** Folders whose files never reach a user. */
const DEVELOPMENT = /(^|\/)(testing|fixtures|cases|testdata|node_modules)(\/|$)/;

/** @typedef {{ root?: string, log?: (line: string) => void }} BuildOptions */

/** @param {BuildOptions} [options] */
export async function build({ root = ROOT, log = () => {} } = {}) {
  const begun = performance.now();
  const entries = Object.entries(ENTRIES).filter(([name, path]) => {
    const there = existsSync(join(root, path));
    if (!there) log(`${path} does not exist: dist/${name}.mjs left out`);
    return there;
  });
  // Built beside and then moved: a process that starts meanwhile finds the old bundle or the new one.
  const fresh = join(root, `.cache/build.${process.pid}`);
  try {
    await bundle(root, fresh, Object.fromEntries(entries));
    const assets = copyAssets(root, join(fresh, 'assets'));
    replace(fresh, join(root, 'dist'));
    const names = entries.map(([name]) => `${name}.mjs`).join(', ');
    log(`dist: ${names || 'no bundle'}, ${assets} assets in ${Math.round(performance.now() - begun)} ms`);
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
}

/**
 * @param {string} root
 * @param {string} target
 * @param {Record<string, string>} entryPoints
 */
async function bundle(root, target, entryPoints) {
  mkdirSync(target, { recursive: true });
  if (Object.keys(entryPoints).length === 0) return;
  const esbuild = await import('esbuild');
  await esbuild.build({
    absWorkingDir: root,
    entryPoints,
    outdir: target,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    platform: 'node',
    target: 'node20.18',
    format: 'esm',
    sourcemap: true,
    // `.node` files can't be bundled; the optional native package is looked up when it is used.
    external: ['@node-rs/*'],
    // CommonJS packages inside the bundle call `require` for Node's own modules.
    banner: { js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);" },
    logLevel: 'warning',
    plugins: [assetUrls(root)],
  });
}

/**
 * `new URL('./lua/x.lua', import.meta.url)` is right beside the source; in the bundle the file is under assets/.
 *
 * @param {string} root
 * @returns {import('esbuild').Plugin}
 */
function assetUrls(root) {
  const reference = /new URL\(\s*'(\.[^']+)',\s*import\.meta\.url,?\s*\)/g;
  return {
    name: 'asset-urls',
    setup({ onLoad }) {
      onLoad({ filter: /\.ts$/ }, ({ path }) => {
        const source = readFileSync(path, 'utf8');
        const contents = source.replaceAll(reference, (whole, /** @type {string} */ target) => {
          const file = resolve(dirname(path), target);
          const asset = ASSET.test(file) && file.startsWith(join(root, 'src/'));
          return asset ? `new URL('./assets/${relative(join(root, 'src'), file)}', import.meta.url)` : whole;
        });
        return { contents, loader: 'ts' };
      });
    },
  };
}

/**
 * @param {string} root
 * @param {string} target
 */
function copyAssets(root, target) {
  const source = join(root, 'src');
  const assets = filesBelow(source).filter((file) => ASSET.test(file) && !DEVELOPMENT.test(relative(source, file)));
  for (const file of assets) {
    const copy = join(target, relative(source, file));
    mkdirSync(dirname(copy), { recursive: true });
    cpSync(file, copy);
  }
  return assets.length;
}

/**
 * @param {string} fresh
 * @param {string} dist
 */
function replace(fresh, dist) {
  const old = `${fresh}.old`;
  try {
    if (existsSync(dist)) renameSync(dist, old);
    renameSync(fresh, dist);
  } catch (error) {
    // Another build moved its result in between the two renames; it is as fresh as ours.
    if (!existsSync(dist)) throw error;
  } finally {
    rmSync(old, { recursive: true, force: true });
  }
}

/**
 * @param {string} folder
 * @returns {string[]}
 */
function filesBelow(folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name));
}

/** @param {string} root */
export function isStale(root = ROOT) {
  const outputs = Object.entries(ENTRIES)
    .filter(([, entry]) => existsSync(join(root, entry)))
    .map(([name]) => join(root, 'dist', `${name}.mjs`));
  if (!outputs.every((file) => existsSync(file))) return true;
  const built = Math.min(...outputs.map((file) => statSync(file).mtimeMs));
  const source = join(root, 'src');
  const inputs = filesBelow(source).filter((file) => !file.endsWith('.test.ts') && !DEVELOPMENT.test(relative(source, file)));
  return [...inputs, join(root, 'package-lock.json'), join(root, 'tools/build.mjs')].some((file) => changedSince(file, built));
}

/**
 * @param {string} file
 * @param {number} time
 */
function changedSince(file, time) {
  try {
    return statSync(file).mtimeMs > time;
  } catch {
    return false;
  }
}

/**
 * Does nothing outside a checkout: an installed package carries dist/ and no src/.
 *
 * @param {BuildOptions} [options]
 * @returns {Promise<boolean>} whether it built
 */
export async function buildIfStale({ root = ROOT, log = () => {} } = {}) {
  if (!existsSync(join(root, 'src')) || !isStale(root)) return false;
  await build({ root, log });
  return true;
}

if (process.argv[1] && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  /** @param {string} line */
  const log = (line) => process.stdout.write(`build: ${line}\n`);
  if (!process.argv.includes('--if-stale')) await build({ log });
  else if (!(await buildIfStale({ log }))) log('dist is up to date');
}

#!/usr/bin/env node
/**
 * Everything that is checked without running the code, side by side. Ends with `N passed, N failed`.
 *
 *   npm run check [-- NAME...]
 */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * @typedef {object} Check
 * @property {string} name
 * @property {string[]} command a program of node_modules/.bin and its arguments
 * @property {string} mend what to do when it fails
 */

/** @type {readonly Check[]} The slow ones first, so that none is left to run alone at the end. */
const CHECKS = [
  { name: 'types', command: ['tsc', '--noEmit', '-p', '.'], mend: 'Mend the types; no `any`, no `!`, no cast to get past it.' },
  {
    name: 'dead-code',
    command: ['knip', '--no-progress', '--no-config-hints'],
    mend: 'Delete what nothing uses, or drop its `export`; what only a tool reaches is named in knip.json.',
  },
  {
    name: 'imports',
    command: ['depcruise', '--config', '.dependency-cruiser.cjs', '--output-type', 'err-long', 'src', 'tools', 'test', 'bench'],
    mend: 'Each line says what to do; the rules are in .dependency-cruiser.cjs and, with reasons, in CONTRIBUTING.md.',
  },
  {
    name: 'lint',
    command: ['oxlint', '--type-aware', '--deny-warnings'],
    mend: 'The rules are in .oxlintrc.json; time, randomness, fetch and the environment come in as parameters.',
  },
  {
    name: 'generated',
    command: ['tsx', 'tools/generate.ts', '--check'],
    mend: 'Run `npm run generate` and commit what it writes; never edit a generated file.',
  },
  { name: 'format', command: ['biome', 'format', '--max-diagnostics=200', '.'], mend: 'Run `npm run format`.' },
  { name: 'size', command: ['tsx', 'tools/rules.ts', 'size'], mend: 'Files up to 500 lines, functions up to 80.' },
  { name: 'readmes', command: ['tsx', 'tools/rules.ts', 'readmes'], mend: 'Each folder of src/, two levels deep, says what it is for.' },
  {
    name: 'portable',
    command: ['tsx', 'tools/rules.ts', 'portable'],
    mend: 'No registry hosts and no paths of one machine in what is committed.',
  },
];

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/**
 * @param {Check} check
 * @returns {Promise<boolean>} whether it passed
 */
function run({ name, command: [program = '', ...args], mend }) {
  const begun = performance.now();
  const paths = args.filter((argument) => !['test', 'bench'].includes(argument) || existsSync(join(ROOT, argument)));
  return new Promise((resolve) => {
    const child = spawn(join(ROOT, 'node_modules/.bin', program), paths, {
      cwd: ROOT,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, NO_COLOR: '1', FORCE_COLOR: '0' },
    });
    /** @type {string[]} */
    const output = [];
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => output.push(text));
    /** @param {boolean} passed */
    const finish = (passed) => {
      const milliseconds = Math.round(performance.now() - begun);
      const text = output.join('').trim();
      const warnings = passed ? text.split('\n').filter((line) => line.includes(': warning: ')) : [];
      const note = warnings.length > 0 ? `, ${warnings.length} warnings` : '';
      process.stdout.write(`${passed ? 'ok  ' : 'FAIL'} ${name.padEnd(10)} ${String(milliseconds).padStart(6)} ms${note}\n`);
      if (!passed) process.stdout.write(`\n${text}\n\n${name}: ${mend}\n\n`);
      for (const warning of warnings) process.stdout.write(`     ${warning}\n`);
      resolve(passed);
    };
    child.on('error', (error) => {
      output.push(`${program} could not be started: ${error.message}\n`);
      finish(false);
    });
    child.on('close', (code) => finish(code === 0));
  });
}

/** @param {readonly Check[]} checks */
async function runAll(checks) {
  const queue = [...checks];
  let failed = 0;
  async function worker() {
    for (let check = queue.shift(); check; check = queue.shift()) if (!(await run(check))) failed += 1;
  }
  await Promise.all(Array.from({ length: Math.max(2, availableParallelism()) }, worker));
  return failed;
}

/** @param {string[]} names */
function select(names) {
  const unknown = names.filter((name) => !CHECKS.some((check) => check.name === name));
  if (unknown.length > 0) {
    process.stderr.write(`No check is called ${unknown.join(', ')}; there are: ${CHECKS.map((check) => check.name).join(', ')}\n`);
    process.exit(2);
  }
  return names.length > 0 ? CHECKS.filter((check) => names.includes(check.name)) : CHECKS;
}

if (!existsSync(join(ROOT, 'node_modules/.package-lock.json'))) {
  const setup = spawnSync(process.execPath, [join(ROOT, 'tools/setup.mjs'), '--packages-only'], { stdio: 'inherit' });
  if (setup.status !== 0) process.exit(1);
}
const checks = select(process.argv.slice(2));
const failed = await runAll(checks);
process.stdout.write(`${checks.length - failed} passed, ${failed} failed\n`);
process.exitCode = failed > 0 ? 1 : 0;

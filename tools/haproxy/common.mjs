/** What the provisioning modules share: the error type, child processes, look-up on PATH. */
import { spawn } from 'node:child_process';
import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';

/** @typedef {NodeJS.ProcessEnv} Env */
/** @typedef {(line: string) => void} Log */
/**
 * @typedef {'bad-setting' | 'no-apt' | 'no-source' | 'unreachable' | 'signature' | 'no-package'
 *   | 'unsupported' | 'verification' | 'busy'} FailureCode
 */

const MANUAL_WAY = 'Or by hand: install HAProxy >= 3.2 and set RAMJET_HAPROXY=/path/to/haproxy.';

/** Every failure names the manual way out: whoever reads it may be on a machine we know nothing about. */
export class HaproxyError extends Error {
  /**
   * @param {FailureCode} code
   * @param {string} message
   */
  constructor(code, message) {
    super(`${message}\n${MANUAL_WAY}`);
    this.name = 'HaproxyError';
    this.code = code;
    this.summary = message;
  }
}

/**
 * Never rejects: callers turn a failed command into their own error, with the output in it.
 *
 * @param {string} command
 * @param {readonly string[]} args
 * @param {{ env?: Env, cwd?: string, timeoutMs?: number }} [options]
 * @returns {Promise<{ ok: boolean, stdout: string, output: string }>}
 */
export function run(command, args, { env = process.env, cwd, timeoutMs = 300_000 } = {}) {
  return new Promise((done) => {
    const child = spawn(command, args, { env, cwd, timeout: timeoutMs, stdio: ['ignore', 'pipe', 'pipe'] });
    let stdout = '';
    let output = '';
    child.stdout.on('data', (chunk) => {
      stdout += chunk;
      output += chunk;
    });
    child.stderr.on('data', (chunk) => {
      output += chunk;
    });
    child.on('error', (error) => done({ ok: false, stdout, output: `${output}${error.message}` }));
    child.on('close', (code, signal) => {
      if (signal) output += `\nended by ${signal}`;
      done({ ok: code === 0, stdout, output });
    });
  });
}

/**
 * @param {string} name
 * @param {Env} env
 * @returns {string | undefined} absolute path
 */
export function onPath(name, env) {
  for (const folder of (env.PATH ?? '').split(delimiter)) {
    if (folder === '') continue;
    const candidate = resolve(join(folder, name));
    try {
      accessSync(candidate, constants.X_OK);
      if (statSync(candidate).isFile()) return candidate;
    } catch {
      // Not in this folder.
    }
  }
  return undefined;
}

/**
 * The end of a command's output, where the reason usually stands.
 *
 * @param {string} output
 */
export function tail(output, lines = 12) {
  return output.trim().split('\n').slice(-lines).join('\n');
}

import { findHaproxy } from '../haproxy.mjs';

/** Environment variables that name the binaries, by series. Set them to test a build of your own. */
const VARIABLES = /** @type {const} */ ({ 3.4: 'RAMJET_HAPROXY_34', 3.2: 'RAMJET_HAPROXY_32' });

/**
 * Finds each HAProxy once for all workers, which inherit the variables. Fetches nothing: that is the work of
 * `tools/setup.mjs --for-tests`, which `npm test` runs first.
 */
export default function setup() {
  for (const [series, variable] of Object.entries(VARIABLES)) {
    if (process.env[variable]) continue;
    const found = findHaproxy({ want: /** @type {'3.4' | '3.2'} */ (series) });
    if (found) process.env[variable] = found.path;
    else process.stderr.write(`HAProxy ${series} not found; run: node tools/setup.mjs --for-tests\n`);
  }
}

import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { HaproxyVersion } from '../haproxy/feature.ts';

const found = new Map<HaproxyVersion, string>();

/** The binary of a version: from the environment of the test run, else from the set-up script. */
export function haproxyBinary(version: HaproxyVersion): string {
  const known = found.get(version);
  if (known !== undefined) return known;
  const script = fileURLToPath(new URL('../../tools/haproxy.mjs', import.meta.url));
  const path =
    process.env[`RAMJET_HAPROXY_${version.replace('.', '')}`] ??
    execFileSync(process.execPath, [script, '--version', version], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  found.set(version, path);
  return path;
}

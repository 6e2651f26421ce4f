import { execFile } from 'node:child_process';
import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import type { HaproxyVersion } from '../../haproxy/feature.ts';
import type { Io } from '../io.ts';

export interface FoundHaproxy {
  readonly path: string;
  /** As HAProxy says it: `3.4.1-1~bpo12+1`. */
  readonly full: string;
  /** Whose configuration it is given. */
  readonly version: HaproxyVersion;
}

const MANUAL_WAY = 'Install HAProxy 3.2 or newer and set RAMJET_HAPROXY=/path/to/haproxy, or give --haproxy PATH.';

/** No usable HAProxy; the message says what to do. */
export class HaproxyMissing extends Error {
  constructor(reason: string) {
    super(`${reason}\n${MANUAL_WAY}`);
  }
}

/** What the tools of a checkout offer; an installed package has none. */
interface Tools {
  findHaproxy(options: { env: Io['env'] }): { readonly path: string } | undefined;
  ensureHaproxy(options: { env: Io['env']; log: (line: string) => void }): Promise<{ readonly path: string }>;
}

/** The one that was named, else RAMJET_HAPROXY, PATH, the private cache, and in a checkout a fetched one. */
export async function requireHaproxy(named: string | undefined, io: Io): Promise<FoundHaproxy> {
  if (named !== undefined) return verified(resolve(io.cwd, named), '--haproxy');
  const tools = await toolsOf(io);
  try {
    if (tools !== undefined)
      return await verified(
        (await tools.ensureHaproxy({ env: io.env, log: (line) => io.stderr.write(`haproxy: ${line}\n`) })).path,
        'The fetched HAProxy',
      );
  } catch (error) {
    throw error instanceof HaproxyMissing ? error : new HaproxyMissing(error instanceof Error ? error.message : String(error));
  }
  const found = await findHaproxy(undefined, io);
  if (found === undefined) throw new HaproxyMissing('There is no HAProxy on PATH.');
  return found;
}

/** Fetches nothing. `undefined`: there is none. */
export async function findHaproxy(named: string | undefined, io: Io): Promise<FoundHaproxy | undefined> {
  if (named !== undefined) return verified(resolve(io.cwd, named), '--haproxy');
  const own = io.env['RAMJET_HAPROXY'];
  if (own) return verified(resolve(io.cwd, own), 'RAMJET_HAPROXY');
  const tools = await toolsOf(io);
  const paths = tools === undefined ? candidates(io.env) : [tools.findHaproxy({ env: io.env })?.path];
  for (const path of paths) {
    const found = path === undefined ? undefined : await look(path);
    if (found !== undefined && 'version' in found) return found;
  }
  return undefined;
}

async function toolsOf(io: Io): Promise<Tools | undefined> {
  const url = new URL('./tools/haproxy.mjs', io.root);
  if (!existsSync(url)) return undefined;
  const tools: Tools = await import(url.href);
  return tools;
}

function candidates(env: Io['env']): readonly string[] {
  const cache = env['RAMJET_CACHE'] ?? join(env['XDG_CACHE_HOME'] ?? join(env['HOME'] ?? homedir(), '.cache'), 'ramjet');
  const onPath = (env['PATH'] ?? '').split(delimiter).flatMap((folder) => (folder === '' ? [] : [resolve(folder, 'haproxy')]));
  return [...onPath, ...['3.4', '3.2'].map((series) => join(cache, `haproxy-${series}`, 'bin', 'haproxy'))].filter(isProgram);
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

async function verified(path: string, by: string): Promise<FoundHaproxy> {
  const found = await look(path);
  if (found === undefined) throw new HaproxyMissing(`${by}: ${path} is not a HAProxy that runs here.`);
  if ('tooOld' in found) throw new HaproxyMissing(`${by}: ${path} is HAProxy ${found.tooOld}.`);
  return found;
}

function look(path: string): Promise<FoundHaproxy | { readonly tooOld: string } | undefined> {
  return new Promise((done) => {
    execFile(path, ['-v'], { timeout: 10_000 }, (error, stdout) => {
      const [, full, major, minor] = /HA-?Proxy version ((\d+)\.(\d+)\S*)/.exec(stdout) ?? [];
      if (error !== null || full === undefined) return done(undefined);
      const number = Number(major) * 1_000 + Number(minor);
      if (number < 3_002) return done({ tooOld: full });
      return done({ path, full, version: number < 3_004 ? '3.2' : '3.4' });
    });
  });
}

import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

export interface Load {
  readonly requests: number;
  readonly errors: number;
  readonly perSecond: number;
  /** Milliseconds. */
  readonly p99: number;
}

export interface Target {
  readonly host: string;
  readonly path: string;
}

/** A wrk script that asks for one target after the other. */
export function writeScript(directory: string, targets: readonly Target[]): string {
  const lines = targets.map(({ host, path }) => `  { "${host}", "${path}" },`);
  const script = `local targets = {\n${lines.join('\n')}\n}\nlocal next = 0\nrequest = function()\n  next = next % #targets + 1\n  local t = targets[next]\n  return wrk.format("GET", t[2], { ["Host"] = t[1] })\nend\n`;
  const file = join(directory, `targets-${targets.length}.lua`);
  writeFileSync(file, script);
  return file;
}

const MILLISECONDS: Readonly<Record<string, number>> = { us: 0.001, ms: 1, s: 1000, m: 60_000 };

export async function load(
  port: number,
  script: string,
  options: { readonly seconds: number; readonly connections: number },
): Promise<Load> {
  const { stdout } = await run('wrk', [
    '-t1',
    `-c${options.connections}`,
    `-d${options.seconds}s`,
    '--latency',
    '-s',
    script,
    `http://127.0.0.1:${port}/`,
  ]);
  const [, requests = '0', seconds = '1'] = /(\d+) requests in ([\d.]+)s/.exec(stdout) ?? [];
  const [, p99 = 'NaN', unit = 'ms'] = /99%\s+([\d.]+)(us|ms|s|m)/.exec(stdout) ?? [];
  const bad = Number(/Non-2xx or 3xx responses: (\d+)/.exec(stdout)?.[1] ?? 0);
  const sockets = /Socket errors: connect (\d+), read (\d+), write (\d+), timeout (\d+)/.exec(stdout) ?? [];
  const errors = bad + sockets.slice(1).reduce((sum, count) => sum + Number(count), 0);
  return {
    requests: Number(requests),
    errors,
    perSecond: Number(requests) / Number(seconds),
    p99: Number(p99) * (MILLISECONDS[unit] ?? 1),
  };
}

import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export type Series = '3.2' | '3.4';
export const SERIES: readonly Series[] = ['3.2', '3.4'];

const VARIABLE = { '3.2': 'RAMJET_HAPROXY_32', '3.4': 'RAMJET_HAPROXY_34' } as const;
const TOOL = fileURLToPath(new URL('../../../../tools/haproxy.mjs', import.meta.url));
const START_MS = 10_000;

/** The binary that the environment names, or the one that the project's tool finds or provisions. */
export function haproxyBinary(series: Series): string {
  const named = process.env[VARIABLE[series]];
  if (named !== undefined) return named;
  return execFileSync(process.execPath, [TOOL, '--version', series, '--print'], { encoding: 'utf8' }).trim();
}

export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly ms: number;
}

export interface RequestOptions {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
}

/** A HAProxy of its own, with its frontend on a unix socket, so that no port can be taken by somebody else. */
export interface Haproxy {
  readonly folder: string;
  get(path: string, options?: RequestOptions): Promise<Reply>;
  /** A command of the Runtime API. */
  ask(command: string): Promise<string>;
  /** SIGUSR1: takes no more connections, ends when the last is done. */
  softStop(): void;
  stop(): Promise<void>;
}

/**
 * `config` and `spoe` may use `{folder}`; the frontend is to bind `unix@{folder}/front.sock`. Rejects with what HAProxy
 * said when it does not come up.
 */
export async function startHaproxy(binary: string, config: string, spoe: string): Promise<Haproxy> {
  const folder = mkdtempSync(join(tmpdir(), 'ramjet-spoe-'));
  const place = (text: string): string => text.replaceAll('{folder}', folder);
  writeFileSync(join(folder, 'spoe.conf'), place(spoe));
  writeFileSync(join(folder, 'haproxy.cfg'), place(config));
  const child = spawn(binary, ['-db', '-f', join(folder, 'haproxy.cfg')], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  child.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const exited = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const front = join(folder, 'front.sock');
  const stop = async (): Promise<void> => {
    child.kill('SIGKILL');
    await exited;
    rmSync(folder, { recursive: true, force: true });
  };
  for (const end = Date.now() + START_MS; !existsSync(front); await sleep(10)) {
    if (Date.now() < end && child.exitCode === null) continue;
    await stop();
    throw new Error(`HAProxy did not start: ${said}`);
  }
  return {
    folder,
    get: (path, options) => get(front, path, options ?? {}),
    ask: (command) => ask(join(folder, 'admin.sock'), command),
    softStop: () => void child.kill('SIGUSR1'),
    stop,
  };
}

export function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

function get(socketPath: string, path: string, options: RequestOptions): Promise<Reply> {
  const started = performance.now();
  const { method = 'GET', headers = {}, body } = options;
  return new Promise((resolve, reject) => {
    const sent = request({ socketPath, path, method, headers: { host: 'a.test', ...headers } }, (response) => {
      response.resume();
      response.once('end', () => {
        const ms = performance.now() - started;
        resolve({ status: response.statusCode ?? 0, headers: response.headers, ms });
      });
    });
    sent.once('error', reject);
    sent.end(body);
  });
}

function ask(path: string, command: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let answer = '';
    const socket = connect(path, () => socket.end(`${command}\n`));
    socket.on('data', (chunk: Buffer) => (answer += chunk.toString()));
    socket.once('end', () => resolve(answer));
    socket.once('error', reject);
  });
}

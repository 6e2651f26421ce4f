import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { haproxyBinary } from '../../../testing/haproxy-binary.ts';
import { selfSigned } from '../../../testing/self-signed.ts';
import type { HaproxyVersion } from '../../feature.ts';
import { createRuntimeClient, type RuntimeClient } from '../../runtime/client.ts';
import { createRuntimeCommands, type RuntimeCommands } from '../../runtime/commands.ts';
import type { ProcessEvent, ProcessLog } from '../events.ts';
import { HaproxyProcess } from '../haproxy-process.ts';

export const VERSIONS: readonly HaproxyVersion[] = ['3.2', '3.4'];

export interface FixturePaths {
  readonly dir: string;
  readonly socket: string;
  readonly configFile: string;
  readonly map: string;
  readonly crtList: string;
  readonly port: number;
  readonly tlsPort: number;
}

export interface Fixture extends FixturePaths {
  readonly process: HaproxyProcess;
  readonly client: RuntimeClient;
  readonly commands: RuntimeCommands;
  readonly events: readonly ProcessEvent[];
  writeConfig(text: string): void;
  close(): Promise<void>;
}

export interface FixtureOptions {
  readonly upstreamPort?: number;
  readonly config?: (paths: FixturePaths, upstreamPort: number) => string;
  readonly mapText?: string;
  readonly reloadIntervalMs?: number;
}

/** A HAProxy of its own in a directory of its own, serving. */
export async function startFixture(version: HaproxyVersion, options: FixtureOptions = {}): Promise<Fixture> {
  const fixture = await makeFixture(version, options);
  const started = await fixture.process.start();
  if (!started.ok) {
    await fixture.close();
    throw new Error(`HAProxy ${version} did not start: ${started.error.detail}`);
  }
  return fixture;
}

/** The same, not started. */
export async function makeFixture(version: HaproxyVersion, options: FixtureOptions = {}): Promise<Fixture> {
  const dir = mkdtempSync(join(tmpdir(), 'ramjet-proc-'));
  const [port, tlsPort] = await Promise.all([freePort(), freePort()]);
  const file = (name: string) => join(dir, name);
  const paths: FixturePaths = {
    dir,
    port,
    tlsPort,
    socket: file('stats.sock'),
    configFile: file('haproxy.cfg'),
    map: file('routes.map'),
    crtList: file('crt.list'),
  };
  writeFileSync(paths.map, options.mapText ?? 'a/ 1\nb/ 2\n');
  writeFileSync(file('default.pem'), selfSigned('default.example'));
  writeFileSync(paths.crtList, `${file('default.pem')}\n`);
  const config = (options.config ?? basicConfig)(paths, options.upstreamPort ?? 9);
  writeFileSync(paths.configFile, config);
  mkdirSync(file('run'));
  const events: ProcessEvent[] = [];
  const process = new HaproxyProcess({
    binary: haproxyBinary(version),
    configFile: paths.configFile,
    runDir: file('run'),
    log: SILENT,
    reloadIntervalMs: options.reloadIntervalMs ?? 0,
  });
  process.subscribe((event) => events.push(event));
  const client = createRuntimeClient({ socketPath: paths.socket });
  return {
    ...paths,
    process,
    client,
    commands: createRuntimeCommands(client),
    events,
    writeConfig: (text) => writeFileSync(paths.configFile, text),
    async close() {
      await process.stop({ drainMs: 0 });
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

const SILENT: ProcessLog = { info: () => undefined, warn: () => undefined, error: () => undefined };

export function basicConfig(paths: FixturePaths, upstreamPort: number): string {
  return `global
  stats socket ${paths.socket} mode 600 level admin expose-fd listeners
  hard-stop-after 20s
  maxconn 1000
  nbthread 2
defaults d
  mode http
  timeout connect 2s
  timeout client 10s
  timeout server 10s
  timeout tunnel 30s
  http-reuse always
  option idle-close-on-response
frontend f from d
  bind 127.0.0.1:${String(paths.port)}
  bind 127.0.0.1:${String(paths.tlsPort)} ssl crt-list ${paths.crtList}
  http-request track-sc0 path table counters
  http-request sc-inc-gpc(1,0)
  http-request set-var(txn.r) hdr(host),concat(/),map_beg(${paths.map})
  http-request return status 200 content-type text/plain lf-string "%[var(txn.r)]" hdr x-pid %[pid] if { path_beg /map }
  http-request return status 200 content-type text/plain lf-string "%[ssl_fc_sni]" if { path /sni }
  use_backend %[req.hdr(x-backend)] if { req.hdr(x-backend) -m found }
  default_backend b
backend counters from d
  stick-table type string len 16 size 100 store gpc(3)
backend b from d
  balance roundrobin
  server s1 127.0.0.1:${String(upstreamPort)} weight 10
backend empty from d
  balance roundrobin
`;
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { haproxyBinary } from '../../src/testing/haproxy-binary.ts';
import { commandOf, family, freePort, start, stop, untilListening } from './processes.ts';
import { startRamjet } from './ramjet.ts';
import type { Site } from './site.ts';

/** Something that serves a site on a port. */
export interface Proxy {
  readonly name: string;
  readonly port: number;
  /** The processes that handle requests. */
  pids(): readonly number[];
  stop(): Promise<void>;
}

/** An upstream that costs little and never waits: nginx with a fixed answer. */
export async function startUpstream(directory: string): Promise<Proxy> {
  const port = await freePort();
  return startNginx(
    'upstream',
    directory,
    port,
    `server { listen 127.0.0.1:${port} backlog=4096; keepalive_requests 1000000000; keepalive_timeout 3600s; location / { return 200 "ok\\n"; } }`,
  );
}

async function startNginx(name: string, directory: string, port: number, http: string): Promise<Proxy> {
  const home = join(directory, name);
  mkdirSync(home, { recursive: true });
  const file = join(home, 'nginx.conf');
  const config = [
    'daemon off; worker_processes 2; error_log stderr error;',
    `pid ${home}/nginx.pid;`,
    process.getuid?.() === 0 ? 'user root;' : '',
    'events { worker_connections 4096; }',
    'http { access_log off; server_names_hash_bucket_size 128; server_names_hash_max_size 65536; variables_hash_max_size 4096;',
    ...['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((kind) => `${kind}_temp_path ${home}/${kind};`),
    `${http} }`,
  ];
  writeFileSync(file, config.join('\n'));
  const child = start('nginx', ['-p', home, '-c', file, '-e', 'stderr']);
  await untilListening(port);
  return { name, port, pids: () => family(child.pid ?? 0), stop: () => stop(child, 'SIGQUIT') };
}

/** nginx as an ingress would write it: a server per host, an upstream with keep-alive per Service, the same forwarded headers. */
export async function nginxProxy(directory: string, site: Site, upstreamPort: number): Promise<Proxy> {
  const port = await freePort();
  const headers = [
    'Host $host',
    'X-Request-ID $request_id',
    'X-Real-IP $remote_addr',
    'X-Forwarded-For $remote_addr',
    'X-Forwarded-Host $host',
    `X-Forwarded-Port ${port}`,
    'X-Forwarded-Proto $scheme',
    'X-Scheme $scheme',
    'Connection ""',
  ];
  const upstreams = site.services.map((name) => `upstream ${name} { server 127.0.0.1:${upstreamPort}; keepalive 64; }`);
  const servers = site.hosts.map(({ host, paths }) => {
    const locations = paths.map(({ path, service }) => `location ${path} { proxy_pass http://${service}; }`);
    return `server { listen 127.0.0.1:${port}; server_name ${host}; ${locations.join(' ')} }`;
  });
  const common = ['proxy_http_version 1.1;', 'keepalive_requests 1000000000;', ...headers.map((header) => `proxy_set_header ${header};`)];
  return startNginx('nginx', directory, port, [...common, ...upstreams, ...servers].join('\n'));
}

/** HAProxy with one frontend, one backend and one server: what any routing is compared with. */
export async function plainHaproxy(directory: string, upstreamPort: number): Promise<Proxy> {
  const port = await freePort();
  const file = join(directory, 'plain.cfg');
  const base = ['mode http', 'timeout connect 5s', 'timeout client 60s', 'timeout server 60s', 'http-reuse always'];
  writeFileSync(
    file,
    `defaults\n  ${base.join('\n  ')}\nfrontend f\n  bind 127.0.0.1:${port}\n  default_backend b\nbackend b\n  server s 127.0.0.1:${upstreamPort} pool-low-conn 8\n`,
  );
  const child = start(haproxyBinary('3.4'), ['-f', file]);
  await untilListening(port);
  return { name: 'haproxy', port, pids: () => family(child.pid ?? 0), stop: () => stop(child) };
}

export async function ramjetProxy(
  directory: string,
  site: Site,
  options: { readonly name?: string; readonly version?: '3.2' | '3.4' } = {},
): Promise<Proxy> {
  const ramjet = await startRamjet(directory, site.manifests, options);
  return {
    name: options.name ?? 'ramjet',
    port: ramjet.port,
    // The data plane; the controller is measured by itself.
    pids: () => family(ramjet.pid).filter((pid) => commandOf(pid).includes('haproxy')),
    stop: () => ramjet.stop(),
  };
}

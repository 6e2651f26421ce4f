import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startDaemon, type Daemon } from '../compose.ts';
import type { HaproxyVersion } from '../haproxy/feature.ts';
import type { Generation } from '../report/generations.ts';
import { FOLDER_DEFAULTS, type Settings } from '../settings/settings.ts';
import { type Ports, send, type TestRequest, type TestResponse } from './client.ts';
import { EchoServer } from './echo.ts';
import { haproxyBinary } from './haproxy-binary.ts';

/** A whole Ramjet over a folder, with echo endpoints: for tests of live changes. */
export class TestDaemon {
  readonly directory: string;
  readonly ports: Ports;
  readonly daemon: Daemon;
  readonly #echoes: EchoServer[] = [];

  private constructor(directory: string, ports: Ports, daemon: Daemon) {
    this.directory = directory;
    this.ports = ports;
    this.daemon = daemon;
  }

  static async start(
    files: Readonly<Record<string, string>>,
    options: { readonly version?: HaproxyVersion; readonly settings?: Partial<Settings> } = {},
  ): Promise<TestDaemon> {
    const directory = mkdtempSync(join(tmpdir(), 'ramjet-folder-'));
    for (const [name, text] of Object.entries(files)) writeFileSync(join(directory, name), text);
    const [http, https] = await Promise.all([freePort(), freePort()]);
    const version = options.version ?? '3.4';
    const settings: Settings = {
      ...FOLDER_DEFAULTS,
      manifests: [directory],
      admin: '127.0.0.1:0',
      drain: 500,
      logLevel: 'error',
      plan: {
        ...FOLDER_DEFAULTS.plan,
        listeners: { ...FOLDER_DEFAULTS.plan.listeners, http: [`127.0.0.1:${http}`], https: [`127.0.0.1:${https}`] },
      },
      ...options.settings,
    };
    return new TestDaemon(directory, { http, https }, await startDaemon(settings, { path: haproxyBinary(version), version }));
  }

  /** Starts an echo endpoint; its port goes into a Service's annotation. */
  async echo(name: string): Promise<EchoServer & { readonly port: number }> {
    const echo = new EchoServer(name);
    const port = await echo.start();
    this.#echoes.push(echo);
    return Object.assign(echo, { port });
  }

  /** Writes a file whole, by rename, as a careful editor does. */
  write(name: string, text: string): void {
    writeFileSync(join(this.directory, `.${name}`), text);
    renameSync(join(this.directory, `.${name}`), join(this.directory, name));
  }

  remove(name: string): void {
    rmSync(join(this.directory, name));
  }

  send(request: TestRequest): Promise<TestResponse> {
    return send(this.ports, request);
  }

  get(url: string, headers: Readonly<Record<string, string>> = {}): Promise<TestResponse> {
    return this.send({ method: 'GET', url, headers });
  }

  /** Asks again until the answer is right; fails after five seconds with the last one. */
  async until(
    url: string,
    right: (response: TestResponse) => boolean,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<TestResponse> {
    const deadline = performance.now() + 5_000;
    for (;;) {
      const response = await this.get(url, headers);
      if (right(response)) return response;
      if (performance.now() > deadline) throw new Error(`${url} still answers ${response.status} ${response.body}`);
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  }

  async generations(): Promise<readonly Generation[]> {
    return (await this.admin('admin/generations')) as readonly Generation[];
  }

  async admin(path: string): Promise<unknown> {
    const response = await fetch(`http://127.0.0.1:${this.daemon.adminPort}/${path}`);
    const text = await response.text();
    return response.headers.get('content-type')?.includes('json') ? JSON.parse(text) : text;
  }

  async stop(): Promise<void> {
    await this.daemon.stop();
    await Promise.all(this.#echoes.map((echo) => echo.stop()));
    rmSync(this.directory, { recursive: true, force: true });
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}

/** A Service with endpoints at ports of this machine. */
export function serviceYaml(name: string, ...ports: readonly number[]): string {
  const endpoints = ports.map((port) => `127.0.0.1:${port}`).join(',');
  return `apiVersion: v1\nkind: Service\nmetadata: { name: ${name}, annotations: { ramjet.dev/endpoints: '${endpoints}' } }\nspec: { ports: [{ port: 80 }] }\n`;
}

export function ingressYaml(
  name: string,
  host: string,
  service: string,
  annotations: Readonly<Record<string, string>> = {},
  tlsSecret?: string,
): string {
  const tls = tlsSecret === undefined ? '' : `  tls: [{ hosts: ['${host}'], secretName: ${tlsSecret} }]\n`;
  return `apiVersion: networking.k8s.io/v1\nkind: Ingress\nmetadata: { name: ${name}, annotations: ${JSON.stringify(annotations)} }\nspec:\n${tls}  rules:\n  - host: '${host}'\n    http: { paths: [{ path: /, pathType: Prefix, backend: { service: { name: ${service}, port: { number: 80 } } } }] }\n`;
}

/** A TLS Secret from certificate and key in one PEM text. */
export function tlsSecretYaml(name: string, pem: string): string {
  const key = pem.indexOf('-----BEGIN PRIVATE KEY');
  const data = { 'tls.crt': Buffer.from(pem.slice(0, key)).toString('base64'), 'tls.key': Buffer.from(pem.slice(key)).toString('base64') };
  return JSON.stringify({ apiVersion: 'v1', kind: 'Secret', type: 'kubernetes.io/tls', metadata: { name }, data });
}

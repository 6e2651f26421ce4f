import { spawn, type ChildProcess } from 'node:child_process';
import { createServer, connect, type AddressInfo } from 'node:net';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { Agent } from '../agent/run.ts';
import type { AgentEvent } from '../agent/server/events.ts';
import { type Compiled, compile, CompilerMemory } from '../compiler/compile.ts';
import { COMPILE_DEFAULTS, type CompileSettings } from '../compiler/settings.ts';
import { FEATURES } from '../features/features.generated.ts';
import { AGENT_MODULES } from '../features/handlers.generated.ts';
import { registryOf } from '../features/contract/registry.ts';
import { driverOf } from '../haproxy/driver.ts';
import type { HaproxyVersion } from '../haproxy/feature.ts';
import { planFiles, writeFiles } from '../haproxy/files/write.ts';
import { Planner } from '../haproxy/plan/build.ts';
import type { Plan } from '../haproxy/plan/plan.ts';
import { type ListenerSettings, PLAN_DEFAULTS, type PlanSettings } from '../haproxy/plan/settings.ts';
import { Secret } from '../model/secret.ts';
import type { KubeObject } from '../objects/types.ts';
import { snapshotOf } from '../objects/snapshot.ts';
import { readManifestText } from '../sources/manifests/read.ts';
import { type Ports, send, type TestRequest, type TestResponse } from './client.ts';
import { EchoServer } from './echo.ts';
import { haproxyBinary } from './haproxy-binary.ts';
import { selfSigned } from './self-signed.ts';

export interface HarnessOptions {
  readonly version?: HaproxyVersion;
  readonly compile?: Partial<CompileSettings>;
  readonly plan?: Partial<PlanSettings>;
  readonly listeners?: Partial<ListenerSettings>;
}

/** Compiles manifests with the real registry, for tests that need no data plane. */
export function compileText(
  manifests: string,
  overrides: Partial<CompileSettings> = {},
): Compiled & { readonly objects: readonly KubeObject[] } {
  const read = readManifestText(manifests, 'case.yaml');
  const settings: CompileSettings = {
    ...COMPILE_DEFAULTS,
    withoutClass: true,
    classNames: ['ramjet', 'nginx', 'haptic', 'mse', 'higress'],
    ...overrides,
  };
  return {
    ...compile(snapshotOf(read.objects, read.diagnostics), settings, registryOf(FEATURES), new CompilerMemory()),
    objects: read.objects,
  };
}

/**
 * One HAProxy with real sockets and an echo endpoint for every Service that names none. Started without a
 * master process: reloads are tested elsewhere.
 */
export class Harness {
  readonly compiled: Compiled;
  readonly plan: Plan;
  readonly ports: Ports;
  readonly echoes: ReadonlyMap<string, EchoServer>;
  /** In this process, while the plan has questions for it. */
  readonly agent: Agent | undefined;
  readonly #process: ChildProcess;
  readonly #directory: string;
  readonly #log: string[];

  private constructor(parts: {
    compiled: Compiled;
    plan: Plan;
    ports: Ports;
    echoes: ReadonlyMap<string, EchoServer>;
    agent: Agent | undefined;
    process: ChildProcess;
    directory: string;
    log: string[];
  }) {
    this.compiled = parts.compiled;
    this.plan = parts.plan;
    this.ports = parts.ports;
    this.echoes = parts.echoes;
    this.agent = parts.agent;
    this.#process = parts.process;
    this.#directory = parts.directory;
    this.#log = parts.log;
  }

  static async start(manifests: string, options: HarnessOptions = {}): Promise<Harness> {
    const directory = await mkdtemp(join(tmpdir(), 'ramjet-'));
    const echoes = new Map<string, EchoServer>();
    const { compiled, settings, plan } = await prepare(manifests, options, directory, echoes);
    await writeFiles(directory, planFiles(plan, settings), new Map());
    const log: string[] = [];
    const report = (event: AgentEvent) => void log.push(`agent: ${inspect(event)}\n`);
    const agent = plan.structure.spoe.length === 0 ? undefined : await Agent.start({ runDir: directory, modules: AGENT_MODULES, report });
    const child = spawn(haproxyBinary(settings.version), ['-f', join(directory, 'haproxy.cfg')], { stdio: ['ignore', 'pipe', 'pipe'] });
    child.stdout.on('data', (chunk) => log.push(String(chunk)));
    child.stderr.on('data', (chunk) => log.push(String(chunk)));
    const ports = { http: portOf(settings.listeners.http[0]), https: portOf(settings.listeners.https[0]) };
    const harness = new Harness({ compiled, plan, ports, echoes, agent, process: child, directory, log });
    await harness.#untilServing();
    return harness;
  }

  send(request: TestRequest): Promise<TestResponse> {
    return send(this.ports, request);
  }

  /** HAProxy's own output, for the message of a failing test. */
  get log(): string {
    return this.#log.join('');
  }

  get directory(): string {
    return this.#directory;
  }

  async stop(): Promise<void> {
    const ended = new Promise((resolve) => this.#process.once('exit', resolve));
    if (this.#process.exitCode === null && this.#process.signalCode === null) {
      this.#process.kill('SIGKILL');
      await ended;
    }
    await this.agent?.stop();
    await Promise.all([...this.echoes.values()].map((echo) => echo.stop()));
    await rm(this.#directory, { recursive: true, force: true });
  }

  async #untilServing(): Promise<void> {
    for (let attempt = 0; attempt < 400; attempt += 1) {
      if (this.#process.exitCode !== null) throw new Error(`HAProxy ended:\n${this.log}`);
      if (await accepts(this.ports.http)) return;
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    throw new Error(`HAProxy does not accept connections:\n${this.log}`);
  }
}

async function prepare(manifests: string, options: HarnessOptions, directory: string, echoes: Map<string, EchoServer>) {
  const read = readManifestText(manifests, 'case.yaml');
  const objects = await Promise.all(read.objects.map((object) => withEcho(object, read.objects, echoes)));
  const compileSettings: CompileSettings = {
    ...COMPILE_DEFAULTS,
    withoutClass: true,
    classNames: ['ramjet', 'nginx', 'haptic', 'mse', 'higress'],
    ...options.compile,
  };
  const compiled = compile(snapshotOf(objects, read.diagnostics), compileSettings, registryOf(FEATURES), new CompilerMemory());
  const [http, https] = await Promise.all([freePort(), freePort()]);
  const listeners = {
    ...PLAN_DEFAULTS.listeners,
    http: [`127.0.0.1:${http}`, `[::1]:${http}`],
    https: [`127.0.0.1:${https}`, `[::1]:${https}`],
    ...options.listeners,
  };
  const settings: PlanSettings = { ...PLAN_DEFAULTS, version: options.version ?? '3.4', runDir: directory, listeners, ...options.plan };
  const plan = new Planner(await driverOf(), settings, new Secret(selfSigned())).plan(compiled.model);
  return { compiled, settings, plan };
}

/** A Service without endpoints of its own gets an echo server, unless it is annotated `test/empty`. */
async function withEcho(object: KubeObject, all: readonly KubeObject[], echoes: Map<string, EchoServer>): Promise<KubeObject> {
  if (object.kind !== 'Service') return object;
  const { namespace, name, annotations } = object.metadata;
  const hasSlices = all.some((other) => other.kind === 'EndpointSlice' && other.service === name && other.metadata.namespace === namespace);
  if (
    hasSlices ||
    annotations['ramjet.dev/endpoints'] !== undefined ||
    annotations['test/empty'] !== undefined ||
    object.type === 'ExternalName'
  )
    return object;
  const count = Number(annotations['test/endpoints'] ?? 1);
  const started = await Promise.all(
    Array.from({ length: count }, async (_, index) => {
      const label = count === 1 ? `${namespace}/${name}` : `${namespace}/${name}#${index}`;
      const echo = new EchoServer(label);
      echoes.set(label, echo);
      return `127.0.0.1:${await echo.start()}`;
    }),
  );
  return { ...object, metadata: { ...object.metadata, annotations: { ...annotations, 'ramjet.dev/endpoints': started.join(',') } } };
}

function portOf(address: string | undefined): number {
  return Number(address?.split(':').at(-1));
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}

import { randomBytes } from 'node:crypto';
import { lookup } from 'node:dns/promises';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino, { type Logger } from 'pino';
import { startAdmin } from './admin/server.ts';
import { AgentProcess } from './agent/process.ts';
import { Controller } from './controller.ts';
import { FEATURES } from './features/features.generated.ts';
import { CATALOGUE } from './features/catalogue.ts';
import { registryOf } from './features/contract/registry.ts';
import { readRouteCounters } from './haproxy/counters.ts';
import { DataPlane, type ProcessControl, type ProcessFault } from './haproxy/data-plane.ts';
import { driverOf } from './haproxy/driver.ts';
import type { HaproxyVersion } from './haproxy/feature.ts';
import { Planner } from './haproxy/plan/build.ts';
import type { Plan } from './haproxy/plan/plan.ts';
import type { PlanSettings } from './haproxy/plan/settings.ts';
import { HaproxyProcess } from './haproxy/process/haproxy-process.ts';
import type { ProcessInfo } from './haproxy/process/options.ts';
import type { ProcessResult } from './haproxy/process/result.ts';
import { createRuntimeClient } from './haproxy/runtime/client.ts';
import { systemClock } from './haproxy/runtime/clock.ts';
import { Secret } from './model/secret.ts';
import type { Snapshot } from './objects/snapshot.ts';
import { Generations } from './report/generations.ts';
import { Metrics } from './report/metrics.ts';
import type { Settings } from './settings/settings.ts';
import { AddressBook, namesIn } from './sources/addresses/resolver.ts';
import { watchManifests } from './sources/manifests/watch.ts';
import { selfSignedCertificate } from './tls/self-signed.ts';

/** How often names are looked up again, in milliseconds. */
const NAME_PERIOD = 15_000;

export interface HaproxyBinary {
  readonly path: string;
  readonly version: HaproxyVersion;
}

/** A running Ramjet. */
export interface Daemon {
  readonly adminPort: number;
  readonly runDir: string;
  readonly controller: Controller;
  /** HAProxy's master and workers. */
  processes(): Promise<readonly ProcessInfo[]>;
  /** Lame duck, drain, end. */
  stop(): Promise<void>;
}

/** Builds all components and connects them: the only place that knows every one of them. */
export async function startDaemon(settings: Settings, haproxy: HaproxyBinary): Promise<Daemon> {
  const log = pino({ level: settings.logLevel, base: null });
  const runDir = settings.runDir ?? (await mkdtemp(join(tmpdir(), 'ramjet-')));
  await mkdir(runDir, { recursive: true, mode: 0o700 });
  const planSettings: PlanSettings = { ...settings.plan, version: haproxy.version, runDir, asRoot: userId() === 0 };
  const planner = new Planner(
    await driverOf(),
    planSettings,
    new Secret(selfSignedCertificate({ name: 'ramjet.invalid', now: new Date(), serial: randomBytes(16) })),
  );
  const runtime = createRuntimeClient({ socketPath: join(runDir, 'runtime.sock') });
  const process = new HaproxyProcess({ binary: haproxy.path, configFile: join(runDir, 'haproxy.cfg'), runDir, log });
  const agent = new LazyAgent(runDir, log);
  const dataPlane = new DataPlane({
    planner,
    settings: planSettings,
    process: processControl(process),
    runtime,
    loadAgent: (plan) => agent.load(plan),
    now: () => performance.now(),
    log: (message, facts) => log.warn(facts, message),
  });
  process.subscribe((event) => {
    if (event.kind === 'restarted') dataPlane.restarted();
  });
  const generations = new Generations(() => new Date());
  const metrics = new Metrics();
  const controller = new Controller({
    settings: settings.compile,
    registry: registryOf(FEATURES, CATALOGUE),
    dataPlane,
    generations,
    metrics,
    now: () => performance.now(),
    log: (level, message, facts) => log[level](facts, message),
  });
  const source = await startSource(settings, controller, log);
  let accepting = true;
  const admin = await startAdmin(
    {
      state: () => controller.state,
      generations: () => generations.list,
      metrics: async (counters) => ({ text: await metrics.text(controller.state.model, counters), contentType: metrics.contentType }),
      counters: () => readRouteCounters(runtime),
      accepting: () => accepting,
    },
    adminAddress(settings.admin),
  );
  const stop = async () => {
    accepting = false;
    source.stop();
    await controller.stop();
    await process.stop({ lameDuckMs: settings.lameDuck, drainMs: settings.drain });
    await agent.stop();
    await admin.stop();
    if (settings.runDir === undefined) await rm(runDir, { recursive: true, force: true });
  };
  const processes = async () => {
    const list = await process.processes();
    return list.ok ? list.value : [];
  };
  return { adminPort: admin.port, runDir, controller, processes, stop };
}

/** -1 where the system has none. */
function userId(): number {
  return globalThis.process.getuid?.() ?? -1;
}

function processControl(process: HaproxyProcess): ProcessControl {
  let started = false;
  return {
    get started() {
      return started;
    },
    check: async () => faultOf(await process.checkConfig()),
    start: async () => {
      const fault = faultOf(await process.start());
      started = fault === undefined;
      return fault;
    },
    reload: async (reason) => faultOf(await process.reload(reason)),
  };
}

function faultOf(result: ProcessResult<unknown>): ProcessFault | undefined {
  if (result.ok) return undefined;
  const alerts = result.error.alerts.map((alert) => alert.message).join(' ');
  return { kind: result.error.code === 'config' ? 'refused' : 'failed', detail: alerts === '' ? result.error.detail : alerts };
}

/** The agent runs from the first plan that asks something of it. */
class LazyAgent {
  readonly #runDir: string;
  readonly #log: Logger;
  #process: Promise<AgentProcess> | undefined;

  constructor(runDir: string, log: Logger) {
    this.#runDir = runDir;
    this.#log = log;
  }

  async load(plan: Plan): Promise<void> {
    if (this.#process === undefined && plan.agent.size === 0) return;
    if (this.#process !== undefined) return (await this.#process).load();
    const starting = AgentProcess.start({ runDir: this.#runDir, report: (event) => this.#log.info(event, 'agent') });
    this.#process = starting;
    try {
      await starting;
    } catch (error) {
      // The next plan tries again; until then the features that ask it fail by their own class.
      this.#process = undefined;
      throw error;
    }
  }

  async stop(): Promise<void> {
    await (await this.#process)?.stop();
  }
}

interface Source {
  stop(): void;
}

/** The manifests, with the names in them resolved; ends when the first snapshot is served. */
async function startSource(settings: Settings, controller: Controller, log: Logger): Promise<Source> {
  const book = new AddressBook(async (name) => (await lookup(name, { all: true })).map((entry) => entry.address));
  let latest: Snapshot | undefined;
  const submit = async (snapshot: Snapshot) => {
    latest = snapshot;
    await book.refresh(namesIn(snapshot));
    // A newer snapshot may have come while names were asked for.
    if (latest === snapshot) await controller.submit({ ...snapshot, addresses: book.addresses });
  };
  let serving = false;
  const watcher = watchManifests({
    paths: settings.manifests,
    clock: systemClock,
    onSnapshot: (snapshot) => {
      // The first one is served below, so that a start that fails is told to the caller.
      if (serving) void submit(snapshot);
    },
    onError: (message) => log.error({ message }, 'manifests'),
  });
  await submit(await watcher.start());
  serving = true;
  if (latest !== watcher.snapshot()) void submit(watcher.snapshot());
  const timer = setInterval(() => {
    const snapshot = latest;
    if (snapshot === undefined) return;
    void book.refresh(namesIn(snapshot)).then((changed) => {
      if (changed && latest !== undefined) void controller.submit({ ...latest, addresses: book.addresses });
    });
  }, NAME_PERIOD);
  return {
    stop: () => {
      clearInterval(timer);
      watcher.stop();
    },
  };
}

function adminAddress(text: string): { readonly host: string; readonly port: number } {
  const colon = text.lastIndexOf(':');
  const host = text.slice(0, colon).replaceAll(/[[\]]/g, '');
  return { host: host === '' ? '0.0.0.0' : host, port: Number(text.slice(colon + 1)) };
}

import { type Clock, sleep, systemClock } from '../runtime/clock.ts';
import { backoff } from './backoff.ts';
import { checkConfig, type CheckReport } from './check.ts';
import type { ProcessEvent, ProcessListener } from './events.ts';
import { createLauncher, currentWorker, type Launched, type Launcher } from './launcher.ts';
import { createMasterCli, type MasterCli } from './master-cli.ts';
import type { Master } from './master.ts';
import type { HaproxyProcessOptions, ProcessInfo, ReloadReport, StartReport, StopOptions } from './options.ts';
import { runPaths } from './paths.ts';
import { listProcesses } from './process-list.ts';
import { type ProcTable, systemProcTable } from './proc-table.ts';
import { createReloader, type Reloader } from './reloader.ts';
import { processFailure, type ProcessResult } from './result.ts';
import { endMaster } from './shutdown.ts';
import { describeExit, type Exit, systemSpawn } from './spawn.ts';

type State = 'stopped' | 'starting' | 'running' | 'recovering' | 'stopping';

const MONITOR_MS = 200;
const STABLE_MS = 10_000;

/** Keeps one HAProxy master with its workers alive. README.md says who dies of what. */
export class HaproxyProcess {
  readonly #options: HaproxyProcessOptions;
  readonly #clock: Clock;
  readonly #procTable: ProcTable;
  readonly #cli: MasterCli;
  readonly #launcher: ProcessResult<Launcher>;
  readonly #reloader: Reloader;
  readonly #listeners = new Set<ProcessListener>();
  #state: State = 'stopped';
  #running: Launched | undefined;
  #crashes = 0;
  /** The start or recovery under way. */
  #transition: Promise<void> = Promise.resolve();
  #stopped: Promise<void> | undefined;
  #stopMonitor: () => void = () => undefined;

  constructor(options: HaproxyProcessOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.#procTable = options.procTable ?? systemProcTable;
    const paths = runPaths(options.runDir);
    const clock = this.#clock;
    this.#cli = createMasterCli({
      socketPath: paths.ok ? paths.value.masterSocket : '',
      clock,
      reloadTimeoutMs: options.reloadTimeoutMs ?? 60_000,
    });
    this.#launcher = paths.ok ? { ok: true, value: createLauncher({ options, paths: paths.value, clock, cli: this.#cli }) } : paths;
    this.#reloader = createReloader({
      clock,
      cli: this.#cli,
      intervalMs: options.reloadIntervalMs ?? 1_000,
      waitReady: () => this.waitReady(options.startTimeoutMs ?? 30_000),
      checkConfig: () => this.checkConfig(),
      workerChanged: (workerPid) => {
        if (this.#running !== undefined) this.#running = { ...this.#running, workerPid };
      },
      emit: (event) => {
        this.#emit(event);
      },
    });
  }

  /** Returns what ends the subscription. */
  subscribe(listener: ProcessListener): () => void {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  }

  /** A worker serves, as far as is known. */
  get ready(): boolean {
    return this.#state === 'running';
  }

  checkConfig(file: string = this.#options.configFile): Promise<ProcessResult<CheckReport>> {
    return checkConfig({
      binary: this.#options.binary,
      file,
      spawn: this.#options.spawn ?? systemSpawn,
      clock: this.#clock,
      timeoutMs: this.#options.reloadTimeoutMs ?? 60_000,
    });
  }

  start(): Promise<ProcessResult<StartReport>> {
    if (!this.#launcher.ok) return Promise.resolve(this.#launcher);
    if (this.#state !== 'stopped') return Promise.resolve(processFailure('state', `can not start: ${this.#state}`));
    this.#state = 'starting';
    const work = this.#firstLaunch(this.#launcher.value);
    this.#transition = work.then(() => undefined);
    return work;
  }

  async #firstLaunch(launcher: Launcher): Promise<ProcessResult<StartReport>> {
    await launcher.clear('SIGTERM');
    const launched = await launcher.launch(() => this.#state === 'stopping');
    if (!launched.ok) {
      launcher.release();
      if (this.#state === 'starting') this.#state = 'stopped';
      return launched;
    }
    if (!this.#adopt(launched.value)) return processFailure('state', 'stopped meanwhile');
    const report = { masterPid: launched.value.master.pid, workerPid: launched.value.workerPid };
    this.#emit({ kind: 'ready', ...report });
    return { ok: true, value: report };
  }

  /** Serves now, or as soon as a start or recovery under way is done. */
  async waitReady(timeoutMs: number): Promise<ProcessResult<void>> {
    const deadline = this.#clock.now() + timeoutMs;
    for (;;) {
      if (this.#state === 'running') return { ok: true, value: undefined };
      if (this.#state === 'stopped' || this.#state === 'stopping') return processFailure('state', this.#state);
      if (this.#clock.now() >= deadline) return processFailure('timeout', `not ready in ${String(timeoutMs)} ms`);
      await sleep(this.#clock, 5);
    }
  }

  /** At most one a second; calls in between share the next one. The old worker serves on if it fails. */
  reload(reason: string): Promise<ProcessResult<ReloadReport>> {
    return this.#reloader.request(reason);
  }

  /** Master, worker and the old workers that still have connections. */
  processes(): Promise<ProcessResult<readonly ProcessInfo[]>> {
    return listProcesses(this.#cli, this.#procTable, this.#running?.workerPid ?? 0);
  }

  /** A second call joins the first. */
  stop(options: StopOptions): Promise<void> {
    if (!this.#launcher.ok || this.#state === 'stopped') return Promise.resolve();
    this.#stopped ??= this.#stop(this.#launcher.value, options).finally(() => {
      this.#stopped = undefined;
    });
    return this.#stopped;
  }

  async #stop(launcher: Launcher, options: StopOptions): Promise<void> {
    if (options.lameDuckMs !== undefined && this.#state === 'running') {
      this.#emit({ kind: 'lame-duck' });
      await sleep(this.#clock, options.lameDuckMs);
    }
    this.#state = 'stopping';
    this.#stopMonitor();
    // A start or recovery under way sees the state and gives up, or hands its master over.
    await this.#transition;
    if (this.#running !== undefined) {
      this.#emit({ kind: 'draining' });
      await endMaster(this.#running.master, options.drainMs, this.#clock);
    }
    this.#running = undefined;
    await launcher.clear('wait');
    launcher.release();
    this.#state = 'stopped';
    this.#emit({ kind: 'stopped' });
  }

  /** False if it was stopped meanwhile; `#stop` then ends what is handed over here. */
  #adopt(launched: Launched): boolean {
    this.#running = launched;
    if (this.#state === 'stopping') return false;
    this.#state = 'running';
    void launched.master.exit.then((exit) => {
      this.#masterExited(launched.master, exit);
    });
    this.#monitor();
    return true;
  }

  #masterExited(master: Master, exit: Exit): void {
    if (this.#state !== 'running' || this.#running?.master !== master) return;
    this.#state = 'recovering';
    this.#stopMonitor();
    // A master whose worker died ends by itself with the worker's status, 128 + signal.
    this.#emit({ kind: 'crashed', who: exit.kind === 'exited' ? 'worker' : 'master', detail: describeExit(exit) });
    this.#crashes = this.#clock.now() - master.startedAt < STABLE_MS ? this.#crashes + 1 : 0;
    this.#running = undefined;
    this.#transition = this.#recover();
  }

  /** The first try at once; slower and slower if it dies again and again. */
  async #recover(): Promise<void> {
    if (!this.#launcher.ok) return;
    const launcher = this.#launcher.value;
    const down = this.#clock.now();
    for (let attempt = Math.max(0, this.#crashes - 1); ; attempt += 1) {
      if (attempt > 0) await sleep(this.#clock, backoff(attempt));
      if (this.#state !== 'recovering') return;
      await launcher.clear('wait');
      const launched = await launcher.launch(() => this.#state !== 'recovering');
      if (launched.ok) {
        if (!this.#adopt(launched.value)) return;
        const { master, workerPid } = launched.value;
        this.#emit({ kind: 'restarted', masterPid: master.pid, workerPid, downMilliseconds: this.#clock.now() - down });
        return;
      }
      if (this.#state !== 'recovering') return;
      const { detail, alerts } = launched.error;
      this.#emit({ kind: 'restart-failed', detail, alerts, retryMilliseconds: backoff(attempt + 1) });
    }
  }

  /**
   * The master ends when its last worker dies, and that is handled above. It does not while an older
   * worker drains, after a failed reload or with `no-exit-on-failure`: then nobody serves.
   */
  #monitor(): void {
    this.#stopMonitor();
    this.#stopMonitor = this.#clock.after(MONITOR_MS, () => {
      void this.#lookAtWorker().finally(() => {
        if (this.#state === 'running') this.#monitor();
      });
    });
  }

  async #lookAtWorker(): Promise<void> {
    const seen = this.#running;
    if (seen === undefined || this.#reloader.busy || (seen.workerPid !== 0 && this.#procTable.alive(seen.workerPid))) return;
    // Its master usually ends within a few milliseconds; let it.
    await sleep(this.#clock, 30);
    const workerPid = await currentWorker(this.#cli);
    if (this.#state !== 'running' || this.#running !== seen || seen.master.exited() !== undefined) return;
    if (workerPid !== 0) {
      // A reload that took longer than its time limit, or a worker that the master had not named yet.
      this.#running = { ...seen, workerPid };
      return;
    }
    this.#emit({ kind: 'crashed', who: 'worker', detail: `worker ${String(seen.workerPid)} is gone` });
    const revived = await this.#reloader.now('a worker died');
    // A master that can't bring up a worker is of no use: end it, and the recovery starts afresh.
    if (!revived.ok && this.#running?.master === seen.master) seen.master.signal('SIGTERM');
  }

  #emit(event: ProcessEvent): void {
    this.#options.log.info({ component: 'haproxy-process', ...event }, event.kind);
    for (const listener of this.#listeners) listener(event);
  }
}

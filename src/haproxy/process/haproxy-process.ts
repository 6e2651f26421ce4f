import { type Clock, sleep, systemClock } from '../runtime/clock.ts';
import { backoff } from './backoff.ts';
import { checkConfig, type CheckReport } from './check.ts';
import type { ProcessEvent, ProcessListener } from './events.ts';
import { createLauncher, currentWorker, type Launched, type Launcher } from './launcher.ts';
import { createMasterCli, type MasterCli } from './master-cli.ts';
import type { Master } from './master.ts';
import type { HaproxyProcessOptions, ProcessInfo, ReloadReport, StartReport, StopOptions } from './options.ts';
import { runPaths } from './paths.ts';
import { type ProcTable, systemProcTable } from './proc-table.ts';
import { createReloadGate, type ReloadGate } from './reload-gate.ts';
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
  readonly #gate: ReloadGate<ProcessResult<ReloadReport>>;
  readonly #listeners = new Set<ProcessListener>();
  #state: State = 'stopped';
  #running: Launched | undefined;
  #crashes = 0;
  #recovery: Promise<void> = Promise.resolve();
  #reloads: Promise<unknown> = Promise.resolve();
  #reloading = false;
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
    this.#gate = createReloadGate(clock, options.reloadIntervalMs ?? 1_000, (reasons) =>
      this.#serially(() => this.#checkAndReload(reasons)),
    );
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

  async start(): Promise<ProcessResult<StartReport>> {
    if (!this.#launcher.ok) return this.#launcher;
    if (this.#state !== 'stopped') return processFailure('state', `can not start: ${this.#state}`);
    const launcher = this.#launcher.value;
    this.#state = 'starting';
    await launcher.clear('SIGTERM');
    const launched = await launcher.launch(() => this.#state === 'stopping');
    if (!launched.ok) {
      launcher.release();
      this.#state = 'stopped';
      return launched;
    }
    this.#adopt(launched.value);
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
    return this.#gate.request(reason);
  }

  /** Master, worker and the old workers that still have connections. */
  async processes(): Promise<ProcessResult<readonly ProcessInfo[]>> {
    const rows = await this.#cli.processes();
    if (!rows.ok) return rows;
    const value = rows.value.map(({ pid, role, reloads, version }) => {
      // After a failed reload the master lists the worker that serves among the old ones.
      const serving = pid === this.#running?.workerPid;
      return { pid, role: serving ? 'worker' : role, rssBytes: this.#procTable.rss(pid), reloads, version } satisfies ProcessInfo;
    });
    return { ok: true, value };
  }

  async stop(options: StopOptions): Promise<void> {
    if (!this.#launcher.ok || this.#state === 'stopped') return;
    if (options.lameDuckMs !== undefined && this.#state === 'running') {
      this.#emit({ kind: 'lame-duck' });
      await sleep(this.#clock, options.lameDuckMs);
    }
    this.#state = 'stopping';
    this.#stopMonitor();
    await this.#recovery;
    const master = this.#running?.master;
    if (master !== undefined) {
      this.#emit({ kind: 'draining' });
      await endMaster(master, options.drainMs, this.#clock);
    }
    this.#running = undefined;
    await this.#launcher.value.clear('wait');
    this.#launcher.value.release();
    this.#state = 'stopped';
    this.#emit({ kind: 'stopped' });
  }

  #adopt(launched: Launched): void {
    this.#running = launched;
    this.#state = 'running';
    void launched.master.exit.then((exit) => {
      this.#masterExited(launched.master, exit);
    });
    this.#monitor();
  }

  #masterExited(master: Master, exit: Exit): void {
    if (this.#state !== 'running' || this.#running?.master !== master) return;
    this.#state = 'recovering';
    this.#stopMonitor();
    // A master whose worker died ends by itself with the worker's status, 128 + signal.
    this.#emit({ kind: 'crashed', who: exit.kind === 'exited' ? 'worker' : 'master', detail: describeExit(exit) });
    this.#crashes = this.#clock.now() - master.startedAt < STABLE_MS ? this.#crashes + 1 : 0;
    this.#recovery = this.#recover();
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
      if (this.#state !== 'recovering') {
        // Stopped meanwhile: hand the new master over to be ended.
        this.#running = launched.ok ? launched.value : undefined;
        return;
      }
      if (launched.ok) {
        this.#adopt(launched.value);
        const { master, workerPid } = launched.value;
        this.#emit({ kind: 'restarted', masterPid: master.pid, workerPid, downMilliseconds: this.#clock.now() - down });
        return;
      }
      const { detail, alerts } = launched.error;
      this.#emit({ kind: 'restart-failed', detail, alerts, retryMilliseconds: backoff(attempt + 1) });
    }
  }

  #serially<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#reloads.then(async () => {
      this.#reloading = true;
      try {
        return await work();
      } finally {
        this.#reloading = false;
      }
    });
    this.#reloads = turn.catch(() => undefined);
    return turn;
  }

  async #checkAndReload(reasons: readonly string[]): Promise<ProcessResult<ReloadReport>> {
    const outcome = await this.#tryReload(reasons);
    if (outcome.ok) {
      const { workerPid, milliseconds } = outcome.value;
      this.#emit({ kind: 'reloaded', reasons, workerPid, milliseconds });
    } else this.#emit({ kind: 'reload-failed', reasons, detail: outcome.error.detail, alerts: outcome.error.alerts });
    return outcome;
  }

  /** The check protects the master, which reads the file too: a missing one ends it, and a broken `.if` crashes it (3.4.7). */
  async #tryReload(reasons: readonly string[]): Promise<ProcessResult<ReloadReport>> {
    const ready = await this.waitReady(this.#options.startTimeoutMs ?? 30_000);
    if (!ready.ok) return ready;
    const checked = await this.checkConfig();
    if (!checked.ok) return checked;
    const began = this.#clock.now();
    const reloaded = await this.#cli.reload();
    if (!reloaded.ok) return reloaded;
    const milliseconds = this.#clock.now() - began;
    const workerPid = await currentWorker(this.#cli);
    if (this.#running !== undefined) this.#running = { ...this.#running, workerPid };
    return { ok: true, value: { reasons, workerPid, milliseconds, warnings: reloaded.value } };
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
    if (seen === undefined || seen.workerPid === 0 || this.#reloading || this.#procTable.alive(seen.workerPid)) return;
    // Its master usually ends within a few milliseconds; let it.
    await sleep(this.#clock, 30);
    if (this.#state !== 'running' || this.#running !== seen || seen.master.exited() !== undefined) return;
    this.#emit({ kind: 'crashed', who: 'worker', detail: `worker ${String(seen.workerPid)} is gone` });
    const revived = await this.#serially(() => this.#checkAndReload(['a worker died']));
    // A master that can't bring up a worker is of no use: end it, and the recovery starts afresh.
    if (!revived.ok && this.#running?.master === seen.master) seen.master.signal('SIGTERM');
  }

  #emit(event: ProcessEvent): void {
    this.#options.log.info({ component: 'haproxy-process', ...event }, event.kind);
    for (const listener of this.#listeners) listener(event);
  }
}

import type { Clock } from '../runtime/clock.ts';
import type { CheckReport } from './check.ts';
import type { ProcessListener } from './events.ts';
import { currentWorker } from './launcher.ts';
import type { MasterCli } from './master-cli.ts';
import type { ReloadReport } from './options.ts';
import { createReloadGate } from './reload-gate.ts';
import type { ProcessResult } from './result.ts';

export interface Reloader {
  /** Not more often than the interval; calls in between share the next one. */
  request(reason: string): Promise<ProcessResult<ReloadReport>>;
  /** As soon as none is under way, whatever the interval. */
  now(reason: string): Promise<ProcessResult<ReloadReport>>;
  readonly busy: boolean;
}

export interface ReloaderDeps {
  readonly clock: Clock;
  readonly intervalMs: number;
  readonly cli: MasterCli;
  readonly waitReady: () => Promise<ProcessResult<void>>;
  readonly checkConfig: () => Promise<ProcessResult<CheckReport>>;
  /** Called before the reload counts as done. */
  readonly workerChanged: (pid: number) => void;
  readonly emit: ProcessListener;
}

export function createReloader(deps: ReloaderDeps): Reloader {
  const { clock, cli, emit } = deps;
  let tail: Promise<unknown> = Promise.resolve();
  let busy = false;

  function serially(reasons: readonly string[]): Promise<ProcessResult<ReloadReport>> {
    const turn = tail.then(async () => {
      busy = true;
      try {
        return await reload(reasons);
      } finally {
        busy = false;
      }
    });
    tail = turn.catch(() => undefined);
    return turn;
  }

  async function reload(reasons: readonly string[]): Promise<ProcessResult<ReloadReport>> {
    const outcome = await attempt(reasons);
    if (outcome.ok) emit({ kind: 'reloaded', reasons, workerPid: outcome.value.workerPid, milliseconds: outcome.value.milliseconds });
    else emit({ kind: 'reload-failed', reasons, detail: outcome.error.detail, alerts: outcome.error.alerts });
    return outcome;
  }

  /** The check protects the master, which reads the file too: a missing one ends it, and a broken `.if` crashes it (3.4.7). */
  async function attempt(reasons: readonly string[]): Promise<ProcessResult<ReloadReport>> {
    const ready = await deps.waitReady();
    if (!ready.ok) return ready;
    const checked = await deps.checkConfig();
    if (!checked.ok) return checked;
    const began = clock.now();
    const reloaded = await cli.reload();
    if (!reloaded.ok) return reloaded;
    const milliseconds = clock.now() - began;
    const workerPid = await currentWorker(cli);
    deps.workerChanged(workerPid);
    return { ok: true, value: { reasons, workerPid, milliseconds, warnings: reloaded.value } };
  }

  const gate = createReloadGate(clock, deps.intervalMs, serially);
  return {
    request: (reason) => gate.request(reason),
    now: (reason) => serially([reason]),
    get busy() {
      return busy;
    },
  };
}

import { mkdirSync, rmSync } from 'node:fs';
import type { Clock } from '../runtime/clock.ts';
import { endLeftovers, type LeftoverOptions } from './leftovers.ts';
import type { MasterCli } from './master-cli.ts';
import { launchMaster, type Master, masterReady } from './master.ts';
import type { HaproxyProcessOptions } from './options.ts';
import { systemSignal } from './options.ts';
import type { RunPaths } from './paths.ts';
import { systemProcTable } from './proc-table.ts';
import { processFailure, type ProcessResult } from './result.ts';
import { describeExit, systemSpawn } from './spawn.ts';
import { startWatchdog, type Watchdog } from './watchdog.ts';

export interface Launched {
  readonly master: Master;
  readonly workerPid: number;
}

export interface Launcher {
  /** Ends what an earlier life left behind. */
  clear(first: 'SIGTERM' | 'wait'): Promise<void>;
  /** A master with a worker that serves, or nothing at all left running. */
  launch(aborted: () => boolean): Promise<ProcessResult<Launched>>;
  /** After the end: no watchdog, no files. */
  release(): void;
}

export interface LauncherDeps {
  readonly options: HaproxyProcessOptions;
  readonly paths: RunPaths;
  readonly clock: Clock;
  readonly cli: MasterCli;
}

export function createLauncher({ options, paths, clock, cli }: LauncherDeps): Launcher {
  const spawn = options.spawn ?? systemSpawn;
  const leftovers: LeftoverOptions = {
    masterSocket: paths.masterSocket,
    procTable: options.procTable ?? systemProcTable,
    signal: options.signal ?? systemSignal,
    clock,
    patienceMs: 200,
  };
  let watchdog: Watchdog | undefined;

  return {
    async clear(first) {
      const told = await endLeftovers(leftovers, first);
      if (told.length > 0) options.log.warn({ pids: told }, 'ended HAProxy processes of an earlier life');
    },
    async launch(aborted) {
      mkdirSync(options.runDir, { recursive: true, mode: 0o700 });
      watchdog ??= startWatchdog({
        masterSocket: paths.masterSocket,
        spawn,
        clock,
        warn: (detail) => {
          options.log.warn({ component: 'watchdog' }, detail);
        },
      });
      const master = launchMaster({ binary: options.binary, configFile: options.configFile, paths, spawn, clock, log: options.log });
      if (master instanceof Promise) return processFailure('spawn', describeExit(await master));
      watchdog.guard(master.pid);
      const ready = await masterReady(master, { paths, clock, timeoutMs: options.startTimeoutMs ?? 30_000, aborted });
      if (!ready.ok) {
        master.signal('SIGKILL');
        await master.exit;
        watchdog.guard(0);
        await endLeftovers(leftovers, 'wait');
        return ready;
      }
      return { ok: true, value: { master, workerPid: await currentWorker(cli) } };
    },
    release() {
      watchdog?.release();
      watchdog = undefined;
      for (const file of [paths.masterPidFile, paths.readyFile, paths.masterSocket]) rmSync(file, { force: true });
    },
  };
}

/** 0 if the master doesn't say; the monitor then has nobody to watch and the master's exit remains. */
export async function currentWorker(cli: MasterCli): Promise<number> {
  const rows = await cli.processes();
  if (!rows.ok) return 0;
  return rows.value.find((row) => row.role === 'worker')?.pid ?? 0;
}

import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
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
  function guarding(): Watchdog {
    watchdog ??= startWatchdog({
      masterSocket: paths.masterSocket,
      spawn,
      clock,
      warn: (detail) => {
        options.log.warn({ component: 'watchdog' }, detail);
      },
    });
    return watchdog;
  }

  return {
    async clear(first) {
      const told = await endLeftovers(leftovers, first);
      if (told.length > 0) options.log.warn({ pids: told }, 'ended HAProxy processes of an earlier life');
    },
    async launch(aborted) {
      const prepared = prepare(options.runDir, paths);
      if (!prepared.ok) return prepared;
      const guard = guarding();
      const { binary, configFile, log } = options;
      const master = launchMaster({ binary, configFile, paths, spawn, clock, log });
      if (master instanceof Promise) return processFailure('spawn', describeExit(await master));
      guard.guard(master.pid);
      const ready = await masterReady(master, { paths, clock, timeoutMs: options.startTimeoutMs ?? 30_000, aborted });
      if (ready.ok) return { ok: true, value: { master, workerPid: await currentWorker(cli) } };
      master.signal('SIGKILL');
      await master.exit;
      guard.guard(0);
      await endLeftovers(leftovers, 'wait');
      return ready;
    },
    release() {
      watchdog?.release();
      watchdog = undefined;
      for (const file of [paths.readyFile, paths.masterSocket]) rmSync(file, { force: true });
    },
  };
}

/** Not `recursive`: Node never returns from that where a file system answers ENOENT to any mkdir, as /proc does. */
function makeDirectory(path: string): void {
  if (existsSync(path)) return;
  makeDirectory(dirname(path));
  mkdirSync(path, { mode: 0o700 });
}

/** The directory is there and says nothing of an earlier life. */
function prepare(runDir: string, paths: RunPaths): ProcessResult<void> {
  try {
    makeDirectory(runDir);
    rmSync(paths.readyFile, { force: true });
    return { ok: true, value: undefined };
  } catch (error) {
    return processFailure('path', String(error));
  }
}

/** 0 if the master doesn't say; the monitor then has nobody to watch and the master's exit remains. */
export async function currentWorker(cli: MasterCli): Promise<number> {
  const rows = await cli.processes();
  if (!rows.ok) return 0;
  return rows.value.find((row) => row.role === 'worker')?.pid ?? 0;
}

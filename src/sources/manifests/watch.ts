import type { Snapshot } from '../../objects/snapshot.ts';
import { snapshotOf } from '../../objects/snapshot.ts';
import type { Clock } from './clock.ts';
import type { FileAccess } from './file-access.ts';
import { FolderReader } from './folder-reader.ts';
import { nodeFileAccess } from './node-file-access.ts';
import { PendingPaths } from './pending.ts';
import { Rescans } from './rescans.ts';

export interface WatchManifestsOptions {
  /** Directories and files; a later one wins over an earlier one. */
  readonly paths: readonly string[];
  /** Called at the end of `start` and after every change, never while `start` has not finished. */
  readonly onSnapshot: (snapshot: Snapshot) => void;
  /** Something that the author of a manifest can't mend, for the log. Live reload goes on. */
  readonly onError?: (message: string) => void;
  readonly clock: Clock;
  readonly files?: FileAccess;
  /** How long a file must be left alone before it is read. Default 20. */
  readonly debounceMs?: number;
  /** Period of the rescan, which finds what no event tells. Default 5,000. */
  readonly rescanMs?: number;
  /** How long a file, or an object in it, must be gone before that is believed. Default 100. */
  readonly lossGraceMs?: number;
  /** How long a file that had objects must be without any before that is believed. Default 1,000. */
  readonly emptyGraceMs?: number;
}

export interface ManifestWatch {
  /** Resolves with the first complete snapshot. */
  start(): Promise<Snapshot>;
  stop(): void;
  /** The latest one; empty before `start` has finished. */
  snapshot(): Snapshot;
}

/** Reads folders and files of manifests and goes on reading them as they change. */
export function watchManifests(options: WatchManifestsOptions): ManifestWatch {
  const { clock, onSnapshot, files = nodeFileAccess, debounceMs = 20, rescanMs = 5000, lossGraceMs = 100, emptyGraceMs = 1000 } = options;
  const onError = options.onError ?? (() => {});
  let current = snapshotOf([]);
  let state: 'new' | 'running' | 'stopped' = 'new';
  const pending = new PendingPaths({
    clock,
    quietMs: debounceMs,
    maxWaitMs: 50 * debounceMs,
    onDue: (paths) => publish(reader.visit(paths)),
  });
  const patience = { lossMs: lossGraceMs, emptyMs: emptyGraceMs, changingMs: debounceMs };
  const reader = new FolderReader({ files, clock, roots: options.paths, patience, pending, onError });
  const rescans = new Rescans({ clock, periodMs: rescanMs, steps: () => reader.rescan(), onDone: publish });

  function publish(changed: boolean): void {
    if (!changed || state !== 'running') return;
    current = reader.snapshot();
    try {
      onSnapshot(current);
    } catch (error) {
      onError(`A consumer of snapshots failed: ${error instanceof Error ? error.message : String(error)}`);
    }
  }

  return {
    async start() {
      await rescans.first();
      if (state === 'stopped') return current;
      state = 'running';
      publish(true);
      rescans.start();
      return current;
    },
    stop() {
      state = 'stopped';
      rescans.stop();
      pending.stop();
      reader.close();
    },
    snapshot: () => current,
  };
}

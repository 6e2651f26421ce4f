import { join } from 'node:path';
import type { FileAccess } from './file-access.ts';

interface Watched {
  readonly identity: string;
  readonly close: () => void;
}

export interface DirectoryWatchesOptions {
  readonly files: FileAccess;
  /** Something happened to this path. */
  readonly onPath: (path: string) => void;
  /** A directory can not be watched; changes in it are found by the next rescan. */
  readonly onFailure: (directory: string, reason: string) => void;
}

/**
 * One watch for each directory. Node's own `recursive` on Linux sets one for every file, which at
 * 10,000 files costs seconds and meets the system's limit.
 */
export class DirectoryWatches {
  readonly #options: DirectoryWatchesOptions;
  readonly #watched = new Map<string, Watched>();
  readonly #failed = new Set<string>();

  constructor(options: DirectoryWatchesOptions) {
    this.#options = options;
  }

  has(directory: string): boolean {
    return this.#watched.has(directory);
  }

  /** Watches a directory, anew if another one has taken its name. */
  ensure(directory: string, identity: string): void {
    const old = this.#watched.get(directory);
    if (old?.identity === identity) return;
    old?.close();
    const { files, onPath } = this.#options;
    const result = files.watch(
      directory,
      (name) => onPath(name === undefined || name.startsWith('..') ? directory : join(directory, name)),
      (reason) => this.#fail(directory, reason),
    );
    if (result.ok) {
      this.#watched.set(directory, { identity, close: result.close });
      this.#failed.delete(directory);
    } else {
      this.#watched.delete(directory);
      this.#fail(directory, result.reason);
    }
  }

  /** Drops the watches at and below a directory that is gone. */
  drop(directory: string): void {
    for (const [path, watched] of this.#watched) {
      if (path !== directory && !path.startsWith(`${directory}/`)) continue;
      watched.close();
      this.#watched.delete(path);
    }
  }

  closeAll(): void {
    for (const { close } of this.#watched.values()) close();
    this.#watched.clear();
  }

  /** Said once for each directory, though every rescan tries again. */
  #fail(directory: string, reason: string): void {
    this.#watched.get(directory)?.close();
    this.#watched.delete(directory);
    if (this.#failed.has(directory)) return;
    this.#failed.add(directory);
    this.#options.onFailure(directory, reason);
  }
}

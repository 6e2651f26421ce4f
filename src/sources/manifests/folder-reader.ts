import { basename, dirname, normalize } from 'node:path';
import { diagnostic, quote } from '../../diagnostics/diagnostic.ts';
import type { Snapshot } from '../../objects/snapshot.ts';
import type { Clock } from './clock.ts';
import { DirectoryWatches } from './directory-watches.ts';
import type { FileAccess } from './file-access.ts';
import { fileOrigin } from './parse-file.ts';
import type { PendingPaths } from './pending.ts';
import { unreadable } from './read.ts';
import { isIgnoredName, isManifestName, scanPath } from './scan.ts';
import { ManifestStore, type Patience } from './store.ts';

export interface FolderReaderOptions {
  readonly files: FileAccess;
  readonly clock: Clock;
  readonly roots: readonly string[];
  readonly patience: Patience;
  readonly pending: PendingPaths;
  readonly onError: (message: string) => void;
}

/** Turns events and rescans into looks at files. */
export class FolderReader {
  readonly #options: FolderReaderOptions;
  readonly #roots: readonly string[];
  readonly #store: ManifestStore;
  readonly #watches: DirectoryWatches;

  constructor(options: FolderReaderOptions) {
    this.#options = options;
    this.#roots = options.roots.map((root) => normalize(root).replace(/(?<=.)\/$/, ''));
    this.#store = new ManifestStore(options.files, options.patience);
    this.#watches = new DirectoryWatches({
      files: options.files,
      onPath: (path) => this.#touched(path),
      onFailure: (directory, reason) => options.onError(`No live events for ${directory} (${reason}); changes are found by rescanning.`),
    });
  }

  snapshot(): Snapshot {
    return this.#store.snapshot();
  }

  close(): void {
    this.#watches.closeAll();
  }

  /** Everything, in steps; the value says whether anything changed. */
  *rescan(): Generator<void, boolean> {
    let changed = false;
    for (const [index, root] of this.#roots.entries()) {
      this.#watchParent(root);
      changed = (yield* this.#scan(root, index)) || changed;
    }
    return changed;
  }

  /** Paths that something happened to. */
  visit(paths: readonly string[]): boolean {
    let changed = false;
    for (const path of paths) changed = this.#visitOne(path) || changed;
    return changed;
  }

  #visitOne(path: string): boolean {
    const index = this.#rootOf(path);
    const root = this.#roots[index];
    if (root === undefined) return false;
    const stat = this.#options.files.stat(path);
    if (stat?.kind === 'directory') return runToEnd(this.#scan(path, index));
    if (path === root || this.#isRootAway(root)) return runToEnd(this.#scan(root, index));
    if (this.#store.has(path) || (stat?.kind === 'file' && isManifestName(basename(path)))) return this.#look(path, index);
    if (!this.#watches.has(path)) return false;
    this.#watches.drop(path);
    return this.#lookAll(this.#store.below(path), index);
  }

  /** The files at and below a path, then those that were there before and no longer are. */
  *#scan(path: string, root: number): Generator<void, boolean> {
    const before = new Set(this.#store.below(path));
    let changed = false;
    for (const found of scanPath(this.#options.files, path)) {
      yield;
      if (found.type === 'directory') this.#watches.ensure(found.path, found.stat.identity);
      if (found.type === 'problem') {
        this.#watches.drop(found.path);
        changed = this.#problem(found.path, found.reason, before) || changed;
        // Files that can't be seen are not gone.
        for (const hidden of this.#store.below(found.path)) before.delete(hidden);
      } else if (found.type !== 'other') {
        changed = this.#solved(found.path) || changed;
      }
      if (found.type !== 'file') continue;
      before.delete(found.path);
      changed = this.#look(found.path, root) || changed;
    }
    return this.#lookAll(before, root) || changed;
  }

  #problem(path: string, reason: string, before: ReadonlySet<string>): boolean {
    if (before.size === 0) return this.#store.setProblem(path, unreadable(path, reason));
    const message = `${quote(path, 200)} can not be read (${quote(reason, 200)}); what was read from it before stays in use.`;
    return this.#store.setProblem(path, diagnostic('SourceStale', fileOrigin(path), message));
  }

  /** Only directories and roots: complaints about a file are the store's, which knows its contents. */
  #solved(path: string): boolean {
    return this.#store.has(path) ? false : this.#store.setProblem(path, undefined);
  }

  #lookAll(paths: Iterable<string>, root: number): boolean {
    let changed = false;
    for (const path of paths) changed = this.#look(path, root) || changed;
    return changed;
  }

  #look(path: string, root: number): boolean {
    const look = this.#store.look(path, root, this.#options.clock.now());
    switch (look.result) {
      case 'again':
        this.#options.pending.postpone(path, look.afterMs);
        return false;
      case 'changed':
        return true;
      case 'same':
        return false;
    }
  }

  #touched(path: string): void {
    // The directory itself, or `..data` in it: the links of a ConfigMap mount lead elsewhere now.
    for (const root of this.#roots) if (dirname(root) === path) this.#options.pending.touch(root);
    if (this.#rootOf(path) === -1) return;
    const name = basename(path);
    const known = this.#roots.includes(path) || this.#watches.has(path) || this.#store.has(path);
    if (!known && isIgnoredName(name)) return;
    // Other names count only if they turn out to be directories.
    if (known || isManifestName(name) || this.#options.files.stat(path)?.kind === 'directory') this.#options.pending.touch(path);
  }

  /** A file root has no directory of its own, and a directory root may be replaced as a whole. */
  #watchParent(root: string): void {
    const parent = dirname(root);
    const stat = parent === root ? undefined : this.#options.files.stat(parent);
    if (stat?.kind === 'directory') this.#watches.ensure(parent, stat.identity);
  }

  #isRootAway(root: string): boolean {
    return this.#options.files.stat(root) === undefined;
  }

  #rootOf(path: string): number {
    return this.#roots.findIndex((root) => path === root || root === '.' || path.startsWith(root === '/' ? root : `${root}/`));
  }
}

function runToEnd(steps: Generator<void, boolean>): boolean {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

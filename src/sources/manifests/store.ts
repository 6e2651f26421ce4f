import { diagnostic, quote, type Diagnostic } from '../../diagnostics/diagnostic.ts';
import { compareText } from '../../model/origin.ts';
import type { Snapshot } from '../../objects/snapshot.ts';
import { assembleSnapshot } from './assemble.ts';
import { doubtAbout } from './doubt.ts';
import type { FileAccess } from './file-access.ts';
import { loadText } from './load.ts';
import { fileOrigin, parseFile } from './parse-file.ts';
import { fileOf, type ParsedFile } from './parsed-file.ts';
import { unreadable } from './read.ts';
import { scanOrderKey } from './scan.ts';

export interface Patience {
  /** How long a file must stay away, or without some of its objects, before that is believed. */
  readonly lossMs: number;
  /** How long a file that had objects must stay without any. */
  readonly emptyMs: number;
  /** When to look again at a file that is being written. */
  readonly changingMs: number;
}

/** `again`: nothing decided, look once more after so many milliseconds. */
export type Look = { readonly result: 'same' | 'changed' } | { readonly result: 'again'; readonly afterMs: number };

interface KnownFile {
  readonly root: number;
  readonly orderKey: string;
  /** Of the contents last judged; empty when they could not be read. */
  readonly signature: string;
  /** The version in use. */
  readonly good: ParsedFile;
  /** Why `good` is not what the file says now. */
  readonly stale: readonly Diagnostic[];
  readonly doubt?: { readonly signature: string; readonly since: number };
}

const MISSING = 'missing';

/** The files of all roots and the version of each that is in use. */
export class ManifestStore {
  readonly #files: FileAccess;
  readonly #patience: Patience;
  readonly #known = new Map<string, KnownFile>();
  readonly #problems = new Map<string, Diagnostic>();
  #ordered: readonly string[] | undefined;

  constructor(files: FileAccess, patience: Patience) {
    this.#files = files;
    this.#patience = patience;
  }

  has(path: string): boolean {
    return this.#known.has(path);
  }

  /** Known files at or below a path. */
  below(path: string): readonly string[] {
    const prefix = path.endsWith('/') ? path : `${path}/`;
    return [...this.#known.keys()].filter((known) => known === path || path === '.' || known.startsWith(prefix));
  }

  /** A complaint about a path as a whole; undefined takes it back. Answers whether that is news. */
  setProblem(path: string, problem: Diagnostic | undefined): boolean {
    if (this.#problems.get(path)?.message === problem?.message) return false;
    if (problem) this.#problems.set(path, problem);
    else this.#problems.delete(path);
    return true;
  }

  /** Looks at a file and takes its new version into use, unless it is to be doubted. */
  look(path: string, root: number, now: number): Look {
    const known = this.#known.get(path);
    const stat = this.#files.stat(path);
    if (known && !known.doubt && known.signature !== '' && stat?.signature === known.signature) return { result: 'same' };
    const loaded = loadText(this.#files, path);
    switch (loaded.state) {
      case 'loaded': {
        const mended = this.setProblem(path, undefined);
        const look = this.#judge(path, root, parseFile(path, loaded.text, known?.good), loaded.signature, now);
        return mended && look.result === 'same' ? { result: 'changed' } : look;
      }
      case 'changing':
        return { result: 'again', afterMs: this.#patience.changingMs };
      case 'missing':
        return this.#missing(path, known, now);
      case 'failed':
        return this.#failed(path, root, known, loaded.reason, stat?.signature ?? '');
    }
  }

  snapshot(): Snapshot {
    this.#ordered ??= this.#order();
    const files: ParsedFile[] = [];
    const stale: Diagnostic[] = [];
    for (let at = 0; at < this.#ordered.length; at += 1) {
      const known = this.#known.get(this.#ordered[at] ?? '');
      if (!known) continue;
      files.push(known.good);
      if (known.stale.length > 0) stale.push(...known.stale);
    }
    return assembleSnapshot(files, [...stale, ...this.#problems.values()]);
  }

  #judge(path: string, root: number, next: ParsedFile, signature: string, now: number): Look {
    const known = this.#known.get(path);
    if (!known) return this.#use(path, root, next, signature);
    if (!next.readable && known.good.readable && known.good.objects.length > 0) {
      const complaints = next.documents.filter((document) => !document.readable).flatMap((document) => document.diagnostics);
      return this.#keepStale(path, known, complaints, complaints[0]?.message ?? 'it can not be read', signature);
    }
    const doubt = doubtAbout(known.good, next);
    if (doubt !== 'none') {
      const wait = this.#wait(path, known, signature, now, doubt === 'emptied' ? this.#patience.emptyMs : this.#patience.lossMs);
      if (wait) return wait;
    }
    return this.#use(path, root, next, signature);
  }

  #use(path: string, root: number, next: ParsedFile, signature: string): Look {
    const known = this.#known.get(path);
    if (!known) this.#ordered = undefined;
    this.#known.set(path, { root: known?.root ?? root, orderKey: known?.orderKey ?? scanOrderKey(path), signature, good: next, stale: [] });
    return { result: known && known.stale.length === 0 && sameDocuments(known.good, next) ? 'same' : 'changed' };
  }

  #missing(path: string, known: KnownFile | undefined, now: number): Look {
    if (!known) return { result: 'same' };
    const wait = this.#wait(path, known, MISSING, now, this.#patience.lossMs);
    if (wait) return wait;
    this.#known.delete(path);
    this.#problems.delete(path);
    this.#ordered = undefined;
    return { result: 'changed' };
  }

  #failed(path: string, root: number, known: KnownFile | undefined, reason: string, signature: string): Look {
    if (known && known.good.objects.length > 0) return this.#keepStale(path, known, [], reason, signature);
    const empty: ParsedFile = { ...fileOf(path, [], ''), readable: false };
    this.#use(path, root, empty, signature);
    return { result: this.setProblem(path, unreadable(path, reason)) ? 'changed' : 'same' };
  }

  #keepStale(path: string, known: KnownFile, complaints: readonly Diagnostic[], reason: string, signature: string): Look {
    const line = complaints[0]?.origin.line;
    const message = `${quote(path, 200)} can not be used (${quote(reason, 200)}); its last good version stays in use.`;
    const stale = [...complaints, diagnostic('SourceStale', fileOrigin(path, line), message)];
    const same = stale.length === known.stale.length && stale.every((problem, index) => problem.message === known.stale[index]?.message);
    this.#known.set(path, { root: known.root, orderKey: known.orderKey, good: known.good, signature, stale });
    return { result: same ? 'same' : 'changed' };
  }

  /** Starts or continues a doubt; undefined when it has lasted long enough to be believed. */
  #wait(path: string, known: KnownFile, signature: string, now: number, patienceMs: number): Look | undefined {
    const since = known.doubt?.signature === signature ? known.doubt.since : now;
    const left = since + patienceMs - now;
    if (left <= 0 && known.doubt?.signature === signature) return undefined;
    this.#known.set(path, { ...known, doubt: { signature, since } });
    return { result: 'again', afterMs: Math.max(1, left) };
  }

  #order(): readonly string[] {
    const entries = [...this.#known];
    entries.sort(([, a], [, b]) => a.root - b.root || compareText(a.orderKey, b.orderKey));
    return entries.map(([path]) => path);
  }
}

function sameDocuments(a: ParsedFile, b: ParsedFile): boolean {
  return a.documents.length === b.documents.length && a.documents.every((document, index) => document === b.documents[index]);
}

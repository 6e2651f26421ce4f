import { diagnostic, quote, type Diagnostic } from '../../diagnostics/diagnostic.ts';
import type { Snapshot } from '../../objects/snapshot.ts';
import type { KubeObject } from '../../objects/types.ts';
import { assembleSnapshot } from './assemble.ts';
import type { FileAccess } from './file-access.ts';
import { nodeFileAccess } from './node-file-access.ts';
import { fileOrigin, parseFile, type ParsedFile } from './parse-file.ts';
import { scanPath } from './scan.ts';

/** Far above any folder in use, and below what would take the process down. */
export const MAX_FILE_BYTES = 64 * 1024 * 1024;

export interface ManifestText {
  /** Shown in positions; need not exist. */
  readonly file: string;
  readonly text: string;
}

export interface ReadOptions {
  /** Directories and files; a later one wins over an earlier one. */
  readonly paths: readonly string[];
  /** Text from elsewhere, for example standard input; wins over the files. */
  readonly texts?: readonly ManifestText[];
  readonly files?: FileAccess;
}

/** One look at a folder, without live reload. */
export function readManifests(options: ReadOptions): Snapshot {
  const files = options.files ?? nodeFileAccess;
  const parsed = new Map<string, ParsedFile>();
  const problems: Diagnostic[] = [];
  for (const path of options.paths) {
    const scan = scanPath(files, path);
    for (const problem of scan.problems) problems.push(unreadable(problem.path, problem.reason));
    for (const found of scan.files) {
      const loaded = loadText(files, found.path);
      if (loaded.ok) parsed.set(found.path, parseFile(found.path, loaded.text));
      else problems.push(unreadable(found.path, loaded.reason));
    }
  }
  for (const { file, text } of options.texts ?? []) parsed.set(file, parseFile(file, text));
  return assembleSnapshot(parsed.values(), problems);
}

export interface ManifestObjects {
  readonly objects: readonly KubeObject[];
  readonly diagnostics: readonly Diagnostic[];
}

/** The objects of one text in the order they stand, the same object twice if it is there twice. */
export function readManifestText(text: string, file: string): ManifestObjects {
  const { documents } = parseFile(file, text);
  return { objects: documents.flatMap((document) => document.objects), diagnostics: documents.flatMap((document) => document.diagnostics) };
}

/** Manifests that are already text. */
export function parseManifests(texts: readonly ManifestText[]): Snapshot {
  return readManifests({ paths: [], texts });
}

export type LoadedText = { readonly ok: true; readonly text: string } | { readonly ok: false; readonly reason: string };

function loadText(files: FileAccess, path: string): LoadedText {
  const result = files.read(path, MAX_FILE_BYTES);
  switch (result.state) {
    case 'read':
      return decodeText(result.bytes);
    case 'missing':
      return { ok: false, reason: 'it has disappeared' };
    case 'changing':
      return { ok: false, reason: 'it is being written' };
    case 'failed':
      return { ok: false, reason: result.reason };
  }
}

/** A half-written file may end inside a character, so bad UTF-8 is an error and not a replacement mark. */
export function decodeText(bytes: Uint8Array): LoadedText {
  try {
    return { ok: true, text: new TextDecoder('utf-8', { fatal: true }).decode(bytes) };
  } catch {
    return { ok: false, reason: 'it is not UTF-8' };
  }
}

export function unreadable(file: string, reason: string): Diagnostic {
  return diagnostic('UnreadableDocument', fileOrigin(file), `${quote(file, 200)} can not be read: ${quote(reason, 200)}.`, 'Check the path and its permissions.');
}

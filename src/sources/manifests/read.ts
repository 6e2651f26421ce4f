import { normalize } from 'node:path';
import { diagnostic, quote, type Diagnostic } from '../../diagnostics/diagnostic.ts';
import type { Snapshot } from '../../objects/snapshot.ts';
import type { KubeObject } from '../../objects/types.ts';
import { assembleSnapshot } from './assemble.ts';
import type { FileAccess } from './file-access.ts';
import { nodeFileAccess } from './node-file-access.ts';
import { loadText } from './load.ts';
import { fileOrigin, parseFile } from './parse-file.ts';
import type { ParsedFile } from './parsed-file.ts';
import { scanPath } from './scan.ts';

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
    for (const found of scanPath(files, normalize(path))) {
      if (found.type === 'problem') problems.push(unreadable(found.path, found.reason));
      if (found.type !== 'file' || parsed.has(found.path)) continue;
      const loaded = loadText(files, found.path);
      if (loaded.state === 'loaded') parsed.set(found.path, parseFile(found.path, loaded.text));
      else problems.push(unreadable(found.path, loaded.reason));
    }
  }
  for (const { file, text } of options.texts ?? []) parsed.set(file, parseFile(file, text));
  return assembleSnapshot([...parsed.values()], problems);
}

export interface ManifestObjects {
  readonly objects: readonly KubeObject[];
  readonly diagnostics: readonly Diagnostic[];
}

/** The objects of one text in the order they stand, the same object twice if it is there twice. */
export function readManifestText(text: string, file: string): ManifestObjects {
  const { objects, diagnostics } = parseFile(file, text);
  return { objects, diagnostics };
}

/** Manifests that are already text. */
export function parseManifests(texts: readonly ManifestText[]): Snapshot {
  return readManifests({ paths: [], texts });
}

export function unreadable(file: string, reason: string): Diagnostic {
  return diagnostic(
    'UnreadableDocument',
    fileOrigin(file),
    `${quote(file, 200)} can not be read: ${quote(reason, 200)}.`,
    'Check the path and its permissions.',
  );
}

import { join } from 'node:path';
import { compareText } from '../../model/origin.ts';
import type { FileAccess, FileStat } from './file-access.ts';

/** A folder of manifests is not that deep; a link to its own parent is. */
const MAX_DIRECTORY_DEPTH = 32;

/** Whether a file of this name in a directory is read: not dotfiles, editors' droppings or other types. */
export function isManifestName(name: string): boolean {
  if (isIgnoredName(name)) return false;
  return /\.(ya?ml|json)$/i.test(name);
}

/** `..data` of a ConfigMap mount is ignored too: its files are linked from above. */
export function isIgnoredName(name: string): boolean {
  return name.startsWith('.') || name.endsWith('~') || /^#.*#$/.test(name) || /\.sw[a-z]$/i.test(name) || name === '4913';
}

export type Found =
  | { readonly type: 'file'; readonly path: string; readonly stat: FileStat }
  /** Comes before its entries are listed, so that a watch set on it misses nothing. */
  | { readonly type: 'directory'; readonly path: string; readonly stat: FileStat }
  /** Looked at and not read: gives long scans a place to pause. */
  | { readonly type: 'other' }
  | { readonly type: 'problem'; readonly path: string; readonly reason: string };

/** Everything to read below a path, in the order of names. A file named directly is read whatever its name. */
export function* scanPath(files: FileAccess, path: string): Generator<Found> {
  const stat = files.stat(path);
  if (stat?.kind === 'file') yield { type: 'file', path, stat };
  else if (stat?.kind === 'directory') yield* scanDirectory(files, path, stat, 0, new Set([stat.identity]));
  else yield { type: 'problem', path, reason: stat ? 'it is neither a file nor a directory' : 'it does not exist or can not be opened' };
}

function* scanDirectory(files: FileAccess, directory: string, own: FileStat, depth: number, seen: Set<string>): Generator<Found> {
  yield { type: 'directory', path: directory, stat: own };
  const listed = files.list(directory);
  if (!listed.ok) {
    yield { type: 'problem', path: directory, reason: listed.reason };
    return;
  }
  for (const name of listed.names.toSorted(compareText)) {
    if (isIgnoredName(name)) continue;
    const path = join(directory, name);
    const stat = files.stat(path);
    if (stat?.kind === 'file' && isManifestName(name)) yield { type: 'file', path, stat };
    else if (stat?.kind !== 'directory' || depth >= MAX_DIRECTORY_DEPTH || seen.has(stat.identity)) yield { type: 'other' };
    else {
      seen.add(stat.identity);
      yield* scanDirectory(files, path, stat, depth + 1, seen);
    }
  }
}

/** Sorts paths as a scan meets them: a directory's entries before a sibling whose name only begins like it. */
export function scanOrderKey(path: string): string {
  return path.replaceAll('/', '\0');
}

import { join, resolve } from 'node:path';
import { compareText } from '../../model/origin.ts';
import type { FileAccess, FileStat } from './file-access.ts';

/** A folder of manifests is not that deep; a link to its own parent is. */
const MAX_DIRECTORY_DEPTH = 32;

export interface FoundFile {
  readonly path: string;
  readonly stat: FileStat;
}

export interface ScanProblem {
  readonly path: string;
  readonly reason: string;
}

export interface Scan {
  readonly files: readonly FoundFile[];
  readonly directories: readonly FoundFile[];
  readonly problems: readonly ScanProblem[];
}

/** Whether a file of this name in a directory is read: not dotfiles, editors' droppings or other types. */
export function isManifestName(name: string): boolean {
  if (isIgnoredName(name)) return false;
  return /\.(ya?ml|json)$/i.test(name);
}

/** `..data` of a ConfigMap mount is ignored too: its files are linked from above. */
export function isIgnoredName(name: string): boolean {
  return name.startsWith('.') || name.endsWith('~') || /^#.*#$/.test(name) || /\.sw[a-z]$/i.test(name) || name === '4913';
}

/** Everything to read below a path, in the order of names. A file named directly is read whatever its name. */
export function scanPath(files: FileAccess, path: string): Scan {
  const scan = { files: new Array<FoundFile>(), directories: new Array<FoundFile>(), problems: new Array<ScanProblem>() };
  const stat = files.stat(path);
  if (stat?.kind === 'file') scan.files.push({ path, stat });
  else if (stat?.kind === 'directory') scanDirectory(files, { path, stat }, 0, scan, new Set([stat.identity]));
  else scan.problems.push({ path, reason: stat ? 'it is neither a file nor a directory' : 'it does not exist or can not be opened' });
  return scan;
}

type OpenScan = { readonly [K in keyof Scan]: Scan[K][number][] };

function scanDirectory(files: FileAccess, directory: FoundFile, depth: number, scan: OpenScan, seen: Set<string>): void {
  scan.directories.push(directory);
  const listed = files.list(directory.path);
  if (!listed.ok) {
    scan.problems.push({ path: directory.path, reason: listed.reason });
    return;
  }
  for (const name of listed.names.toSorted(compareText)) {
    if (isIgnoredName(name)) continue;
    const path = join(directory.path, name);
    const stat = files.stat(path);
    if (stat?.kind === 'file' && isManifestName(name)) scan.files.push({ path, stat });
    if (stat?.kind !== 'directory' || depth >= MAX_DIRECTORY_DEPTH || seen.has(stat.identity)) continue;
    seen.add(stat.identity);
    scanDirectory(files, { path, stat }, depth + 1, scan, seen);
  }
}

/** One spelling for each path, so that a file reached through two arguments is read once. */
export function absolute(path: string): string {
  return resolve(path);
}

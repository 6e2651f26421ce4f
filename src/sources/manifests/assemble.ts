import { diagnostic, type Diagnostic } from '../../diagnostics/diagnostic.ts';
import { originName } from '../../model/origin.ts';
import { objectOrigin } from '../../objects/origin.ts';
import { snapshotOf, type Snapshot } from '../../objects/snapshot.ts';
import type { KubeObject } from '../../objects/types.ts';
import type { ParsedFile } from './parsed-file.ts';

/**
 * The files, in the order in which a later one wins, as one snapshot. Plain loops: this runs over
 * everything at every change, and too seldom for the engine to make iterators cheap.
 */
export function assembleSnapshot(files: readonly ParsedFile[], more: readonly Diagnostic[] = []): Snapshot {
  const winners = new Map<string, KubeObject>();
  const diagnostics: Diagnostic[] = [];
  for (let at = 0; at < files.length; at += 1) {
    const file = files[at];
    if (file) addFile(file, winners, diagnostics);
  }
  return snapshotOf(winners.values(), [...diagnostics, ...more]);
}

function addFile(file: ParsedFile, winners: Map<string, KubeObject>, diagnostics: Diagnostic[]): void {
  const { objects, keys } = file;
  for (let at = 0; at < file.diagnostics.length; at += 1) {
    const problem = file.diagnostics[at];
    if (problem) diagnostics.push(problem);
  }
  for (let at = 0; at < objects.length; at += 1) {
    const key = keys[at];
    const object = objects[at];
    if (key === undefined || object === undefined) continue;
    const earlier = winners.get(key);
    if (earlier) diagnostics.push(duplicate(earlier, object));
    winners.set(key, object);
  }
}

function duplicate(earlier: KubeObject, later: KubeObject): Diagnostic {
  const origin = objectOrigin(earlier);
  const place = later.position ? ` at ${later.position.file}:${later.position.line}` : '';
  return diagnostic('DuplicateObject', origin, `${originName(origin)} is described again${place}; that one counts, this one does not.`);
}

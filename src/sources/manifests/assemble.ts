import { diagnostic, type Diagnostic } from '../../diagnostics/diagnostic.ts';
import { originName } from '../../model/origin.ts';
import { objectOrigin } from '../../objects/origin.ts';
import { snapshotOf, type Snapshot } from '../../objects/snapshot.ts';
import type { KubeObject } from '../../objects/types.ts';
import { identityKey } from './doubt.ts';
import type { ParsedFile } from './parse-file.ts';

/** The files, in the order in which a later one wins, as one snapshot. */
export function assembleSnapshot(files: Iterable<ParsedFile>, more: readonly Diagnostic[] = []): Snapshot {
  const winners = new Map<string, KubeObject>();
  const diagnostics: Diagnostic[] = [];
  for (const { documents } of files) {
    for (const document of documents) {
      for (const problem of document.diagnostics) diagnostics.push(problem);
      for (const object of document.objects) {
        const key = identityKey(object);
        const earlier = winners.get(key);
        if (earlier) diagnostics.push(duplicate(earlier, object));
        winners.set(key, object);
      }
    }
  }
  return snapshotOf(winners.values(), [...diagnostics, ...more]);
}

function duplicate(earlier: KubeObject, later: KubeObject): Diagnostic {
  const origin = objectOrigin(earlier);
  const place = later.position ? ` at ${later.position.file}:${later.position.line}` : '';
  return diagnostic('DuplicateObject', origin, `${originName(origin)} is described again${place}; that one counts, this one does not.`);
}

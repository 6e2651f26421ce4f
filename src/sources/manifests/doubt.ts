import type { KubeObject } from '../../objects/types.ts';
import type { ParsedFile } from './parse-file.ts';

/**
 * What may be a file in the middle of being written. `emptied`: it held objects and holds none.
 * `shrunk`: objects are missing, or it is shorter and stops within a line.
 */
export type Doubt = 'none' | 'shrunk' | 'emptied';

/** Whether the new version of a file should be looked at once more before it is believed. */
export function doubtAbout(before: ParsedFile, after: ParsedFile): Doubt {
  const had = keysOf(before);
  if (had.size === 0) return 'none';
  const has = keysOf(after);
  if (has.size === 0) return 'emptied';
  for (const key of had) if (!has.has(key)) return 'shrunk';
  return before.endsInNewline && !after.endsInNewline && after.length < before.length ? 'shrunk' : 'none';
}

function keysOf(file: ParsedFile): Set<string> {
  return new Set(file.documents.flatMap((document) => document.objects.map(identityKey)));
}

/** One object of the cluster, whoever describes it. */
export function identityKey(object: KubeObject): string {
  return `${object.kind}/${object.metadata.namespace}/${object.metadata.name}`;
}

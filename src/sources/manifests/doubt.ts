import type { ParsedFile } from './parsed-file.ts';

/**
 * What may be a file in the middle of being written. `emptied`: it held objects and holds none.
 * `shrunk`: objects are missing, or it is shorter and stops within a line.
 */
export type Doubt = 'none' | 'shrunk' | 'emptied';

/** Whether the new version of a file should be looked at once more before it is believed. */
export function doubtAbout(before: ParsedFile, after: ParsedFile): Doubt {
  if (before.keys.length === 0) return 'none';
  if (after.keys.length === 0) return 'emptied';
  const has = new Set(after.keys);
  for (const key of before.keys) if (!has.has(key)) return 'shrunk';
  return before.endsInNewline && !after.endsInNewline && after.length < before.length ? 'shrunk' : 'none';
}

/** A path match as a key of a longest-prefix table, looked up with `path + "/#"`. */
export interface PathEntry {
  readonly key: string;
  readonly value: string;
  /** What matches are compared by. */
  readonly length: number;
  /** Place among equal lengths; plain matches stand before regular expressions. */
  readonly order: number;
  /** The key ends in a `/` that the path itself must have, not the look-up's closing one. */
  readonly below: boolean;
}

/** Answers a look-up that finds a key no match wants. */
const NOTHING = '|||0';

/**
 * The table in which the longest key is always the right answer. A match with a shorter key may be the
 * longer one as it was written: it then also stands under the longer keys.
 */
export function pathTable(entries: readonly PathEntry[]): ReadonlyMap<string, string> {
  const byKey = new Map<string, PathEntry[]>();
  for (const entry of entries) {
    const same = byKey.get(entry.key);
    if (same) same.push(entry);
    else byKey.set(entry.key, [entry]);
  }
  const keys = new Set([...byKey.keys(), ...entries.flatMap((entry) => (entry.below ? [`${entry.key}#`] : []))]);
  return new Map([...keys].map((key) => [key, bestFor(key, byKey)?.value ?? NOTHING]));
}

function bestFor(key: string, byKey: ReadonlyMap<string, readonly PathEntry[]>): PathEntry | undefined {
  let best: PathEntry | undefined;
  for (let end = 1; end <= key.length; end += 1) {
    for (const entry of byKey.get(key.slice(0, end)) ?? []) {
      if (entry.below && key === `${entry.key}#`) continue;
      if (best === undefined || isBetter(entry, best)) best = entry;
    }
  }
  return best;
}

/** `entry` has the same key or a longer one. */
function isBetter(entry: PathEntry, best: PathEntry): boolean {
  if (entry.length !== best.length) return entry.length > best.length;
  return entry.order < best.order || (entry.order === best.order && entry.key.length > best.key.length);
}

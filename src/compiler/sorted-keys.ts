import { compareText } from '../model/origin.ts';

/** More new keys than this are sorted in at once; fewer are put in one by one. */
const FEW = 500;

/** Keeps a set of keys in order from one compilation to the next: a change of one key costs one step through the list, not a sort. */
export class SortedKeys {
  #keys: readonly string[] = [];

  /** The keys of `items`, sorted. */
  of(items: ReadonlyMap<string, unknown>): readonly string[] {
    const kept = this.#keys.filter((key) => items.has(key));
    if (kept.length === items.size) return this.#remember(kept);
    const known = new Set(kept);
    const fresh = [...items.keys()].filter((key) => !known.has(key));
    if (fresh.length > FEW) return this.#remember([...items.keys()].sort(compareText));
    for (const key of fresh) kept.splice(placeOf(kept, key), 0, key);
    return this.#remember(kept);
  }

  #remember(keys: readonly string[]): readonly string[] {
    this.#keys = keys;
    return keys;
  }
}

function placeOf(keys: readonly string[], key: string): number {
  let low = 0;
  let high = keys.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (compareText(keys[middle] ?? '', key) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

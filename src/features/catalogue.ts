import type { RegisteredKey } from './contract/key.ts';

/** Keys of the dialects that no feature declares: known by name, so that an object that uses them is told. */
export const CATALOGUE: readonly RegisteredKey[] = [];

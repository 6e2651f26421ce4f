import type { KeyStatus } from './contract/key.ts';

/** A key that is known by name only. Absent `status`: honoured elsewhere than in a feature. */
export interface CatalogueRow {
  readonly feature: string;
  readonly name: string;
  readonly value: string;
  readonly default: string;
  readonly summary: string;
  readonly status?: KeyStatus;
}

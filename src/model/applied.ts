import type { Model } from './model.ts';
import type { Origin } from './origin.ts';

/** Why a change was not one of data alone. */
export interface ReloadReason {
  /** Stable and of low cardinality: `first-use:cors`, `new-backend`, `new-profile`, `structure`, `files`, `runtime-fault`. */
  readonly reason: string;
  /** The object that caused it, where one did. */
  readonly origin: Origin | undefined;
}

/** What became of a model on its way to the data plane. */
export interface Applied {
  /** `data`: changed while it ran. `none`: nothing differed. */
  readonly how: 'start' | 'reload' | 'data' | 'none';
  readonly reasons: readonly ReloadReason[];
  /** Commands to the running data plane. */
  readonly steps: number;
  readonly milliseconds: number;
  /** The model that is served: the one given, without objects that were refused. */
  readonly model: Model;
}

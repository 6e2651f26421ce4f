import { createHash } from 'node:crypto';
import type { Applied } from '../model/applied.ts';
import { diffModels } from '../model/diff.ts';
import type { Model } from '../model/model.ts';
import { originName } from '../model/origin.ts';

/** One state of the routing intent that was served. */
export interface Generation {
  readonly number: number;
  /** Of the whole model; equal digests are equal models. */
  readonly digest: string;
  /** RFC 3339. */
  readonly at: string;
  readonly how: Applied['how'];
  readonly reasons: readonly { readonly reason: string; readonly object?: string }[];
  readonly milliseconds: number;
  readonly changes: readonly string[];
}

const KEPT = 64;
const EMPTY: Model = { hosts: [], routes: [], backends: [], certificates: [] };

/** The last generations, newest first. A model that equals the one before makes no generation. */
export class Generations {
  #list: readonly Generation[] = [];
  #model: Model = EMPTY;
  #number = 0;
  readonly #now: () => Date;

  constructor(now: () => Date) {
    this.#now = now;
  }

  record(model: Model, report: Applied): Generation | undefined {
    const changes =
      this.#number === 0 ? [`${model.routes.length} routes, ${model.backends.length} backends`] : diffModels(this.#model, model);
    this.#model = model;
    if (changes.length === 0 && this.#number > 0) return undefined;
    this.#number += 1;
    const reasons = report.reasons.map(({ reason, origin }) => ({ reason, ...(origin ? { object: originName(origin) } : {}) }));
    const generation = {
      number: this.#number,
      digest: digestOf(model),
      at: this.#now().toISOString(),
      how: report.how,
      reasons,
      milliseconds: Math.round(report.milliseconds),
      changes,
    };
    this.#list = [generation, ...this.#list].slice(0, KEPT);
    return generation;
  }

  get list(): readonly Generation[] {
    return this.#list;
  }
}

const digests = new WeakMap<object, readonly [number, number]>();

/** Digests of routes, backends and certificates are remembered by identity and added up, so one change costs one of them. */
function digestOf(model: Model): string {
  let high = 0;
  let low = 0;
  for (const items of [model.routes, model.backends, model.certificates]) {
    for (const item of items) {
      const [a, b] = itemDigest(item);
      high = (high + a) | 0;
      low = (low + b) | 0;
    }
  }
  return createHash('sha256')
    .update(`${high} ${low} ${model.defaultBackend ?? ''}`)
    .digest('hex')
    .slice(0, 16);
}

function itemDigest(item: object): readonly [number, number] {
  const known = digests.get(item);
  if (known !== undefined) return known;
  // Origins hold line numbers and uids, which are not routing intent.
  const text = JSON.stringify(item, (key, value: unknown) => (key === 'origin' || key === 'createdAt' ? undefined : value));
  const bytes = createHash('sha256').update(text).digest();
  const digest = [bytes.readInt32BE(0), bytes.readInt32BE(4)] as const;
  digests.set(item, digest);
  return digest;
}

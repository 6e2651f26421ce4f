import { createHash } from 'node:crypto';
import type { ApplyReport } from '../haproxy/data-plane.ts';
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
  readonly how: ApplyReport['how'];
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

  record(model: Model, report: ApplyReport): Generation | undefined {
    const changes = this.#number === 0 ? [`${model.routes.length} routes, ${model.backends.length} backends`] : diffModels(this.#model, model);
    this.#model = model;
    if (changes.length === 0 && this.#number > 0) return undefined;
    this.#number += 1;
    const reasons = report.reasons.map(({ reason, origin }) => ({ reason, ...(origin ? { object: originName(origin) } : {}) }));
    const generation = { number: this.#number, digest: digestOf(model), at: this.#now().toISOString(), how: report.how, reasons, milliseconds: Math.round(report.milliseconds), changes };
    this.#list = [generation, ...this.#list].slice(0, KEPT);
    return generation;
  }

  get list(): readonly Generation[] {
    return this.#list;
  }
}

const digests = new WeakMap<object, string>();

/** Digests of routes, backends and certificates are remembered by identity: one change costs one of them. */
function digestOf(model: Model): string {
  const hash = createHash('sha256');
  for (const item of [...model.routes, ...model.backends, ...model.certificates]) {
    let digest = digests.get(item);
    if (digest === undefined) {
      // Origins hold line numbers and uids, which are not routing intent.
      const text = JSON.stringify(item, (key, value: unknown) => (key === 'origin' || key === 'createdAt' ? undefined : value));
      digest = createHash('sha256').update(text).digest('base64');
      digests.set(item, digest);
    }
    hash.update(digest);
  }
  return hash.update(model.defaultBackend ?? '').digest('hex').slice(0, 16);
}

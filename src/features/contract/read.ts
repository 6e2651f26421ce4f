import { diagnostic, type Diagnostic, quote } from '../../diagnostics/diagnostic.ts';
import type { DiagnosticCode } from '../../diagnostics/codes.ts';
import type { Origin } from '../../model/origin.ts';
import type { ConfigMap, KubeSecret, Service } from '../../objects/types.ts';
import { DIALECTS, FAMILY_ORDER, FAMILY_PREFIXES, type Dialect, type Family } from './dialect.ts';
import type { KeySpec } from './key.ts';
import type { ReadContext, Reader } from './reader.ts';
import type { FeatureSettings } from './settings.ts';

/** What reading needs from the compiler: the object's annotations and a way to look at other objects. */
export interface ReadInput {
  readonly namespace: string;
  readonly name: string;
  readonly annotations: Readonly<Record<string, string>>;
  readonly compat: 'nginx' | 'mse';
  readonly settings: FeatureSettings;
  /** Origin of an annotation by its full key; of the object without one. */
  origin(fullKey?: string): Origin;
  secret(reference: string): KubeSecret | undefined;
  configMap(reference: string): ConfigMap | undefined;
  service(reference: string): Service | undefined;
}

export interface ReadResult<P> {
  readonly policy: P | undefined;
  readonly dialect: Dialect | undefined;
  readonly closed: 401 | 403 | 503 | undefined;
  readonly diagnostics: readonly Diagnostic[];
}

export interface ReadableFeature<P> {
  readonly name: string;
  readonly failure: 'skip' | 'close';
  readonly readers: Partial<Readonly<Record<Dialect, Reader<P>>>>;
}

interface Given {
  readonly fullKey: string;
  readonly text: string;
}

/** An object that sets no key of a feature. */
export const NOTHING_READ: ReadResult<never> = { policy: undefined, dialect: undefined, closed: undefined, diagnostics: [] };

/** Reads one feature from the annotations of one object: family by family, the first that is used serves. */
export function readFeature<P>(feature: ReadableFeature<P>, input: ReadInput): ReadResult<P> {
  const used = FAMILY_ORDER.filter((family) => usesFamily(feature, family, input));
  const [family, ...others] = used;
  if (family === undefined) return NOTHING_READ;
  const reader = pickReader(feature, family, input);
  if (reader === undefined) return NOTHING_READ;
  const session = new ReadSession(feature, family, reader, input);
  const policy = session.run();
  for (const other of others) session.reportConflict(other);
  return { policy, dialect: reader.dialect, closed: session.closed, diagnostics: session.diagnostics };
}

/** The reader of a family that applies to this object: in the nginx family MSE's, where the object speaks MSE. */
function pickReader<P>(feature: ReadableFeature<P>, family: Family, input: ReadInput): Reader<P> | undefined {
  if (family !== 'nginx') return feature.readers[family];
  const { nginx, mse } = feature.readers;
  if (!mse) return nginx;
  if (!nginx || input.compat === 'mse') return mse;
  return speaksMse(mse, nginx, input) ? mse : nginx;
}

function speaksMse<P>(mse: Reader<P>, nginx: Reader<P>, input: ReadInput): boolean {
  const own = new Set(Object.values(nginx.keys).map((spec) => spec.name));
  return Object.values(mse.keys).some((spec) => !own.has(spec.name) && findGiven(spec, 'nginx', input).length > 0);
}

function usesFamily<P>(feature: ReadableFeature<P>, family: Family, input: ReadInput): boolean {
  const reader = pickReader(feature, family, input);
  return reader !== undefined && Object.values(reader.keys).some((spec) => findGiven(spec, family, input).length > 0);
}

/** Every spelling of a key on the object, in order of precedence. */
function findGiven(spec: KeySpec<unknown>, family: Family, input: ReadInput): readonly Given[] {
  const found: Given[] = [];
  for (const name of [spec.name, ...(spec.aliases ?? [])]) {
    for (const prefix of FAMILY_PREFIXES[family]) {
      const fullKey = `${prefix}/${name}`;
      const text = Object.hasOwn(input.annotations, fullKey) ? input.annotations[fullKey] : undefined;
      if (text !== undefined) found.push({ fullKey, text });
    }
  }
  return found;
}

class ReadSession<P> {
  readonly diagnostics: Diagnostic[] = [];
  closed: 401 | 403 | 503 | undefined;
  #skipped = false;
  readonly #given = new Map<string, Given>();
  readonly #feature: ReadableFeature<P>;
  readonly #family: Family;
  readonly #reader: Reader<P>;
  readonly #input: ReadInput;

  constructor(feature: ReadableFeature<P>, family: Family, reader: Reader<P>, input: ReadInput) {
    this.#feature = feature;
    this.#family = family;
    this.#reader = reader;
    this.#input = input;
  }

  run(): P | undefined {
    const values: Record<string, unknown> = {};
    for (const [name, spec] of Object.entries(this.#reader.keys)) this.#readKey(name, spec, values);
    if (this.#skipped || this.closed !== undefined) return undefined;
    const policy = this.#reader.toPolicy(values, this.#context());
    return this.closed === undefined ? policy : undefined;
  }

  /** The first good spelling counts; a bad one before it is reported all the same. */
  #readKey(name: string, spec: KeySpec<unknown>, values: Record<string, unknown>): void {
    const given = findGiven(spec, this.#family, this.#input);
    const [first] = given;
    if (first === undefined) return;
    this.#given.set(name, first);
    if (spec.status && spec.status.is !== 'honoured') return;
    for (const candidate of given) {
      const outcome = spec.parse(candidate.text);
      if (outcome.ok) {
        if (outcome.note !== undefined) this.#say('AnnotationAdjusted', candidate.fullKey, `\`${candidate.fullKey}\` ${outcome.note}.`);
        this.#given.set(name, candidate);
        values[name] = outcome.value;
        return;
      }
      this.#say('InvalidAnnotation', candidate.fullKey, badValueSentence(candidate, outcome.problem, spec), outcome.hint);
    }
    if (spec.onInvalid === 'skip') this.#skipped = true;
    if (spec.onInvalid === 'close') this.#close(503);
  }

  #close(status: 401 | 403 | 503): void {
    if (this.closed !== undefined) return;
    this.closed = status;
    const message = `The routes of this object answer ${status}: ${this.#feature.name} could not be set up and they must not be served without it.`;
    this.#say('RouteClosed', undefined, message);
  }

  #say(code: DiagnosticCode, fullKey: string | undefined, message: string, hint?: string): void {
    this.diagnostics.push(diagnostic(code, this.#input.origin(fullKey), message, hint));
  }

  #context(): ReadContext {
    const input = this.#input;
    return {
      namespace: input.namespace,
      name: input.name,
      compat: input.compat,
      settings: input.settings,
      given: (key) => this.#given.has(key),
      text: (key) => this.#given.get(key)?.text,
      secret: (reference) => input.secret(reference),
      configMap: (reference) => input.configMap(reference),
      service: (reference) => input.service(reference),
      report: (code, key, message, hint) => this.#say(code, key === undefined ? undefined : this.#fullKey(key), message, hint),
      close: (status) => this.#close(status),
    };
  }

  /** The key as the author spelt it, else as it should be spelt. */
  #fullKey(name: string): string {
    const spec = this.#reader.keys[name];
    return this.#given.get(name)?.fullKey ?? `${DIALECTS[this.#reader.dialect].prefixes[0]}/${spec?.name ?? name}`;
  }

  reportConflict(other: Family): void {
    const reader = pickReader(this.#feature, other, this.#input);
    const fullKey = reader && Object.values(reader.keys).flatMap((spec) => findGiven(spec, other, this.#input))[0]?.fullKey;
    const message = `${this.#feature.name} is configured by ${this.#reader.dialect} and ${other} annotations; the ${this.#reader.dialect} ones are in effect.`;
    this.#say('AnnotationFamilyConflict', fullKey, message);
  }
}

function badValueSentence(given: Given, problem: string, spec: KeySpec<unknown>): string {
  const effect = { default: 'it is read as absent', skip: 'the feature is left out', close: 'the routes are closed' }[spec.onInvalid];
  return `\`${given.fullKey}: ${quote(given.text).slice(1, -1)}\` ${problem}; ${effect}.`;
}

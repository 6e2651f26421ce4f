import type { Dialect } from './dialect.ts';

/**
 * The outcome of reading one annotation value. There is no third way: a value is a typed value, with a
 * note if it had to be adjusted, or a problem in one plain sentence (without the key's name).
 */
export type Parsed<T> =
  | { readonly ok: true; readonly value: T; readonly note?: string }
  | { readonly ok: false; readonly problem: string; readonly hint?: string };

export type Parser<T> = (text: string) => Parsed<T>;

export function parsed<T>(value: T, note?: string): Parsed<T> {
  return note === undefined ? { ok: true, value } : { ok: true, value, note };
}

export function problem<T>(text: string, hint?: string): Parsed<T> {
  return hint === undefined ? { ok: false, problem: text } : { ok: false, problem: text, hint };
}

/**
 * What a bad value does: `default` reads it as absent, `skip` leaves the feature out for this object,
 * `close` closes the object's routes. Always with a diagnostic.
 */
export type OnInvalid = 'default' | 'skip' | 'close';

/** `ingress`: all rules of the object. `host`: everything on its hosts. `backend`: the Services it names. */
export type KeyScope = 'ingress' | 'host' | 'backend';

export type KeyStatus =
  | { readonly is: 'honoured' }
  | { readonly is: 'no-op'; readonly why: string }
  | { readonly is: 'refused'; readonly reason: string; readonly instead: string }
  | { readonly is: 'pending' };

/** One annotation key, declared once: translation, admission, `check`, `explain`, `keys` and the reference page read this. */
export interface KeySpec<T> {
  /** Without prefix: `canary-weight`. */
  readonly name: string;
  /** Other spellings of the same key, read when `name` is absent. */
  readonly aliases?: readonly string[];
  readonly parse: Parser<T>;
  readonly onInvalid: OnInvalid;
  readonly scope: KeyScope;
  /** What a value looks like, for people: `CIDRs, comma separated`. */
  readonly value: string;
  /** In effect when the key is absent, for people. */
  readonly default: string;
  /** One sentence: what it does. */
  readonly summary: string;
  /** Where Ramjet does otherwise than the dialect's origin, and why. */
  readonly difference?: string;
  /** Absent: honoured. */
  readonly status?: KeyStatus;
}

export type KeyTable = { readonly [name: string]: KeySpec<unknown> };

type ValueOf<S> = S extends KeySpec<infer T> ? T : never;

/** What `toPolicy` gets: the parsed value of every key that was given and good. */
export type ValuesOf<K extends KeyTable> = { readonly [N in keyof K]?: ValueOf<K[N]> };

/** Declares a key; exists so that `T` is inferred from the parser. */
export function key<T>(spec: KeySpec<T>): KeySpec<T> {
  return spec;
}

/** A declared key together with where it was declared. */
export interface RegisteredKey {
  readonly dialect: Dialect;
  readonly feature: string;
  readonly spec: KeySpec<unknown>;
}

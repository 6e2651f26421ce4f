import { hostKey } from '../../model/identity.ts';
import type { HostMatch, PathMatch, Route } from '../../model/model.ts';
import type { SimplePath } from '../../model/simple-path.ts';
import { encodeField, TokenError } from '../tokens.ts';

// How routes become map entries. One longest-prefix look-up of `host + path + "/#"` finds exact and
// prefix paths alike: an exact path is stored with the `/#` that only a whole path can match, a segment
// prefix with its closing `/`, a plain prefix as it is. HAProxy refuses `#` in a request's path.

/** Fields of a route's value: `backend|id|flags|length`. */
export function routeValue(backend: string, id: string, flags: string, length: number): string {
  return `${backend}|${id}|${flags}|${length}`;
}

/** An exact path beats every regex on its host. */
const EXACT_LENGTH = 100_000;

export function pathLength(path: PathMatch): number {
  switch (path.type) {
    case 'exact':
      return EXACT_LENGTH;
    case 'segments':
    case 'prefix':
      return path.path.length;
    case 'regex':
      return path.pattern.length;
  }
}

/** Key of a host in the look-up tables: its name, `.suffix` for a wildcard, `*` for any, `~digest` for a regex. */
export function lookupHost(host: HostMatch, regexName: (pattern: string) => string): string {
  switch (host.type) {
    case 'exact':
      return host.name;
    case 'wildcard':
      return `.${host.suffix}`;
    case 'regex':
      return regexName(host.pattern);
    case 'any':
      return '*';
  }
}

/** Wildcards live in a table of their own, keyed without the first label. */
export function hostTable(host: HostMatch): { readonly table: 'routes' | 'wild'; readonly prefix: (name: string) => string } {
  return host.type === 'wildcard' ? { table: 'wild', prefix: (name) => name.slice(1) } : { table: 'routes', prefix: (name) => name };
}

export function pathKeyText(path: Exclude<PathMatch, { type: 'regex' }>): string {
  const text = encodePath(path.path);
  switch (path.type) {
    case 'exact':
      return `${text}/#`;
    case 'segments':
      return `${text}/`;
    case 'prefix':
      return text;
  }
}

/**
 * The normalised form of a path as it is looked up: decoded, but for what can't stand in a map key
 * (white space, control characters, bytes above 0x7e) and `#` and `%`, which stay percent-encoded upper case.
 * `lua/routing.lua` brings requests into the same form.
 */
function encodePath(path: string): string {
  let encoded = '';
  for (const byte of Buffer.from(path, 'utf8')) {
    const plain = byte > 0x20 && byte < 0x7f && byte !== 0x23 && byte !== 0x25;
    encoded += plain ? String.fromCharCode(byte) : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
  }
  return encoded;
}

/** One regex path inside its host's list: `length|i|pattern|value`, joined by `;` and tried in order. */
export function regexEntry(path: PathMatch & { type: 'regex' }, value: string): string {
  const flags = path.caseSensitive ? '' : 'i';
  return [String(path.pattern.length), flags, encodeField(path.pattern), encodeField(value)].join('|');
}

/** A simple regular expression in the form of a plain path's key. A literal's closing `/` is one that the path must have. */
export function simpleKey({ literal, border }: SimplePath): { readonly key: string; readonly below: boolean } {
  if (border === 'segment') return { key: `${literal}/`, below: false };
  return { key: literal, below: literal.endsWith('/') && literal !== '/' };
}

/** Bytes of one row: a line of a map file and a command of the Runtime API must fit HAProxy's buffer. */
const LONGEST_ROW = 6_000;

/** Key of the n-th row of a host's list. */
function regexRowKey(host: string, index: number): string {
  return index === 0 ? host : `${host}|${index}`;
}

/** A host's list in rows; each but the last ends in `+`. */
export function regexRows(host: string, items: readonly string[]): readonly (readonly [string, string])[] {
  const rows: string[] = [];
  for (const item of items) {
    const last = rows.at(-1);
    if (last === undefined || last.length + item.length + 2 > LONGEST_ROW) rows.push(item);
    else rows[rows.length - 1] = `${last};${item}`;
  }
  return rows.map((text, index) => [regexRowKey(host, index), index + 1 < rows.length ? `${text};+` : text]);
}

/** Rows of the longest list in a table of such rows. */
export function regexRowCount(keys: Iterable<string>): number {
  let most = 0;
  for (const key of keys) most = Math.max(most, Number(/\|([0-9]+)$/.exec(key)?.[1] ?? 0) + 1);
  return most;
}

/** Longest pattern first, as ingress-nginx orders locations; equal lengths by text. */
export function compareRegexRoutes(a: Route, b: Route): number {
  return (
    pathLength(b.path) - pathLength(a.path) ||
    (hostKey(a.host) + JSON.stringify(a.path) < hostKey(b.host) + JSON.stringify(b.path) ? -1 : 1)
  );
}

export function requireKey(key: string): string {
  if (!/^[\x21-\x7e]+$/.test(key)) throw new TokenError(`not a map key: ${JSON.stringify(key)}`);
  return key;
}

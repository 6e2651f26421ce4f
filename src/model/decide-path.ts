import type { PathMatch } from './model.ts';

/**
 * The path as routes are matched with it, in nginx's form: decoded once, slashes merged, dot segments
 * resolved, then encoded where a byte is not plain. Empty where the request is answered with 400. Must do
 * what `haproxy/lua/routing.lua` does; a test compares the two.
 */
export function normalisePath(path: string): string {
  if (!path.startsWith('/') || !/%|\/\/|\/\.|\\/.test(path)) return path;
  const decoded = decode(path);
  const resolved = decoded === undefined ? undefined : resolve(decoded);
  return resolved === undefined ? '' : encodeBytes(Buffer.from(resolved, 'latin1'));
}

/** One character a byte. `undefined`: not a valid escape, or a NUL. */
function decode(path: string): string | undefined {
  let bad = path.endsWith('%');
  const decoded = Buffer.from(path, 'utf8')
    .toString('latin1')
    .replaceAll(/%([^]{1,2})/g, (_, digits: string) => {
      if (/^[0-9A-Fa-f]{2}$/.test(digits) && digits !== '00') return String.fromCharCode(Number.parseInt(digits, 16));
      bad = true;
      return '';
    });
  return bad ? undefined : decoded;
}

/** `undefined`: climbs above the root. */
function resolve(path: string): string | undefined {
  const segments: string[] = [];
  for (const segment of path.split('/')) {
    if (segment === '' || segment === '.') continue;
    if (segment !== '..') segments.push(segment);
    else if (segments.pop() === undefined) return undefined;
  }
  const directory = /\/\.{0,2}$/.test(path) && segments.length > 0;
  return `/${segments.join('/')}${directory ? '/' : ''}`;
}

/** A route's path in the same form. It was written decoded, so a `%` in it means itself. */
function encodePath(path: string): string {
  return encodeBytes(Buffer.from(path, 'utf8'));
}

function encodeBytes(bytes: Uint8Array): string {
  let encoded = '';
  for (const byte of bytes) {
    const plain = byte > 0x20 && byte < 0x7f && byte !== 0x23 && byte !== 0x25;
    encoded += plain ? String.fromCharCode(byte) : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
  }
  return encoded;
}

/** What a regular expression sees of a normalised path: one character a byte. */
export function decodePath(path: string): string {
  return path.replaceAll(/%([0-9A-F]{2})/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)));
}

/** How much of a normalised path a plain match covers: more wins. `undefined`: it does not match. */
export function coverage(match: Exclude<PathMatch, { readonly type: 'regex' }>, path: string): number | undefined {
  const text = encodePath(match.path);
  switch (match.type) {
    case 'exact':
      return path === text ? Number.POSITIVE_INFINITY : undefined;
    case 'segments':
      // "/a" holds "/a" itself and what is below it, as does "/a/".
      return `${path}/`.startsWith(`${text}/`) ? text.length + 1 : undefined;
    case 'prefix':
      return `${path}/`.startsWith(text) ? text.length : undefined;
  }
}

/** What a plain match and a regular expression are compared by: characters as they were written; an exact path beats all. */
export function writtenLength(match: PathMatch): number {
  switch (match.type) {
    case 'exact':
      return Number.POSITIVE_INFINITY;
    case 'segments':
    case 'prefix':
      return match.path.length;
    case 'regex':
      return match.pattern.length;
  }
}

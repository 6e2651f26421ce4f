import { createHash } from 'node:crypto';
import type { HostMatch, PathMatch } from './model.ts';

/** Short digest for identifiers: 60 bits in base 32, so that a collision among a million is one in a million. `[a-z2-7]{12}` */
export function shortDigest(...parts: readonly string[]): string {
  const hash = createHash('sha256');
  // Length prefixes keep ('ab','c') and ('a','bc') apart.
  for (const part of parts) hash.update(`${part.length}:${part};`);
  const alphabet = 'abcdefghijklmnopqrstuvwxyz234567';
  let digest = '';
  let bits = hash.digest().readBigUInt64BE(0) >> 4n;
  for (let index = 0; index < 12; index += 1) {
    digest += alphabet[Number(bits & 31n)];
    bits >>= 5n;
  }
  return digest;
}

/** The same text for the same set of requests: what two routes fight over. */
export function hostKey(host: HostMatch): string {
  switch (host.type) {
    case 'exact':
      return host.name;
    case 'wildcard':
      return `*.${host.suffix}`;
    case 'regex':
      return `~${host.pattern}`;
    case 'any':
      return '*';
  }
}

export function pathKey(path: PathMatch): string {
  switch (path.type) {
    case 'exact':
      return `=${path.path}`;
    case 'segments':
      // "/a" and "/a/" hold the same paths but for "/a" itself, which the shorter spelling owns.
      return `/${path.path}`;
    case 'prefix':
      // A plain prefix that ends at a "/" holds what the segments before it hold.
      return path.path.endsWith('/') ? `/${path.path.slice(0, -1)}` : `^${path.path}`;
    case 'regex':
      return `~${path.caseSensitive ? '' : 'i'}${path.pattern}`;
  }
}

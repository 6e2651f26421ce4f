import { createHash } from 'node:crypto';
import { cryptBase64 } from './base64.ts';

const ROUNDS = 1_000;
const ORDER = [[0, 6, 12], [1, 7, 13], [2, 8, 14], [3, 9, 15], [4, 10, 5], [11]];

/**
 * MD5-based crypt with the magic `$1$` (FreeBSD 2) or `$apr1$` (Apache's htpasswd): the digest part of the hash.
 * The algorithm is known by its implementations only; the odd steps are part of it.
 */
export function md5Crypt(password: Uint8Array, salt: string, magic: '$apr1$' | '$1$'): string {
  const saltBytes = Buffer.from(salt, 'latin1');
  const inner = md5(password, saltBytes, password);
  const first = [password, Buffer.from(magic, 'latin1'), saltBytes];
  for (let left = password.length; left > 0; left -= 16) first.push(inner.subarray(0, Math.min(16, left)));
  for (let bits = password.length; bits > 0; bits >>= 1) first.push((bits & 1) === 1 ? Buffer.alloc(1) : password.subarray(0, 1));
  let digest = md5(...first);
  for (let round = 0; round < ROUNDS; round += 1) {
    const odd = (round & 1) === 1;
    const parts = [odd ? password : digest];
    if (round % 3 !== 0) parts.push(saltBytes);
    if (round % 7 !== 0) parts.push(password);
    parts.push(odd ? digest : password);
    digest = md5(...parts);
  }
  return cryptBase64(digest, ORDER);
}

function md5(...parts: readonly Uint8Array[]): Buffer {
  const hash = createHash('md5');
  for (const part of parts) hash.update(part);
  return hash.digest();
}

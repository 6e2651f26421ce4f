import { createHash, timingSafeEqual } from 'node:crypto';
import type { PasswordHash } from './format.ts';
import { md5Crypt } from './md5-crypt.ts';
import { shaCrypt } from './sha-crypt.ts';

/** A bcrypt implementation: `$2y$` and its kin, the password as bytes. */
export type Bcrypt = (password: Uint8Array, hash: string) => boolean;

/** Quick enough for the event loop: microseconds. The others take a millisecond to a second. */
export function isQuick(hash: PasswordHash): hash is PasswordHash & { readonly kind: 'plain' | 'sha1' } {
  return hash.kind === 'plain' || hash.kind === 'sha1';
}

/** Does the password belong to the hash? Takes as long for a wrong one as for the right one. */
export function checkPassword(hash: PasswordHash, password: Uint8Array, bcrypt: Bcrypt): boolean {
  switch (hash.kind) {
    case 'bcrypt':
      return bcrypt(password, hash.text);
    case 'md5-crypt':
      return sameText(md5Crypt(password, hash.salt, hash.magic), hash.digest);
    case 'sha-crypt':
      return sameText(shaCrypt(password, hash.salt, hash.bits, hash.rounds), hash.digest);
    default:
      return checkQuick(hash, password);
  }
}

export function checkQuick(hash: PasswordHash & { readonly kind: 'plain' | 'sha1' }, password: Uint8Array): boolean {
  if (hash.kind === 'sha1') return timingSafeEqual(createHash('sha1').update(password).update(hash.salt).digest(), hash.digest);
  // Digests have one length whatever the passwords have.
  const digest = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest();
  return timingSafeEqual(digest(password), digest(Buffer.from(hash.password, 'latin1')));
}

function sameText(a: string, b: string): boolean {
  return a.length === b.length && timingSafeEqual(Buffer.from(a, 'latin1'), Buffer.from(b, 'latin1'));
}

/** A password hash that can be checked, taken apart. Texts are byte strings. */
export type PasswordHash =
  | { readonly kind: 'bcrypt'; readonly text: string }
  | { readonly kind: 'md5-crypt'; readonly magic: '$apr1$' | '$1$'; readonly salt: string; readonly digest: string }
  | { readonly kind: 'sha-crypt'; readonly bits: 256 | 512; readonly rounds: number; readonly salt: string; readonly digest: string }
  /** Salted where the salt is not empty. */
  | { readonly kind: 'sha1'; readonly digest: Uint8Array; readonly salt: Uint8Array }
  | { readonly kind: 'plain'; readonly password: string };

/** What can't be checked, as the end of a sentence that begins with the user. */
export interface RefusedHash {
  readonly kind: 'refused';
  readonly reason: string;
}

/** At cost 14 one check takes about a second of a processor; each step more doubles it. */
const MAX_BCRYPT_COST = 14;
/** About a quarter of a second. glibc's default is 5,000. */
const MAX_SHA_ROUNDS = 200_000;

const BCRYPT = /^\$2[aby]\$([0-9]{2})\$[./A-Za-z0-9]{53}$/;
const MD5_CRYPT = /^(\$apr1\$|\$1\$)([^$:]{0,8})\$([./A-Za-z0-9]{22})$/;
const SHA_CRYPT = /^\$([56])\$(?:rounds=([0-9]{1,9})\$)?([^$:]{0,16})[^$:]*\$([./A-Za-z0-9]+)$/;
const SHA_CRYPT_LENGTH = { 256: 43, 512: 86 } as const;
const SHA1_BYTES = 20;

/** The formats of htpasswd and nginx that can be checked without the system's crypt(3). */
export function parseHash(text: string): PasswordHash | RefusedHash {
  if (text === '') return refused('has no password hash');
  if (text.startsWith('{')) return parseScheme(text);
  if (text.startsWith('$2')) return parseBcrypt(text);
  const md5 = MD5_CRYPT.exec(text);
  if (md5) return { kind: 'md5-crypt', magic: md5[1] === '$1$' ? '$1$' : '$apr1$', salt: md5[2] ?? '', digest: md5[3] ?? '' };
  const sha = SHA_CRYPT.exec(text);
  if (sha) return parseShaCrypt(sha);
  if (/^[./A-Za-z0-9]{13}$/.test(text))
    return refused('has a DES hash, which keeps 8 characters of the password and is broken within hours');
  if (/^\$(y|gy|7)\$/.test(text)) return refused('has a yescrypt or scrypt hash, which only the system library can check');
  return refused('has a password hash of unknown format');
}

function parseBcrypt(text: string): PasswordHash | RefusedHash {
  const match = BCRYPT.exec(text);
  if (!match) return refused('has a malformed bcrypt hash');
  const cost = Number(match[1]);
  if (cost < 4 || cost > MAX_BCRYPT_COST)
    return refused(`has a bcrypt hash of cost ${cost}; 4 to ${MAX_BCRYPT_COST} can be checked in time`);
  return { kind: 'bcrypt', text };
}

function parseShaCrypt(match: RegExpExecArray): PasswordHash | RefusedHash {
  const bits = match[1] === '5' ? 256 : 512;
  const digest = match[4] ?? '';
  if (digest.length !== SHA_CRYPT_LENGTH[bits]) return refused(`has a malformed SHA-${bits} hash`);
  // The specification raises fewer rounds to 1,000.
  const rounds = Math.max(1_000, Number(match[2] ?? 5_000));
  if (rounds > MAX_SHA_ROUNDS) return refused(`has a SHA-${bits} hash of ${rounds} rounds; up to ${MAX_SHA_ROUNDS} can be checked in time`);
  return { kind: 'sha-crypt', bits, rounds, salt: match[3] ?? '', digest };
}

/** The schemes of RFC 2307 that nginx knows. */
function parseScheme(text: string): PasswordHash | RefusedHash {
  if (text.startsWith('{PLAIN}')) {
    const password = text.slice('{PLAIN}'.length);
    return password === '' ? refused('has an empty plain password') : { kind: 'plain', password };
  }
  const match = /^\{(SHA|SSHA)\}([A-Za-z0-9+/]+={0,2})$/.exec(text);
  if (!match) return refused('has a password scheme other than {SHA}, {SSHA} and {PLAIN}');
  const bytes = Buffer.from(match[2] ?? '', 'base64');
  const salted = match[1] === 'SSHA';
  if (bytes.length < SHA1_BYTES || salted !== bytes.length > SHA1_BYTES) return refused(`has a malformed {${match[1]}} hash`);
  return { kind: 'sha1', digest: bytes.subarray(0, SHA1_BYTES), salt: bytes.subarray(SHA1_BYTES) };
}

function refused(reason: string): RefusedHash {
  return { kind: 'refused', reason };
}

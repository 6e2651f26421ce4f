import { createHash } from 'node:crypto';
import { cryptBase64 } from './base64.ts';

interface Variant {
  readonly algorithm: 'sha256' | 'sha512';
  readonly size: number;
  /** Places of the digest's bytes in groups of three, as the specification lists them. */
  readonly order: readonly (readonly number[])[];
}

/** The places run in steps: each group holds three bytes a third of the digest apart, rotated from group to group. */
function rotatedOrder(third: number, rotation: 1 | 2): number[][] {
  return Array.from({ length: third }, (_, index) => {
    const group = [index, index + third, index + 2 * third];
    const shift = (index * rotation) % 3;
    return [...group.slice(shift), ...group.slice(0, shift)];
  });
}

const VARIANTS = {
  256: { algorithm: 'sha256', size: 32, order: [...rotatedOrder(10, 2), [31, 30]] },
  512: { algorithm: 'sha512', size: 64, order: [...rotatedOrder(21, 1), [63]] },
} as const satisfies Record<256 | 512, Variant>;

/** SHA-crypt, U. Drepper, "Unix crypt using SHA-256 and SHA-512", version 0.6: the digest part of the hash. Step numbers are the specification's. */
export function shaCrypt(password: Uint8Array, salt: string, bits: 256 | 512, rounds: number): string {
  const { algorithm, size, order }: Variant = VARIANTS[bits];
  const digestOf = (parts: readonly Uint8Array[]): Buffer => {
    const hash = createHash(algorithm);
    for (const part of parts) hash.update(part);
    return hash.digest();
  };
  const saltBytes = Buffer.from(salt, 'latin1');
  // 4 to 8
  const b = digestOf([password, saltBytes, password]);
  // 1 to 3, 9 to 12
  const first: Uint8Array[] = [password, saltBytes, repeated(b, password.length)];
  for (let length = password.length; length > 0; length >>= 1) first.push((length & 1) === 1 ? b : password);
  let digest = digestOf(first);
  // 13 to 16
  const p = repeated(digestOf(Array.from({ length: password.length }, () => password)), password.length);
  // 17 to 20
  const s = repeated(digestOf(Array.from({ length: 16 + (digest[0] ?? 0) }, () => saltBytes)), saltBytes.length);
  // 21
  for (let round = 0; round < rounds; round += 1) {
    const odd = (round & 1) === 1;
    const parts: Uint8Array[] = [odd ? p : digest];
    if (round % 3 !== 0) parts.push(s);
    if (round % 7 !== 0) parts.push(p);
    parts.push(odd ? digest : p);
    digest = digestOf(parts);
  }
  return cryptBase64(digest.subarray(0, size), order);
}

/** `length` bytes: `bytes` over and over. */
function repeated(bytes: Uint8Array, length: number): Buffer {
  return Buffer.alloc(length, bytes.length === 0 ? 0 : bytes);
}

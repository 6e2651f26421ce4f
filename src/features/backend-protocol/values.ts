import { createSecureContext } from 'node:tls';
import { type Parsed, parsed, problem } from '../contract/key.ts';
import { TLS_NAMES, type Versions } from './versions.ts';

/** nginx's switch: these two words and no others. */
export function onOff(text: string): Parsed<boolean> {
  const word = text.trim();
  if (word === 'on') return parsed(true);
  return word === 'off' ? parsed(false) : problem('is not "on" or "off"');
}

/** OpenSSL's cipher list. Its own parser decides, since HAProxy refuses to start with a list that selects nothing. */
export function ciphers(text: string): Parsed<string> {
  const list = text.trim();
  if (list.length > 2_048) return problem('is longer than 2,048 characters');
  if (!/^[A-Za-z0-9+:_!@=-]+$/.test(list)) return problem('holds characters that no cipher list may hold');
  try {
    createSecureContext({ ciphers: list });
    return parsed(list);
  } catch {
    return problem('selects no cipher that OpenSSL knows');
  }
}

/** RFC 8446, B.4. */
const SUITES = [
  'TLS_AES_128_GCM_SHA256',
  'TLS_AES_256_GCM_SHA384',
  'TLS_CHACHA20_POLY1305_SHA256',
  'TLS_AES_128_CCM_SHA256',
  'TLS_AES_128_CCM_8_SHA256',
];

export function ciphersuites(text: string): Parsed<string> {
  const names = text.trim().split(':');
  const unknown = names.find((name) => !SUITES.includes(name));
  return unknown === undefined
    ? parsed(names.join(':'))
    : problem('names a suite that TLS 1.3 does not have', `Use names of ${SUITES.join(', ')}, joined by colons.`);
}

/** `TLSv1.2 TLSv1.3`: a range, since HAProxy can't leave one out between two. Older versions are not offered. */
export function tlsVersions(text: string): Parsed<Versions> {
  const words = text.trim().split(/[\s,]+/);
  const unknown = words.find((word) => !/^(SSLv[23]|TLSv1(\.[0-3])?)$/.test(word));
  if (unknown !== undefined) return problem('is not a list of TLS versions', 'Write "TLSv1.2 TLSv1.3".');
  const found = words.flatMap((word) => TLS_NAMES.get(word) ?? []).sort();
  const [min] = found;
  const max = found.at(-1);
  if (min === undefined || max === undefined) return problem('names only versions that are broken', 'Write "TLSv1.2 TLSv1.3".');
  const old = words.filter((word) => !TLS_NAMES.has(word));
  return parsed({ min, max }, old.length === 0 ? undefined : `names ${old.join(', ')}, which is not spoken any more`);
}

import { MAX_HEADER } from './limits.ts';

/** What a client says of itself. Byte strings. */
export interface Credentials {
  readonly user: string;
  readonly password: string;
}

/** The longest that is looked at; hashing takes time with the length of the password. */
const MAX_USER = 256;
const MAX_PASSWORD = 1_024;

/** `Basic BASE64` (RFC 7617); the scheme in any capitals. Nothing for anything else. */
export function parseAuthorization(header: string): Credentials | undefined {
  if (header.length > MAX_HEADER) return undefined;
  const encoded = /^basic +([A-Za-z0-9+/]+={0,2}) *$/i.exec(header)?.[1];
  if (encoded === undefined) return undefined;
  const text = Buffer.from(encoded, 'base64').toString('latin1');
  const colon = text.indexOf(':');
  if (colon < 1 || colon > MAX_USER || text.length - colon - 1 > MAX_PASSWORD) return undefined;
  // Most implementations of crypt(3) end a password at a NUL: no two texts may be one password.
  return text.includes('\0') ? undefined : { user: text.slice(0, colon), password: text.slice(colon + 1) };
}

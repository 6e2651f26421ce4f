/**
 * The only way HAProxy text comes into being. A plain string can't be part of a line: literal text
 * stands in the source as a template, and everything else is a token whose constructor checks or
 * escapes it. User text therefore can't add a directive, whatever it holds.
 * Quoting rules: HAProxy configuration manual 2.2 (Quoting and escaping) and 8.2.6 (Log format).
 */
declare const tokenBrand: unique symbol;

export interface Token {
  readonly text: string;
  readonly [tokenBrand]: true;
}

/** A value reached the token layer that its parser should have refused. The compiler blames the object. */
export class TokenError extends Error {
  override readonly name = 'TokenError';
}

function token(text: string): Token {
  // The brand exists in types only; this is the one place that grants it.
  return { text } as Token;
}

/** `[A-Za-z0-9._:/@,+*=~-]+`: names, addresses, numbers with units. */
export function word(text: string): Token {
  if (!/^[A-Za-z0-9._:/@,+*=~-]+$/.test(text)) throw new TokenError(`not a word: ${JSON.stringify(text)}`);
  return token(text);
}

/** A cipher list in OpenSSL's form. Not quoted: the Runtime API knows no quotes. */
export function cipherList(text: string): Token {
  if (!/^[A-Za-z0-9+:_!@=-]+$/.test(text)) throw new TokenError(`not a cipher list: ${JSON.stringify(text)}`);
  return token(text);
}

/** A listening address: `:80`, `127.0.0.1:80`, `[::1]:80`. */
export function listenAddress(text: string): Token {
  if (!/^([0-9.]+|\[[0-9A-Fa-f:.]+\])?:[0-9]{1,5}$/.test(text)) throw new TokenError(`not an address: ${JSON.stringify(text)}`);
  return token(text);
}

/** One argument, taken literally. */
export function string(text: string): Token {
  refuseControl(text);
  return token(`'${text.replaceAll("'", "'\\''")}'`);
}

/** One argument of a directive that expands log formats, taken literally: `%` and quotes lose their meaning. */
export function format(text: string): Token {
  refuseControl(text);
  return string(text.replaceAll('%', '%%'));
}

/** Milliseconds: `1500ms`. */
export function milliseconds(value: number): Token {
  if (!Number.isSafeInteger(value) || value < 0) throw new TokenError(`not a duration: ${value}`);
  return token(`${value}ms`);
}

/**
 * Writes a line, or a part of one. Numbers must be integers; everything else is a token.
 *
 *     hap`http-request deny deny_status ${403} if ${condition}`
 */
export function hap(literals: TemplateStringsArray, ...parts: readonly (Token | number)[]): Token {
  let text = literals.raw[0] ?? '';
  for (const [index, part] of parts.entries()) {
    if (typeof part === 'number') {
      if (!Number.isSafeInteger(part)) throw new TokenError(`not an integer: ${part}`);
      text += String(part);
    } else text += part.text;
    text += literals.raw[index + 1] ?? '';
  }
  return token(text);
}

/** Joins parts with one space. */
export function words(parts: readonly Token[]): Token {
  return token(parts.map((part) => part.text).join(' '));
}

function refuseControl(text: string): void {
  // HAProxy ends a line at \n and a string at NUL whatever the quoting.
  // oxlint-disable-next-line no-control-regex
  if (/[\u0000-\u001f\u007f]/.test(text)) throw new TokenError('control character in an argument');
}

/** Characters that stand for themselves in a map value, in the command line of the Runtime API and in a `field()` split. */
const PLAIN_FIELD = /^[A-Za-z0-9._~:/,=*@()^$-]*$/;

/** One field of a map value: percent-encoded so that `url_dec` gives the text back. */
export function encodeField(text: string): string {
  if (PLAIN_FIELD.test(text)) return text;
  let encoded = '';
  for (const byte of Buffer.from(text, 'utf8')) {
    const char = String.fromCharCode(byte);
    encoded += byte < 0x80 && PLAIN_FIELD.test(char) ? char : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
  }
  return encoded;
}

/** White space and control characters of a user's regex as `\xHH`, so that the key stays one word with the same meaning. */
export function regexKey(pattern: string): string {
  let key = '';
  for (const byte of Buffer.from(pattern, 'utf8')) {
    key += byte > 0x20 && byte < 0x7f ? String.fromCharCode(byte) : `\\x${byte.toString(16).padStart(2, '0')}`;
  }
  return key;
}

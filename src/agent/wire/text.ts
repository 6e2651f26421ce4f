/*
 * Strings of the protocol are bytes: a path or a header that a client sent need not be valid UTF-8, and a decoder that
 * replaces what it cannot read would show a handler another path than the one HAProxy routes. So a string value is a
 * "byte string", one character from U+0000 to U+00FF for each byte, as Node holds header values. Plain ASCII is the
 * same either way.
 */

const BEYOND_ASCII = /[^\0-\x7f]/;

/** The byte string of a text's UTF-8 form: for text of ours that may go beyond ASCII. */
export function toByteString(text: string): string {
  return BEYOND_ASCII.test(text) ? Buffer.from(text, 'utf8').toString('latin1') : text;
}

/** A byte string read as UTF-8, for people to read: what is not UTF-8 becomes U+FFFD. Never decide on the result. */
export function fromByteString(bytes: string): string {
  return BEYOND_ASCII.test(bytes) ? Buffer.from(bytes, 'latin1').toString('utf8') : bytes;
}

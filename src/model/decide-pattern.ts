/** Takes text of one character a byte. */
export type Matcher = (bytes: string) => boolean;

export interface PatternOptions {
  readonly caseSensitive: boolean;
  /** Where in the text a match may begin. */
  readonly from: 'start' | 'anywhere';
}

/** Syntax of PCRE2 that JavaScript lacks, or reads as something else without complaint. */
const FOREIGN = /\\[AzZhHKQERGX]|\[\[[:.=]|\(\?#|\(\?[a-zA-Z-]+[:)]|\(\?[|&R0-9+]|\(\*|\\[gkN]\{?|\\p|\\P/;

/**
 * A PCRE2 pattern as JavaScript evaluates it. `undefined`: it can't be evaluated here. For looking at
 * single requests only: JavaScript's matching may take exponential time.
 */
export function matcherOf(pattern: string, options: PatternOptions): Matcher | undefined {
  const bytes = bytesOf(pattern);
  const inline = /^(\^?)\(\?i\)/.exec(bytes);
  const body = (inline === null ? bytes : `${inline[1]}${bytes.slice(inline[0].length)}`).replaceAll('(?P<', '(?<');
  if (FOREIGN.test(body)) return undefined;
  try {
    const expression = new RegExp(options.from === 'start' ? `^(?:${body})` : body, options.caseSensitive && inline === null ? '' : 'i');
    return (text) => expression.test(text);
  } catch {
    return undefined;
  }
}

/** One character for each byte of UTF-8: what a pattern without Unicode is compared with. */
export function bytesOf(text: string): string {
  return Buffer.from(text, 'utf8').toString('latin1');
}

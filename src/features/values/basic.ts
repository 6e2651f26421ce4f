import { type Parsed, type Parser, parsed, problem } from '../contract/key.ts';

const TRUE = new Set(['1', 't', 'T', 'TRUE', 'true', 'True']);
const FALSE = new Set(['0', 'f', 'F', 'FALSE', 'false', 'False']);

/** The spellings of Go's `strconv.ParseBool`, which every Ingress controller follows. */
export function bool(text: string): Parsed<boolean> {
  if (TRUE.has(text)) return parsed(true);
  if (FALSE.has(text)) return parsed(false);
  const lower = text.trim().toLowerCase();
  if (['true', 'yes', 'on'].includes(lower)) return problem('is not a boolean', 'Write "true".');
  if (['false', 'no', 'off'].includes(lower)) return problem('is not a boolean', 'Write "false".');
  return problem('is not a boolean', 'Write "true" or "false".');
}

/** A decimal integer in `min`…`max`. */
export function integer(bounds: { readonly min: number; readonly max: number }): Parser<number> {
  return (text) => {
    if (!/^[+-]?[0-9]{1,15}$/.test(text.trim()))
      return problem('is not a whole number', `Write a whole number from ${bounds.min} to ${bounds.max}.`);
    const value = Number(text.trim());
    if (value < bounds.min || value > bounds.max) return problem(`is outside ${bounds.min} to ${bounds.max}`);
    return parsed(value);
  };
}

/** One of a set of words; `ignoreCase` accepts any capitals and gives the listed spelling. */
export function choice<const T extends string>(words: readonly T[], options: { readonly ignoreCase?: boolean } = {}): Parser<T> {
  const fold = (word: string) => (options.ignoreCase ? word.toLowerCase() : word);
  return (text) => {
    const found = words.find((word) => fold(word) === fold(text.trim()));
    return found === undefined ? problem(`is not one of ${words.join(', ')}`) : parsed(found);
  };
}

/** Non-empty text of at most `limit` characters without control characters. */
export function printable(limit: number): Parser<string> {
  return (text) => {
    if (text.trim() === '') return problem('is empty');
    if (text.length > limit) return problem(`is longer than ${limit} characters`);
    // oxlint-disable-next-line no-control-regex
    if (/[\u0000-\u001f\u007f]/.test(text)) return problem('holds a control character');
    return parsed(text.trim());
  };
}

/** Items separated by commas, each trimmed and parsed; empty items are passed over, an empty list is a problem. */
export function commaList<T>(item: Parser<T>): Parser<readonly T[]> {
  return (text) => {
    const values: T[] = [];
    for (const part of text.split(',')) {
      if (part.trim() === '') continue;
      const outcome = item(part.trim());
      if (!outcome.ok) return outcome;
      values.push(outcome.value);
    }
    return values.length === 0 ? problem('names nothing') : parsed(values);
  };
}

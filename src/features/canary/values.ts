import { type Parsed, parsed, problem } from '../contract/key.ts';

const MAX_TOTAL = 1_000_000_000;

/** A share in whole numbers. Negative and unreadable weights are reported and read as absent, that is 0. */
export function weight(text: string): Parsed<number> {
  const trimmed = text.trim();
  if (/^[0-9]+(\.[0-9]+)? ?%$/.test(trimmed)) return problem('has a percent sign', 'Write the bare number.');
  if (/^[0-9]*\.[0-9]+$/.test(trimmed))
    return problem('is not a whole number', 'For parts of a percent raise the total, such as canary-weight-total: "1000".');
  if (!/^[+-]?[0-9]{1,15}$/.test(trimmed)) return problem('is not a whole number');
  const value = Number(trimmed);
  return value < 0 ? problem('is negative') : parsed(value);
}

/** What weights are a share of: 1 to 1,000,000,000. */
export function total(text: string): Parsed<number> {
  if (!/^\+?[0-9]{1,15}$/.test(text.trim())) return problem('is not a whole number');
  const value = Number(text.trim());
  if (value === 0) return problem('is zero');
  return value > MAX_TOTAL ? problem('is larger than 1,000,000,000') : parsed(value);
}

/** HAPTIC's weight: percent. */
export function percent(text: string): Parsed<number> {
  const outcome = weight(text);
  return outcome.ok && outcome.value > 100 ? parsed(100, 'is above 100; 100 is used') : outcome;
}

/**
 * A pattern searched for in a value. The data plane compiles it (PCRE2); what JavaScript's own parser
 * refuses, and what only one of the two knows, is refused here.
 */
export function pattern(text: string): Parsed<string> {
  if (text === '') return problem('is empty');
  if (text.length > 1_024) return problem('is longer than 1,024 characters');
  // oxlint-disable-next-line no-control-regex
  if (/[\u0000-\u001f\u007f]/.test(text)) return problem('holds a control character');
  if (/\(\?<[=!]|\\[uUkKGRCX0-9]|\(\*|\(\?[RP&0-9+|>(]/.test(text))
    return problem('uses a construct that is not supported', 'Leave out look-behind, references and verbs.');
  try {
    RegExp(text.replace(/^\(\?[imsx]+\)/, ''));
  } catch {
    return problem('is not a regular expression');
  }
  return parsed(text);
}

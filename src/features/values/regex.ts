import { RE2JS } from 're2js';

/** Characters of a pattern. */
const LONGEST_PATTERN = 1_000;
/** Of a pattern that can't be checked to be evaluated in linear time. */
const LONGEST_BACKTRACKING = 200;

/** What PCRE2 knows and RE2 does not: look-around, back references, atomic groups, possessive quantifiers. */
const PERL_ONLY = /\(\?(?:[=!>|]|<[=!])|\\[1-9]|\\k[<{']|[*+?}]\+/;

/**
 * What is wrong with a regular expression, as a clause, or `undefined`. RE2's grammar decides; for what
 * goes beyond it, JavaScript's, which is about Perl's.
 */
export function regexProblem(pattern: string): string | undefined {
  if (pattern.length > LONGEST_PATTERN) return `is longer than ${LONGEST_PATTERN.toLocaleString('en')} characters`;
  // oxlint-disable-next-line no-control-regex
  if (/[\u0000-\u001f\u007f]/.test(pattern)) return 'holds a control character';
  if (!pattern.isWellFormed()) return 'is not Unicode text';
  // It would quote what the driver puts behind the pattern.
  if (/\\Q(?!.*\\E)/.test(pattern)) return 'has a `\\Q` without a `\\E`';
  const refusal = refusalOf(pattern);
  if (refusal === undefined) return undefined;
  if (!PERL_ONLY.test(pattern)) return `is not a regular expression (${refusal})`;
  if (pattern.length > LONGEST_BACKTRACKING)
    return `is longer than ${LONGEST_BACKTRACKING} characters, the most for a pattern with look-around or back references`;
  // JavaScript knows neither atomic groups nor possessive quantifiers: their plain forms have the same structure.
  return compiles(pattern.replaceAll('(?>', '(?:').replaceAll(/([*+?}])\+/g, '$1')) ? undefined : 'is not a regular expression';
}

/** How many groups capture something. */
export function groupCount(pattern: string): number {
  const bare = pattern.replaceAll(/\\./gs, '').replaceAll(/\[\^?\]?[^\]]*\]/g, '');
  return bare.match(/\((?!\?)|\(\?P?<(?![=!])/g)?.length ?? 0;
}

/** Text that would mean something else as a regular expression; a `.` alone is too common to count. */
export function looksLikeRegex(text: string): boolean {
  return /[()[\]{}*+?|^$\\]/.test(text);
}

function refusalOf(pattern: string): string | undefined {
  try {
    RE2JS.compile(pattern);
    return undefined;
  } catch (error) {
    const [first = ''] = (error instanceof Error ? error.message : '').replace(/^error parsing regexp: /, '').split(':');
    return first.trim() === '' ? 'unknown syntax' : first.trim();
  }
}

function compiles(pattern: string): boolean {
  try {
    return new RegExp(pattern).source !== '';
  } catch {
    return false;
  }
}

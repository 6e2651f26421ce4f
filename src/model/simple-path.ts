/**
 * A regular expression that says no more than "begins with this text": what most people write. It can be
 * looked up in a tree of prefixes, and its groups are parts of the path that need no matching.
 */
export interface SimplePath {
  /** Printable ASCII without `%` and `#`; begins with `/`. */
  readonly literal: string;
  /** `segment`: the path ends behind the literal, or a `/` follows. `none`: anything may follow. */
  readonly border: 'none' | 'segment';
  readonly groups: readonly SimpleGroup[];
}

/**
 * `empty`: always. `slash`: `/` or nothing. Else what stands behind the first `from` characters of the
 * path, without its leading `/` if `trim` is set.
 */
export type SimpleGroup = 'empty' | 'slash' | { readonly from: number; readonly trim: boolean };

interface Tail {
  readonly border: SimplePath['border'];
  /** Characters that belong to the literal all the same. */
  readonly more?: string;
  /** `rest` and `trimmed` begin so many characters behind the literal. */
  readonly groups: readonly ('empty' | 'slash' | readonly ['rest' | 'trimmed', number])[];
}

const REST = ['rest', 0] as const;
const TRIMMED = ['trimmed', 0] as const;

/** What may stand behind the literal. A `$` behind a `.*` adds nothing but a say in line breaks. */
const TAILS: Readonly<Record<string, Tail>> = {
  '': { border: 'none', groups: [] },
  '.*': { border: 'none', groups: [] },
  '(.*)': { border: 'none', groups: [REST] },
  '()(.*)': { border: 'none', groups: ['empty', REST] },
  '(/.*)': { border: 'none', more: '/', groups: [REST] },
  '/?': { border: 'none', groups: [] },
  '/?.*': { border: 'none', groups: [] },
  '/?(.*)': { border: 'none', groups: [TRIMMED] },
  '(/?)(.*)': { border: 'none', groups: ['slash', TRIMMED] },
  '(/)?(.*)': { border: 'none', groups: ['slash', TRIMMED] },
  '(/|$)': { border: 'segment', groups: ['slash'] },
  '(/|$).*': { border: 'segment', groups: ['slash'] },
  '(/|$)(.*)': { border: 'segment', groups: ['slash', ['rest', 1]] },
  '(?:/|$)': { border: 'segment', groups: [] },
  '(?:/|$).*': { border: 'segment', groups: [] },
  '(?:/|$)(.*)': { border: 'segment', groups: [['rest', 1]] },
};

/** Stand for themselves in PCRE2 outside of brackets. */
const PLAIN = /^[A-Za-z0-9/_~!@&=,;:'"<>`-]$/;

const known = new Map<string, SimplePath | undefined>();
const MOST_KNOWN = 20_000;

/** `undefined`: the pattern needs a regular expression. */
export function simplePath(pattern: string): SimplePath | undefined {
  if (known.has(pattern)) return known.get(pattern);
  if (known.size >= MOST_KNOWN) known.clear();
  const simple = parse(pattern);
  known.set(pattern, simple);
  return simple;
}

function parse(pattern: string): SimplePath | undefined {
  const { literal: whole, length } = readLiteral(pattern, pattern.startsWith('^') ? 1 : 0);
  const rest = pattern.slice(length);
  // A quantifier belongs to the last character before it.
  const optional = rest.startsWith('?') && whole.endsWith('/');
  const literal = optional ? whole.slice(0, -1) : whole;
  const tail = tailOf((optional ? '/' : '') + rest);
  if (tail === undefined || !literal.startsWith('/')) return undefined;
  const start = literal.length;
  const groups = tail.groups.map(
    (group): SimpleGroup => (typeof group === 'string' ? group : { from: start + group[1], trim: group[0] === 'trimmed' }),
  );
  return { literal: literal + (tail.more ?? ''), border: tail.border, groups };
}

function tailOf(text: string): Tail | undefined {
  const open = /\.\*\)?\$$/.test(text) ? text.slice(0, -1) : text;
  return Object.hasOwn(TAILS, open) ? TAILS[open] : undefined;
}

/** Plain and escaped characters from `start`, and how far they reach. */
function readLiteral(pattern: string, start: number): { readonly literal: string; readonly length: number } {
  let literal = '';
  let index = start;
  while (index < pattern.length) {
    const escaped = /^\\([^A-Za-z0-9%#\s])/.exec(pattern.slice(index, index + 2))?.[1];
    const char = pattern[index] ?? '';
    if (escaped !== undefined && escaped > ' ' && escaped < '\u007f') {
      literal += escaped;
      index += 2;
    } else if (PLAIN.test(char)) {
      literal += char;
      index += 1;
    } else break;
  }
  return { literal, length: index };
}

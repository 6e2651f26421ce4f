import type { PathMatch, Route } from '../../model/model.ts';
import { simplePath, type SimpleGroup } from '../../model/simple-path.ts';
import type { PathRewrite, Template } from './policy.ts';

/**
 * Fields of a row. `kind`: `constant` (the path becomes `before`), `part` (`before`, the path without its
 * first `skip` characters, `after`), `template` (`to`, with groups of `pattern`), `redirect` (likewise).
 */
export interface RewriteFields {
  readonly kind: 'constant' | 'part' | 'template' | 'redirect';
  readonly before?: string;
  readonly skip?: number;
  readonly trim?: 1;
  readonly after?: string;
  readonly to?: string;
  readonly pattern?: string;
  /** `i`: capitals don't matter. */
  readonly flags?: string;
}

export function rewriteFields(rewrite: PathRewrite, route: Route): RewriteFields {
  const { path } = route;
  switch (rewrite.type) {
    case 'match':
      return { kind: 'template', to: rewrite.to, pattern: rewrite.pattern };
    case 'redirect':
      return { kind: 'redirect', to: rewrite.to, ...patternOf(path) };
    case 'prefix':
      return prefixFields(rewrite.to, path);
    case 'whole':
      return wholeFields(rewrite.to, path);
  }
}

/** The path is replaced up to where the route's path ends; no double slash comes of it. */
function prefixFields(to: string, path: PathMatch): RewriteFields {
  if (path.type === 'regex' || path.type === 'exact') return { kind: 'constant', before: to };
  const held = path.path.replace(/\/+$/, '');
  return { kind: 'part', before: to.replace(/\/+$/, ''), skip: Buffer.byteLength(held) };
}

function wholeFields(to: Template, path: PathMatch): RewriteFields {
  const parts = partsOf(to);
  if (parts.every((part) => typeof part === 'string')) return { kind: 'constant', before: to };
  const simple = path.type === 'regex' ? simplePath(path.pattern) : undefined;
  return (simple && partFields(parts, simple.groups)) ?? { kind: 'template', to, ...patternOf(path) };
}

/** Anchored, as the route's path is. */
function patternOf(path: PathMatch): Pick<RewriteFields, 'pattern' | 'flags'> {
  if (path.type !== 'regex') return { pattern: '' };
  return { pattern: `^(?:${path.pattern})`, ...(path.caseSensitive ? {} : { flags: 'i' }) };
}

/** Text and numbers of groups in turn. */
function partsOf(to: Template): readonly (string | number)[] {
  return to.split(/(\$[0-9])/).flatMap((part) => (part === '' ? [] : [/^\$[0-9]$/.test(part) ? Number(part[1]) : part]));
}

/** `undefined`: more than one part of the path, or one that depends on it in another way. */
function partFields(parts: readonly (string | number)[], groups: readonly SimpleGroup[]): RewriteFields | undefined {
  const pieces = joinSlash(parts.map((part): Piece => (typeof part === 'string' ? { text: part } : (groups[part - 1] ?? 'empty'))));
  let before = '';
  let after = '';
  let rest: Rest | undefined;
  for (const piece of pieces) {
    if (piece === 'empty') continue;
    if (piece === 'slash' || (rest !== undefined && 'from' in piece)) return undefined;
    if ('from' in piece) rest = piece;
    else if (rest === undefined) before += piece.text;
    else after += piece.text;
  }
  if (rest === undefined) return { kind: 'constant', before };
  return { kind: 'part', before, skip: rest.from, ...(rest.trim ? { trim: 1 } : {}), after };
}

type Rest = Exclude<SimpleGroup, string>;
type Piece = SimpleGroup | { readonly text: string };

/** A slash and what stands behind it in the path are one part of the path. */
function joinSlash(pieces: readonly Piece[]): readonly Piece[] {
  return pieces.flatMap((piece, index): readonly Piece[] => {
    const next = pieces[index + 1];
    const before = pieces[index - 1];
    if (piece === 'slash' && isRest(next)) return [];
    return before === 'slash' && isRest(piece) ? [{ from: piece.from - 1, trim: false }] : [piece];
  });
}

function isRest(piece: Piece | undefined): piece is Rest {
  return piece !== undefined && typeof piece !== 'string' && 'from' in piece && !piece.trim;
}

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { simplePath } from './simple-path.ts';

const LITERALS = ['/x', '/x/', '/', '/a-b/c', '/v1\\.0', '/v1\\.0/', '/x\\+y'];
const TAILS = [
  '',
  '.*',
  '(.*)',
  '()(.*)',
  '(/.*)',
  '?',
  '?.*',
  '?(.*)',
  '/?',
  '/?.*',
  '/?(.*)',
  '(/?)(.*)',
  '(/)?(.*)',
  '(/|$)',
  '(/|$).*',
  '(/|$)(.*)',
  '(?:/|$)',
  '(?:/|$).*',
  '(?:/|$)(.*)',
  '(.*)$',
  '(/|$)(.*)$',
  '.*$',
];
const PATTERNS = LITERALS.flatMap((literal) => TAILS.flatMap((tail) => [literal + tail, `^${literal}${tail}`]));
const path = fc
  .array(fc.constantFrom('x', 'y', 'a-b', 'c', 'v1.0', 'v1x0', 'x+y', 'xy', 'xx', ''), { minLength: 0, maxLength: 4 })
  .map((words) => `/${words.join('/')}`.replaceAll(/\/+/g, '/'));

/** What the driver makes of it. */
function match(pattern: string, text: string): readonly string[] | undefined {
  const simple = simplePath(pattern);
  if (simple === undefined) return undefined;
  const { literal, border, groups } = simple;
  if (!text.startsWith(literal) || (border === 'segment' && text !== literal && text[literal.length] !== '/')) return undefined;
  return groups.map((group) => {
    if (group === 'empty') return '';
    if (group === 'slash') return text.startsWith(`${literal}/`) ? '/' : '';
    const rest = text.slice(group.from);
    return group.trim ? rest.replace(/^\//, '') : rest;
  });
}

describe('a simple regular expression', () => {
  test('matches and captures like the real one', () => {
    let simple = 0;
    for (const pattern of PATTERNS) {
      if (simplePath(pattern) === undefined) continue;
      simple += 1;
      const real = new RegExp(`^(?:${pattern})`);
      for (const text of fc.sample(path, { numRuns: 60, seed: 7 })) {
        const found = real.exec(text);
        expect(match(pattern, text), `${pattern} on ${text}`).toEqual(
          found === null ? undefined : found.slice(1).map((group) => group ?? ''),
        );
      }
    }
    expect(simple).toBeGreaterThan(150);
  });

  test.each([
    '/v1.0',
    '/x(',
    '/x+',
    '/[a]',
    '/x(a|b)',
    '/x\\d',
    '/ä',
    '/x%20',
    '/x#',
    '/x y',
    'x',
    '(/x)',
    '/x$',
    '/x/?$',
    '/x|/y',
    '/x(.*)/y',
    '/x{2}',
    '/x*',
    '',
  ])('%j is none', (pattern) => {
    expect(simplePath(pattern)).toBeUndefined();
  });
});

import { describe, expect, test } from 'vitest';
import { groupCount, looksLikeRegex, regexProblem } from './regex.ts';

describe('a regular expression', () => {
  test.each([
    '/x(/|$)(.*)',
    '/[a-z]{1,3}',
    '/(?i)a',
    '/(?:a|b)',
    '/(?P<n>x)',
    '/\\d+',
    '/p/(?!x)',
    '/(a)\\1',
    '/(?>a+)',
    '/a++',
    '/(?<=x)y',
    '/\\Q.\\E',
  ])('%s is good', (pattern) => {
    expect(regexProblem(pattern)).toBeUndefined();
  });

  test.each([
    ['/(', 'is not a regular expression'],
    ['/)', 'is not a regular expression'],
    ['/a)|(?=x', 'is not a regular expression'],
    ['/[a', 'is not a regular expression'],
    ['/a**', 'is not a regular expression'],
    ['/a\\', 'is not a regular expression'],
    ['/a(*ACCEPT)', 'is not a regular expression'],
    ['/(?#c)', 'is not a regular expression'],
    ['/\\Q(', 'without'],
    ['/a\nb', 'control character'],
    ['/\ud800', 'Unicode'],
    ['/'.padEnd(1_001, 'a'), 'longer than 1,000'],
    ['/(?!x)'.padEnd(201, 'a'), 'longer than 200'],
  ])('%j is refused', (pattern, problem) => {
    expect(regexProblem(pattern)).toContain(problem);
  });

  test('is checked in no time, whatever it is', () => {
    const started = performance.now();
    regexProblem(`/${'(a*)*'.repeat(180)}`);
    regexProblem(`/${'('.repeat(990)}`);
    regexProblem(`/${'(a{1,1000}){1,1000}'}`);
    expect(performance.now() - started).toBeLessThan(1_000);
  });

  test('counts its groups', () => {
    expect(['/a', '/(a)(?:b)', '/\\((a)', '/[(](a)', '/(?P<x>a)(?<y>b)(?=c)(?<!d)', '/[]()](x)'].map(groupCount)).toEqual([
      0, 1, 1, 1, 2, 1,
    ]);
  });

  test('looks like one', () => {
    expect(['/a.b', '/a-b_~', '/a*', '/x(/|$)', '/$id', '/{id}'].map(looksLikeRegex)).toEqual([false, false, true, true, true, true]);
  });
});

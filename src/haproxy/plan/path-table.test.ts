import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decide } from '../../model/decide.ts';
import type { Model, PathMatch, Route } from '../../model/model.ts';
import { routeMaps } from './route-maps.ts';

const ORIGIN = { kind: 'Ingress', namespace: 'default', name: 'web' };

const plain: readonly PathMatch[] = ['', '/x', '/x/y', '/X', '/y', '/x/y/long/enough'].flatMap((path): PathMatch[] => [
  { type: 'segments', path },
  ...(path === ''
    ? []
    : [
        { type: 'exact' as const, path },
        { type: 'prefix' as const, path: `${path}z` },
      ]),
]);
const patterns = [
  '/x',
  '/x/',
  '/x/(.*)',
  '/x(/|$)(.*)',
  '/x/y/(.*)',
  '/x/y',
  '/x/y(/|$)(.*)',
  '/X(.*)',
  '/(.*)',
  '/x/?(.*)',
  '/y/.*',
  '/xz/(.*)',
];
const regexes = patterns.flatMap((pattern): PathMatch[] =>
  [true, false].map((caseSensitive) => ({ type: 'regex', pattern, caseSensitive })),
);
const word = fc.constantFrom('x', 'y', 'X', 'xz', 'long', 'enough', 'Y', 'xyz');
const request = fc
  .array(word, { maxLength: 4 })
  .chain((words) => fc.constantFrom(`/${words.join('/')}`, `/${words.join('/')}/`.replace('//', '/')));

/** Two longest-prefix look-ups, as the frontend does them. */
function lookUp(routes: readonly Route[], path: string): string {
  const maps = new Map(routeMaps(routes, () => ''));
  const longest = (table: string, text: string) => {
    for (let end = text.length; end > 0; end -= 1) {
      const value = maps.get(table)?.entries.get(text.slice(0, end));
      if (value !== undefined) return value.split('|');
    }
    return ['', '', '', '0'];
  };
  const found = longest('routes', `a.example${path}/#`);
  const folded = longest('folded', `a.example${path.toLowerCase()}/#`);
  return (Number(folded[3]) > Number(found[3]) ? folded : found)[0] ?? '';
}

test('the tables say what the model means', () => {
  const chosen = fc.tuple(fc.subarray([...plain]), fc.subarray([...regexes]), fc.array(request, { minLength: 6, maxLength: 6 }));
  fc.assert(
    fc.property(chosen, ([some, others, requests]) => {
      const routes = [...some, ...others].map(
        (path, index): Route => ({
          id: `r${index}`,
          host: { type: 'exact', name: 'a.example' },
          path,
          policies: {},
          backend: `b${index}`,
          canaries: [],
          createdAt: 0,
          origin: ORIGIN,
        }),
      );
      const model: Model = { hosts: [], routes, backends: [], certificates: [] };
      for (const path of requests) {
        const expected = decide(model, { host: 'a.example', path, query: '', headers: [] }).route;
        const actual = routes.find(({ backend }) => backend === lookUp(routes, path));
        // Which of two patterns of one length wins is nobody's promise where they differ in minding the case.
        if (
          expected?.path.type === 'regex' &&
          actual?.path.type === 'regex' &&
          expected.path.caseSensitive !== actual.path.caseSensitive &&
          expected.path.pattern.length === actual.path.pattern.length
        )
          continue;
        expect(actual?.id, `${path} of ${JSON.stringify(routes.map((route) => route.path))}`).toBe(expected?.id);
      }
    }),
    { numRuns: 500, seed: 11 },
  );
});

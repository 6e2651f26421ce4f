import { describe, expect, test } from 'vitest';
import fc from 'fast-check';
import type { Model, Route } from '../model/model.ts';
import { isolate } from './isolate.ts';

function route(name: string): Route {
  return {
    id: name,
    host: { type: 'exact', name: `${name}.example` },
    path: { type: 'segments', path: '' },
    policies: {},
    backend: `default_${name}_80`,
    canaries: [],
    createdAt: 0,
    origin: { kind: 'Ingress', namespace: 'default', name },
  };
}

function model(names: readonly string[]): Model {
  const routes = names.map(route);
  return {
    hosts: [],
    routes,
    backends: names.map((name) => ({
      id: `default_${name}_80`,
      namespace: 'default',
      service: name,
      port: 80,
      policies: {},
      endpoints: [],
      origin: { kind: 'Ingress', namespace: 'default', name },
    })),
    certificates: [],
  };
}

describe('isolate', () => {
  test('any set of refused objects is found, and only it', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(fc.integer({ min: 0, max: 40 }), { minLength: 1, maxLength: 5 }),
        fc.integer({ min: 41, max: 80 }),
        async (bad, count) => {
          const names = Array.from({ length: count }, (_, index) => `object-${index}`);
          const culprits = new Set(bad.map((index) => `object-${index}`));
          let attempts = 0;
          const attempt = (candidate: Model) => {
            attempts += 1;
            return Promise.resolve(candidate.routes.some((one) => culprits.has(one.origin.name)) ? 'line 7: no' : undefined);
          };
          const result = await isolate(model(names), 'line 7: no', attempt);
          expect(new Set(result.rejected.map((entry) => entry.origin.name))).toEqual(culprits);
          expect(result.model.routes.map((one) => one.id)).toEqual(names.filter((name) => !culprits.has(name)));
          expect(result.model.backends).toHaveLength(names.length - culprits.size);
          expect(attempts).toBeLessThanOrEqual(culprits.size * (Math.ceil(Math.log2(count)) + 2));
        },
      ),
      { numRuns: 50 },
    );
  });

  test('a fault that no object explains is not blamed on one', async () => {
    await expect(isolate(model(['a', 'b']), 'broken', () => Promise.resolve('broken'))).rejects.toThrow('whatever is left out');
  });
});

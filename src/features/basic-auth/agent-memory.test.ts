import { expect, test } from 'vitest';
import { VerdictMemory } from './agent-memory.ts';

test('forgets after its time, and the least recently used first', () => {
  let now = 0;
  const memory = new VerdictMemory({ capacity: 2, lifetime: 100, now: () => now });
  memory.add('a');
  memory.add('b');
  expect(memory.has('a')).toBe(true);
  memory.add('c');
  expect([memory.has('a'), memory.has('b'), memory.has('c')]).toEqual([true, false, true]);
  now = 100;
  expect([memory.has('a'), memory.has('c')]).toEqual([false, false]);
  memory.add('a');
  now = 199;
  expect(memory.has('a')).toBe(true);
});

import { expect, it } from 'vitest';
import { createLimit } from './limit.ts';

it('never runs more at once, runs all, and frees the place of work that failed', async () => {
  const limit = createLimit(3);
  let busy = 0;
  let most = 0;
  const results = await Promise.allSettled(
    Array.from({ length: 20 }, (_, index) =>
      limit(async () => {
        most = Math.max(most, ++busy);
        await new Promise((resolve) => setTimeout(resolve, 1));
        busy -= 1;
        if (index % 2 === 0) throw new Error('broken');
        return index;
      }),
    ),
  );
  expect(most).toBe(3);
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(10);
});

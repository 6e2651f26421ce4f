import type { RuntimeClient } from './client.ts';
import type { Command } from './codec.ts';
import { type Result, success } from './result.ts';
import { stillWaiting } from './server-commands.ts';

/** Below `stats timeout` (10 s unless configured), which would cut a longer wait. */
const LONGEST_WAIT_MS = 5_000;
const GRACE_MS = 2_000;

/** `over`: HAProxy waited for the end of something, or found that it can never come. */
export async function waitAside(client: RuntimeClient, build: (ms: number) => Command, waitMs: number): Promise<Result<'over' | 'busy'>> {
  for (let left = waitMs; left > 0; left -= LONGEST_WAIT_MS) {
    const slice = Math.min(left, LONGEST_WAIT_MS);
    const waited = await client.aside(build(slice), slice + GRACE_MS);
    if (!waited.ok) return waited;
    if (!stillWaiting(waited.value)) return success('over');
  }
  return success('busy');
}

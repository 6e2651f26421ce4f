import type { ReadContext } from '../contract/reader.ts';
import { type HeaderOperations, NO_OPERATIONS } from './policy.ts';
import { sizeOf } from './values.ts';

/**
 * HAProxy keeps a fixed room in each message for what rules add; a message that outgrows it would fail.
 * Operations that need more than `limit` bytes are left out and reported on `key`.
 */
export function bounded(operations: HeaderOperations, limit: number, key: string, context: ReadContext): HeaderOperations {
  const size = sizeOf(operations);
  if (size <= limit) return operations;
  context.report(
    'InvalidAnnotation',
    key,
    `The headers of this object together take ${size} bytes, more than the ${limit} there is room for; none of them is set.`,
    'Shorten the values.',
  );
  return NO_OPERATIONS;
}

export function isEmpty({ remove, set, add }: HeaderOperations): boolean {
  return remove.length + set.length + add.length === 0;
}

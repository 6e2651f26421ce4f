const MAX_BACKOFF_MS = 5_000;

/** How long to wait before the n-th try; the first one (0) is at once. */
export function backoff(attempt: number): number {
  return attempt === 0 ? 0 : Math.min(MAX_BACKOFF_MS, 50 * 2 ** Math.min(attempt, 10));
}

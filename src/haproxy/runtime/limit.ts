/** At most `size` pieces of work at once; the others wait their turn. */
export function createLimit(size: number): <T>(work: () => Promise<T>) => Promise<T> {
  let busy = 0;
  const waiting: (() => void)[] = [];
  return async (work) => {
    if (busy >= size) await new Promise<void>((resolve) => waiting.push(resolve));
    else busy += 1;
    try {
      return await work();
    } finally {
      // Hands the place over, or gives it back.
      const next = waiting.shift();
      if (next === undefined) busy -= 1;
      else next();
    }
  };
}

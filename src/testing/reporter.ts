import type { Reporter, SerializedError, TestModule } from 'vitest/node';

export interface TestCounts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

/** The plain closing line that `.ci/run` and other readers of test output look for. */
export function summaryLine({ passed, failed, skipped }: TestCounts): string {
  const line = `${passed} passed, ${failed} failed`;
  return skipped > 0 ? `${line}, ${skipped} skipped` : line;
}

/**
 * A file that could not be loaded, a hook that threw and an unhandled rejection have no test of their own;
 * each counts as one failed test, or the last line would say that all is well.
 */
export function countTests(modules: readonly TestModule[], unhandledErrors: readonly SerializedError[]): TestCounts {
  const counts = { passed: 0, failed: unhandledErrors.length, skipped: 0 };
  for (const module of modules) {
    counts.failed += module.errors().length;
    for (const suite of module.children.allSuites()) counts.failed += suite.errors().length;
    for (const test of module.children.allTests()) {
      const { state } = test.result();
      if (state === 'pending') counts.failed += 1;
      else counts[state] += 1;
    }
  }
  return counts;
}

/** Remembers the counts and writes them when the process ends: the other reporters have printed by then. */
export default class SummaryReporter implements Reporter {
  #line: string | undefined;

  onInit(): void {
    process.once('exit', () => {
      if (this.#line !== undefined) process.stdout.write(`${this.#line}\n`);
    });
  }

  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly SerializedError[]): void {
    this.#line = summaryLine(countTests(modules, unhandledErrors));
  }
}

import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

/** Tests start HAProxy processes of their own, so more workers than cores only makes timing tests nervous. */
const maxWorkers = Math.max(1, Math.min(availableParallelism(), 4));

const shared = {
  environment: 'node',
  pool: 'forks',
  testTimeout: 30_000,
  hookTimeout: 60_000,
} as const;

/** `npm test` runs `unit` and `e2e`; `npm run test:long` runs `long`, one file at a time. */
export default defineConfig({
  test: {
    maxWorkers,
    globalSetup: ['tools/vitest/global-setup.mjs'],
    reporters: ['default', './src/testing/reporter.ts'],
    projects: [
      { extends: true, test: { ...shared, name: 'unit', include: ['src/**/*.test.ts', 'tools/**/*.test.ts'] } },
      { extends: true, test: { ...shared, name: 'e2e', include: ['test/{setup,e2e}/**/*.test.ts'] } },
      {
        extends: true,
        test: { ...shared, name: 'long', include: ['test/long/**/*.test.ts'], testTimeout: 600_000, fileParallelism: false },
      },
    ],
  },
});

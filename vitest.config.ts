import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          include: ['{proxy,app,bench}/**/*.test.ts', 'scripts/**/*.test.{ts,mjs}'],
          exclude: ['**/*.integration.test.ts', 'node_modules/**'],
          environment: 'node',
          setupFiles: ['proxy/testing/fixed-seed.ts'],
          // A busy machine must not decide: only what hangs is ended.
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'integration',
          include: ['{proxy,bench}/**/*.integration.test.ts'],
          environment: 'node',
          setupFiles: ['proxy/testing/fixed-seed.ts'],
          fileParallelism: false,
          testTimeout: 60_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
});

import { defineConfig } from 'vitest/config';

/** Real programs and real terminals: slower, one file at a time, so that they don't starve each other. */
export default defineConfig({
  test: {
    include: ['test/real/**/*.test.ts'],
    testTimeout: 120_000,
    hookTimeout: 300_000,
    fileParallelism: false,
  },
});

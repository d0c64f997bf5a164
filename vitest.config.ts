import { defineConfig } from 'vitest/config';

/** `npm test` runs everything but test/real, which drives installed programs and has a config of its own. */
export default defineConfig({
  test: {
    include: ['test/**/*.test.{ts,tsx}'],
    exclude: ['test/real/**', 'node_modules/**'],
    testTimeout: 30_000,
    hookTimeout: 30_000,
    // Two cores: more workers only make real processes slower than their deadlines.
    maxWorkers: 2,
  },
});

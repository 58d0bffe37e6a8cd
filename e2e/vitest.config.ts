import { defineConfig } from 'vitest/config'

/** Whole processes of the product, started and killed: one file after the other, since each claims the machine. */
export default defineConfig({
  test: {
    name: 'processes',
    environment: 'node',
    dir: import.meta.dirname,
    include: ['*.test.ts'],
    pool: 'forks',
    fileParallelism: false,
    // A shared machine may stall for seconds; what fails twice in a row is broken.
    retry: 1,
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
})

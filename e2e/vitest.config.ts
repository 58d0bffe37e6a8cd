import { defineConfig } from 'vitest/config'

/** Tests that start and kill whole processes of the product. Files run one at a time, because each uses the whole machine. */
export default defineConfig({
  test: {
    name: 'processes',
    environment: 'node',
    dir: import.meta.dirname,
    include: ['*.test.ts'],
    pool: 'forks',
    fileParallelism: false,
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
})

import { defineConfig } from 'vitest/config'

/** The tests that scripts/mutate.mjs chooses, as a plain configuration: Stryker runs no projects of Vitest. */
export default defineConfig({
  test: {
    pool: 'forks',
    include: process.env['PLUMBLINE_MUTATION_TESTS']?.split(',') ?? [],
    globalSetup: ['src/server/testing/global-setup.ts'],
    testTimeout: 20_000,
    hookTimeout: 30_000,
  },
})

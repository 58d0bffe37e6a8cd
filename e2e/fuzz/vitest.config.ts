import { defineConfig } from 'vitest/config'

const HOURS_MS = 3_600_000

/** `npm run fuzz`: not part of `npm test`, because it makes tens of thousands of calls. */
export default defineConfig({
  test: {
    name: 'fuzz',
    environment: 'node',
    dir: import.meta.dirname,
    include: ['*.fuzz.ts'],
    globalSetup: ['src/server/testing/global-setup.ts'],
    pool: 'forks',
    testTimeout: 12 * HOURS_MS,
    hookTimeout: 120_000,
  },
})

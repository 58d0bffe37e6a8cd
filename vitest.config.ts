import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** The slowest files start first, so that no worker ends long after the other. Vitest orders the rest by size or earlier durations. */
const SLOWEST = [
  'db/embedded',
  'jobs/queue',
  'imports/import-commit',
  'account-dashboard/account-dashboard',
  'imports/imports',
  'imports/import-faults',
  'imports/import-sheets',
  'spreadsheet/read-in-worker',
  'session/session',
  'realtime/realtime',
]

class SlowestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const index = SLOWEST.findIndex((name) => moduleId.includes(`${name}.test.`))
      return index < 0 ? SLOWEST.length : index
    }
    return (await super.sort(files)).toSorted((left, right) => rank(left) - rank(right))
  }
}

export default defineConfig({
  test: {
    pool: 'forks',
    maxWorkers: 2,
    sequence: { sequencer: SlowestFirst },
    // The default of one second is too short on a busy machine.
    expect: { poll: { timeout: 30_000 } },
    projects: [
      {
        extends: true,
        test: {
          name: 'server',
          environment: 'node',
          include: ['src/server/**/*.test.ts', 'src/contract/**/*.test.ts', 'scripts/**/*.test.mjs'],
          globalSetup: ['src/server/testing/global-setup.ts'],
          testTimeout: 60_000,
          hookTimeout: 120_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'web',
          environment: 'jsdom',
          include: ['src/web/**/*.test.{ts,tsx}'],
          testTimeout: 60_000,
        },
      },
    ],
  },
})

import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config'
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

/**
 * Test files that replace modules need a process of their own. The others share one, so that the modules of the product are loaded once
 * for each worker and not for each file.
 */
const isReplacing = (file: string) => /\bvi\.(?:doMock|mock)\(/.test(readFileSync(join(import.meta.dirname, file), 'utf8'))

const FILES = {
  server: ['src/server/**/*.test.ts', 'src/contract/**/*.test.ts', 'scripts/**/*.test.mjs'],
  web: ['src/web/**/*.test.{ts,tsx}'],
}

function projectsOf(name: keyof typeof FILES, test: TestProjectInlineConfiguration['test']): TestProjectInlineConfiguration[] {
  const isolated = globSync(FILES[name], { cwd: import.meta.dirname }).filter(isReplacing)
  return [
    { extends: true, test: { ...test, name, include: FILES[name], exclude: isolated, isolate: false } },
    { extends: true, test: { ...test, name: `${name}, replaced modules`, include: isolated } },
  ]
}

export default defineConfig({
  test: {
    pool: 'forks',
    maxWorkers: 2,
    sequence: { sequencer: SlowestFirst },
    // The default of one second is too short on a busy machine.
    expect: { poll: { timeout: 30_000 } },
    testTimeout: 60_000,
    projects: [
      ...projectsOf('server', { environment: 'node', globalSetup: ['src/server/testing/global-setup.ts'], hookTimeout: 120_000 }),
      ...projectsOf('web', { environment: 'jsdom' }),
    ],
  },
})

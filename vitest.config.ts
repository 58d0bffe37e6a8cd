import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** The slowest files start first, so that no worker ends long after the other. Vitest orders the rest by size or earlier durations. */
const SLOWEST = [
  'db/embedded',
  'imports/import-commit',
  'session/sign-in-limits',
  'companies/companies',
  'account-files/documents.tab',
  'jobs/queue',
  'imports/import-words',
  'imports/import-workbench',
  'imports/recheck',
  'dashboard/dashboard',
  'datatable/datatable',
  'imports/import-sheets',
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

const SERVER = [
  'src/server/**/*.test.ts',
  'src/contract/**/*.test.ts',
  'scripts/**/*.test.mjs',
  'bench/**/*.test.ts',
  'e2e/walk/**/*.test.ts',
]

/**
 * Test files of the server that replace modules need a process of their own. The others share one, so that the modules of the product are
 * loaded once for each worker and not for each file. On the web many modules have the state of the page, so that each file is isolated.
 */
const isReplacing = (file: string) => /\bvi\.(?:doMock|mock)\(/.test(readFileSync(join(import.meta.dirname, file), 'utf8'))

function serverProjects(test: TestProjectInlineConfiguration['test']): TestProjectInlineConfiguration[] {
  const isolated = globSync(SERVER, { cwd: import.meta.dirname }).filter(isReplacing)
  return [
    { extends: true, test: { ...test, name: 'server', include: SERVER, exclude: isolated, isolate: false } },
    { extends: true, test: { ...test, name: 'server, replaced modules', include: isolated } },
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
      ...serverProjects({ environment: 'node', globalSetup: ['src/server/testing/global-setup.ts'], hookTimeout: 120_000 }),
      { extends: true, test: { name: 'web', environment: 'jsdom', include: ['src/web/**/*.test.{ts,tsx}'] } },
    ],
  },
})

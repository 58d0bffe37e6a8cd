import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { startEmbedded } from '#server/db/embedded.ts'
import { createLog } from '#server/kernel/log.ts'
import { prepareTemplate, type TestServer } from './database.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    testServer: TestServer
    /** A folder for the files of fixtures, removed after the run. */
    filesFolder: string
  }
}

const DATA_DIR = join(import.meta.dirname, '../../../.cache/test-postgres')

/** One real PostgreSQL for the run. Its data folder and the migrated template database are reused by later runs. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const log = createLog({ level: 'warn' })
  const embedded = await startEmbedded({ dataDir: DATA_DIR, log, disposable: true })
  project.provide('testServer', {
    url: embedded.ownerUrl,
    runtimeUrl: embedded.url,
    template: await prepareTemplate(embedded.ownerUrl, log),
  })
  const filesFolder = await mkdtemp(join(tmpdir(), 'plumbline-test-files-'))
  project.provide('filesFolder', filesFolder)
  return async () => {
    await embedded.stop()
    await rm(filesFolder, { recursive: true, force: true })
  }
}

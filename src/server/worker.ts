import { startWorker } from './app.ts'
import { openDatabaseServer } from './db/server.ts'
import { loadConfig } from './kernel/config.ts'
import { createLog } from './kernel/log.ts'
import { onStop, startProgram } from './kernel/program.ts'

await startProgram(async () => {
  const config = loadConfig()
  const log = createLog({ level: config.logLevel })
  const database = await openDatabaseServer(config, log)
  const worker = await startWorker({ config, log, databaseUrl: database.url })
  log.info('Worker ready')

  onStop(log, async () => {
    await worker.stop()
    await database.stop()
  })
})

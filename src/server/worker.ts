import { startWorker } from './app.ts'
import { collectAfterStart } from './engines/jobs/idle-memory.ts'
import { loadConfig } from './kernel/config.ts'
import { createLog } from './kernel/log.ts'
import { onStop, startProgram } from './kernel/program.ts'

await startProgram(async () => {
  const config = loadConfig()
  const log = createLog({ level: config.logLevel })
  const worker = await startWorker({ config, log })
  log.info('Worker ready')
  collectAfterStart()
  onStop(log, worker.stop)
})

import { startApi } from './app.ts'
import { listen } from './engines/http/server.ts'
import { collectAfterStart } from './engines/jobs/idle-memory.ts'
import { prepare } from './features/setup/prepare.ts'
import { loadConfig } from './kernel/config.ts'
import { createLog } from './kernel/log.ts'
import { onStop, startProgram } from './kernel/program.ts'

await startProgram(async () => {
  const config = loadConfig()
  const log = createLog({ level: config.logLevel })
  const api = await startApi({ config, log })
  const welcome = await prepare(api.services)
  await listen(api.server, config)
  collectAfterStart()
  process.stdout.write(welcome)
  onStop(log, api.stop)
})

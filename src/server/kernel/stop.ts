import type { Log } from './log.ts'

const GRACE_MS = 30_000

/** Runs `stop` once at SIGTERM or SIGINT and ends the process; a second signal, or too long a wait, ends it at once. */
export function onStop(log: Log, stop: () => Promise<void>): void {
  let stopping = false
  const handle = (signal: NodeJS.Signals) => {
    if (stopping) process.exit(1)
    stopping = true
    log.info({ signal }, 'Stopping')
    setTimeout(() => process.exit(1), GRACE_MS).unref()
    stop().then(
      () => process.exit(0),
      (error: unknown) => {
        log.error({ err: error }, 'Stopping failed')
        process.exit(1)
      },
    )
  }
  process.on('SIGTERM', handle)
  process.on('SIGINT', handle)
}

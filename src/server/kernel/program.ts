import { inspect } from 'node:util'
import type { Log } from './log.ts'

/** More than the time limits of the HTTP server and the job queue together. */
const STOP_GRACE_MS = 40_000

/** Starts a program; a failed start ends with exit code 1. Plain `Error`s are written for the user; any other error prints its stack. */
export async function startProgram(start: () => Promise<void>): Promise<void> {
  await start().catch((error: unknown) => {
    process.stderr.write(`${isForUser(error) ? error.message : inspect(error)}\n`)
    process.exit(1)
  })
}

const isForUser = (error: unknown): error is Error => error instanceof Error && error.constructor === Error && !('code' in error)

/** Runs `stop` once on SIGTERM or SIGINT and ends the process. A second signal, or STOP_GRACE_MS without an end, exits at once. */
export function onStop(log: Log, stop: () => Promise<void>): void {
  let stopping = false
  const handle = (signal: NodeJS.Signals) => {
    if (stopping) process.exit(1)
    stopping = true
    log.info({ signal }, 'Stopping')
    setTimeout(() => process.exit(1), STOP_GRACE_MS).unref()
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

import { inspect } from 'node:util'
import { errorCode } from './errors.ts'
import type { Log } from './log.ts'

/** More than the time limits of the HTTP server and the job queue together. */
const STOP_GRACE_MS = 40_000

/** Starts a program; a failed start ends with exit code 1. Plain `Error`s are written for the user; unexpected ones print their stack. */
export async function startProgram(start: () => Promise<void>): Promise<void> {
  await start().catch((error: unknown) => {
    process.stderr.write(`${diskProblem(error) ?? (isForUser(error) ? error.message : inspect(error))}\n`)
    process.exit(1)
  })
}

/** A sentence for errors of Node and PostgreSQL that say that the disk is full or cannot be written. */
function diskProblem(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  const code = errorCode(error) ?? ''
  if (/^(ENOSPC|EDQUOT|53100)$/.test(code) || /No space left on device/.test(error.message))
    return 'The disk is full, so the program cannot start. Free some space and start again.'
  const path = 'path' in error && typeof error.path === 'string' ? error.path : 'the data folder'
  if (/^(EROFS|EACCES|EPERM)$/.test(code))
    return `${path} cannot be written by this user. Check its permissions, or set DATA_DIR to another folder.`
  return diskProblem(error.cause)
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

import { inspect } from 'node:util'

/**
 * Starts a program; one that cannot start ends with exit code 1. What our own code refuses to start with is a sentence for the person
 * at the terminal; anything else is a defect and shows where it came from.
 */
export async function startProgram(start: () => Promise<void>): Promise<void> {
  await start().catch((error: unknown) => {
    process.stderr.write(`${isOurs(error) ? error.message : inspect(error)}\n`)
    process.exit(1)
  })
}

const isOurs = (error: unknown): error is Error => error instanceof Error && error.constructor === Error && !('code' in error)

import { hash, verify } from '@node-rs/argon2'
import { createHmac } from 'node:crypto'
import { availableParallelism } from 'node:os'

/** OWASP's argon2id family: 64 MiB, three passes, one lane. */
const COST = { memoryCost: 64 * 1024, timeCost: 3, parallelism: 1 } as const
const AT_ONCE = Math.max(1, availableParallelism() - 1)
/** Hash of a text nobody knows: an unknown address costs as much time as a wrong password. */
const NOBODY = '$argon2id$v=19$m=65536,t=3,p=1$c29tZXNhbHRzb21lc2FsdA$M5EmiPZmRpNkuHmPzd1EW9ZZVsQ9f2IHmHWOIBZ2cNs'

let running = 0
const waiting: (() => void)[] = []

/** Hashing fills cores and libuv's threads; beyond a few at once the others wait their turn. */
async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (running >= AT_ONCE) await new Promise<void>((resolve) => waiting.push(resolve))
  running += 1
  try {
    return await work()
  } finally {
    running -= 1
    waiting.shift()?.()
  }
}

/** The pepper stays outside the database: a stolen table alone cannot be guessed at. */
const peppered = (password: string, pepper: string) => createHmac('sha256', pepper).update(password.normalize('NFKC')).digest('base64')

/** A PHC string (argon2id) of the password, keyed with the server's secret. */
export const hashPassword = (password: string, pepper: string): Promise<string> => inTurn(() => hash(peppered(password, pepper), COST))

/** Whether the password is right; with `undefined` (no such user) it takes the same time and answers false. */
export async function verifyPassword(stored: string | null | undefined, password: string, pepper: string): Promise<boolean> {
  const right = await inTurn(() => verify(stored ?? NOBODY, peppered(password, pepper)))
  return right && stored !== null && stored !== undefined
}

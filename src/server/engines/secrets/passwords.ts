import { hash, verify } from '@node-rs/argon2'
import { createHmac } from 'node:crypto'
import { availableParallelism } from 'node:os'
import pLimit from 'p-limit'

/** OWASP's argon2id family: 64 MiB, three passes, one lane. */
const COST = { memoryCost: 64 * 1024, timeCost: 3, parallelism: 1 } as const
/** Hash of an unguessable text: an unknown address takes as long to check as a wrong password. */
const UNKNOWN_USER = '$argon2id$v=19$m=65536,t=3,p=1$c29tZXNhbHRzb21lc2FsdA$M5EmiPZmRpNkuHmPzd1EW9ZZVsQ9f2IHmHWOIBZ2cNs'

/** Hashing occupies cores and libuv threads of the process, so the limit applies to the process. One core stays free. */
const limit = pLimit(Math.max(1, availableParallelism() - 1))

/** The pepper is stored outside the database, so passwords cannot be guessed from a stolen table alone. */
const peppered = (password: string, pepper: string) => createHmac('sha256', pepper).update(password.normalize('NFKC')).digest('base64')

/** A PHC string (argon2id) of the password, keyed with the server's secret. */
export const hashPassword = (password: string, pepper: string): Promise<string> => limit(() => hash(peppered(password, pepper), COST))

/** Whether the password is right. Without a stored hash (no such user) it takes the same time and answers false. */
export async function verifyPassword(stored: string | null | undefined, password: string, pepper: string): Promise<boolean> {
  const right = await limit(() => verify(stored ?? UNKNOWN_USER, peppered(password, pepper)))
  return right && stored !== null && stored !== undefined
}

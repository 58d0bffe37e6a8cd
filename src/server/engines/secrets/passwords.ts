import { hash, verify } from '@node-rs/argon2'
import { createHmac } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { setTimeout as delay } from 'node:timers/promises'
import { unavailable } from '#server/kernel/errors.ts'
import { createLanes } from './lanes.ts'

/** OWASP's argon2id family: 64 MiB, three passes, one lane. */
const COST = { memoryCost: 64 * 1024, timeCost: 3, parallelism: 1 } as const
/** Hash of an unguessable text: an unknown address takes as long to check as a wrong password. */
const UNKNOWN_USER = '$argon2id$v=19$m=65536,t=3,p=1$c29tZXNhbHRzb21lc2FsdA$M5EmiPZmRpNkuHmPzd1EW9ZZVsQ9f2IHmHWOIBZ2cNs'

/** Of the four threads that libuv has for files, DNS and compression, one stays free. */
const HASHES_MAX = 3
const HASHES_WAITING_MAX = 200
/** All users of an office may sign in at the same moment. */
const HASHES_WAITING_PER_LANE = 60
const UNKNOWN_WAITING_PER_LANE = 15
const RETRY_AFTER_SECONDS = 5

/** Hashing occupies cores and libuv threads of the process, so the queue belongs to the process. A lane is a client network. */
const hashing = createLanes({
  running: Math.min(HASHES_MAX, Math.max(2, availableParallelism() - 1)),
  runningPerLane: HASHES_MAX,
  waiting: HASHES_WAITING_MAX,
  waitingPerLane: HASHES_WAITING_PER_LANE,
  full: () => unavailable('Too many people are signing in at this moment. Please try again in a few seconds.', RETRY_AFTER_SECONDS),
})

/** The client that waits for a hash. */
export interface HashingFor {
  /** The network of the client; each has its own lane in the queue. */
  network?: string
  /** Aborted when the client has disconnected: the password is then not hashed, if its turn has not come. */
  signal?: AbortSignal
}

/** The pepper is stored outside the database, so passwords cannot be guessed from a stolen table alone. */
const peppered = (password: string, pepper: string) => createHmac('sha256', pepper).update(password.normalize('NFKC')).digest('base64')

/** A PHC string (argon2id) of the password, keyed with the server's secret. Throws `unavailable` when the queue is full. */
export const hashPassword = (password: string, pepper: string, { network = '', signal }: HashingFor = {}): Promise<string> =>
  hashing.run(network, () => hash(peppered(password, pepper), COST), signal)

/** Whether the password is right. Throws `unavailable` when the queue is full. */
export async function verifyPassword(stored: string, password: string, pepper: string, client: HashingFor = {}): Promise<boolean> {
  const { network = '', signal } = client
  return timed(() => hashing.run(network, () => verify(stored, peppered(password, pepper)), signal))
}

/**
 * Takes as long as `verifyPassword` for a user who does not exist, so that the time does not reveal who does. Such checks have
 * their own lane and never delay those of users; in a full lane, or with `busy`, they only wait.
 */
export async function verifyNothing(
  password: string,
  { network = '', signal, busy = false }: HashingFor & { busy?: boolean },
): Promise<void> {
  const lane = `${network} unknown`
  const full = hashing.isFull(lane, UNKNOWN_WAITING_PER_LANE)
  const skip = !full.queue && (full.lane || busy)
  if (skip) await delay(sampleMs(), undefined, { ...(signal && { signal }) }).catch(() => undefined)
  else await timed(() => hashing.run(lane, () => verify(UNKNOWN_USER, peppered(password, '')), signal))
}

/** How long the last checks took, with their time in the queue. */
const recentMs: number[] = [100]
const RECENT_MAX = 32
const sampleMs = () => recentMs[Math.floor(Math.random() * recentMs.length)] ?? 0

async function timed<T>(work: () => Promise<T>): Promise<T> {
  const startedAt = performance.now()
  const result = await work()
  recentMs.push(performance.now() - startedAt)
  if (recentMs.length > RECENT_MAX) recentMs.shift()
  return result
}

import type { PoolClient } from 'pg'
import type { Context } from '#server/engines/context.ts'

/** Work in this process that waits its turn or runs, by import. */
const waiting = new Map<string, Promise<unknown>>()
let running = 0
const queue: (() => void)[] = []

/** Each import under work needs up to three connections; the rest of the product keeps its share of the pool. */
const CONNECTIONS_PER_IMPORT = 5

async function takeSlot(max: number): Promise<() => void> {
  if (running >= Math.max(1, Math.floor(max / CONNECTIONS_PER_IMPORT))) await new Promise<void>((resolve) => queue.push(resolve))
  else running += 1
  return () => {
    const next = queue.shift()
    if (next) next()
    else running -= 1
  }
}

/** Works on one import alone: preparation, commit and undo of the same import wait for each other, in every process. */
export async function withImportLock<T>(ctx: Context, importId: string, work: (client: PoolClient) => Promise<T>): Promise<T> {
  const before = waiting.get(importId) ?? Promise.resolve()
  const turn = before.then(() => locked(ctx, importId, work))
  const settled = turn.catch(() => undefined)
  waiting.set(importId, settled)
  try {
    return await turn
  } finally {
    if (waiting.get(importId) === settled) waiting.delete(importId)
  }
}

async function locked<T>(ctx: Context, importId: string, work: (client: PoolClient) => Promise<T>): Promise<T> {
  const freeSlot = await takeSlot(ctx.pool.options.max)
  try {
    return await onConnection(ctx, importId, work)
  } finally {
    freeSlot()
  }
}

/** The lock belongs to the connection: it goes with the process that held it. */
async function onConnection<T>(ctx: Context, importId: string, work: (client: PoolClient) => Promise<T>): Promise<T> {
  const client = await ctx.pool.connect()
  let broken: Error | undefined
  const noteFault = (cause: unknown) => (broken = cause instanceof Error ? cause : new Error(String(cause)))
  try {
    await client.query('SELECT pg_advisory_lock(hashtextextended($1, 0))', [importId])
    return await work(client)
  } finally {
    await client.query('SELECT pg_advisory_unlock(hashtextextended($1, 0))', [importId]).catch(noteFault)
    client.release(broken)
  }
}

/** Runs work on one connection in a transaction of its own. */
export async function inTransaction<T>(client: PoolClient, work: () => Promise<T>): Promise<T> {
  await client.query('BEGIN')
  try {
    const result = await work()
    await client.query('COMMIT')
    return result
  } catch (error) {
    await client.query('ROLLBACK')
    throw error
  }
}

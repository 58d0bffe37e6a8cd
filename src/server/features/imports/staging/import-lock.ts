import { sql } from 'kysely'
import pLimit, { type LimitFunction } from 'p-limit'
import type { Pool, PoolClient } from 'pg'
import type { Reader } from '#server/access/viewer.ts'
import { JOB_LIMITS, REQUEST_LIMITS, setLimits } from '#server/db/client.ts'
import type { Context } from '#server/engines/context.ts'

/** An import uses up to three connections. This leaves most of the pool to the rest of the product. */
const CONNECTIONS_PER_IMPORT = 5

/** How many imports a process works on at once depends on the size of its pool. */
export const createImportLimit = (pool: Pool): LimitFunction => pLimit(Math.max(1, Math.floor(pool.options.max / CONNECTIONS_PER_IMPORT)))

/**
 * Runs work on one import. Preparation, commit and undo of the same import wait for each other, in all processes.
 * The advisory lock belongs to the connection, so PostgreSQL releases it when a process is killed.
 */
export function withImportLock<T>(ctx: Context, importId: string, work: (client: PoolClient) => Promise<T>): Promise<T> {
  return ctx.importLimit(async () => {
    const client = await ctx.pool.connect()
    let broken = false
    try {
      await client.query(setLimits(JOB_LIMITS, 'SESSION'))
      await client.query('SELECT pg_advisory_lock(hashtextextended($1, 0))', [importId])
      return await work(client)
    } finally {
      const unlocked = client.query('SELECT pg_advisory_unlock(hashtextextended($1, 0))', [importId])
      await unlocked.then(() => client.query(setLimits(REQUEST_LIMITS, 'SESSION'))).catch(() => (broken = true))
      client.release(broken)
    }
  })
}

/** Takes the lock of `withImportLock` until the transaction ends, unless another connection has it. */
export async function tryImportLock(db: Reader, importId: string): Promise<boolean> {
  const { rows } = await sql<{ locked: boolean }>`SELECT pg_try_advisory_xact_lock(hashtextextended(${importId}, 0)) AS locked`.execute(db)
  return rows[0]?.locked === true
}

/** Runs work on a connection in a transaction. */
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

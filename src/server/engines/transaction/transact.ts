import { sql } from 'kysely'
import { REQUEST_LIMITS, setLimits } from '#server/db/client.ts'
import { errorCode } from '#server/kernel/errors.ts'
import type { Context, WriteContext } from '../context.ts'
import { flushChanges } from './changes.ts'

const DEADLOCK = '40P01'
const TRIES = 3

const isWriting = (ctx: Context): ctx is WriteContext => 'changes' in ctx

/**
 * Runs `work` in one transaction and returns its result. Inside, use `emit`, `recordActivity` and `enqueue` with the given context; a
 * call inside another transaction joins it. `work` runs again if the database aborts it to resolve a deadlock, so it must not
 * change anything outside the transaction. Rolls everything back and rethrows what `work` throws.
 */
export async function transact<T>(ctx: Context, work: (tx: WriteContext) => Promise<T>): Promise<T> {
  if (isWriting(ctx)) return work(ctx)
  return retryDeadlock(() =>
    ctx.db.transaction().execute(async (trx) => {
      const tx: WriteContext = { ...ctx, db: trx, changes: [] }
      if (ctx.limits !== REQUEST_LIMITS) await sql.raw(setLimits(ctx.limits, 'LOCAL')).execute(trx)
      const result = await work(tx)
      await flushChanges(tx)
      return result
    }),
  )
}

/** Runs a transaction again if the database aborted it to resolve a deadlock; at most TRIES times. */
export async function retryDeadlock<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work()
    } catch (error) {
      if (attempt === TRIES || errorCode(error) !== DEADLOCK) throw error
    }
  }
}

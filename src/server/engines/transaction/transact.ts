import type { Context, WriteContext } from '../context.ts'
import { flushChanges } from './changes.ts'
import { retryDeadlock } from './retry-deadlock.ts'

const isWriting = (ctx: Context): ctx is WriteContext => 'changes' in ctx

/**
 * Runs `work` in one transaction and returns its result. Inside, use `emit`, `recordActivity` and `enqueue` with the given context; a
 * call inside another transaction joins it. `work` runs again if the database aborts it to resolve a deadlock, so it must not
 * change anything outside the transaction. Rolls everything back and rethrows what `work` throws.
 */
export async function transact<T>(ctx: Context, work: (tx: WriteContext) => Promise<T>): Promise<T> {
  if (isWriting(ctx)) return work(ctx)
  const result = await retryDeadlock(() =>
    ctx.db.transaction().execute(async (trx) => {
      const tx: WriteContext = { ...ctx, db: trx, changes: [] }
      const result = await work(tx)
      await flushChanges(tx)
      return result
    }),
  )
  ctx.sessionCache.clear()
  return result
}

import type { Context, WriteContext } from '../context.ts'
import { forgetStanding } from '../http/standing-sessions.ts'
import { flushChanges } from './changes.ts'
import { retryDeadlock } from './retry-deadlock.ts'

const isWriting = (ctx: Context): ctx is WriteContext => 'changes' in ctx

/**
 * Runs `work` in one transaction and returns what it returns. Inside, use `emit`, `record` and `enqueue` with the given
 * context; a call inside another transaction joins it. `work` runs again when the database chose it to end a deadlock, so it
 * changes nothing outside the transaction. Throws what `work` throws, after rolling everything back.
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
  forgetStanding()
  return result
}

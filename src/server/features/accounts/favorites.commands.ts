import type { Context } from '#server/engines/context.ts'
import { emit } from '#server/engines/transaction/changes.ts'
import { transact } from '#server/engines/transaction/transact.ts'
import { forbidden } from '#server/kernel/errors.ts'

/** Marks or unmarks accounts as the viewer's favorites; only their own lists change. */
export async function setFavorites(ctx: Context, ids: readonly string[], favorite: boolean): Promise<string> {
  const { viewer } = ctx
  if (viewer.kind !== 'user') throw forbidden()
  await transact(ctx, async (tx) => {
    if (favorite) {
      await tx.db
        .insertInto('account_favorites')
        .values(ids.map((id) => ({ account_id: id, user_id: viewer.userId })))
        .onConflict((on) => on.doNothing())
        .execute()
    } else {
      await tx.db
        .deleteFrom('account_favorites')
        .where('user_id', '=', viewer.userId)
        .where('account_id', 'in', [...ids])
        .execute()
    }
    emit(tx, { model: 'accounts', id: null, for: [viewer.userId] })
  })
  return favorite ? 'Added to your favorites.' : 'Removed from your favorites.'
}

import { requireOwnAccounts } from '#server/access/require.ts'
import type { Context, WriteContext } from '#server/engines/context.ts'
import { visibleIds } from '#server/engines/datatable/index-list.ts'
import { enqueue } from '#server/engines/jobs/define-job.ts'
import { emit } from '#server/engines/transaction/changes.ts'
import { recordActivity } from '#server/engines/transaction/activity.ts'
import { transact } from '#server/engines/transaction/transact.ts'
import { notFound } from '#server/kernel/errors.ts'
import { accountDatatable } from './accounts.datatable.ts'
import { removeAccountObjects } from './remove-objects.job.ts'

async function found(tx: WriteContext, ids: readonly string[], from: 'live' | 'only'): Promise<string[]> {
  const seen = await visibleIds(tx, accountDatatable, ids, from)
  if (seen.length !== new Set(ids).size) throw notFound('One of the accounts was')
  // In one order for everybody: two people with the same accounts wait for each other in turn, never crosswise.
  return seen.sort()
}

export async function trashAccounts(ctx: Context, ids: readonly string[]): Promise<void> {
  await transact(ctx, async (tx) => {
    for (const id of await found(tx, ids, 'live')) {
      const trashed = await tx.db
        .updateTable('accounts')
        .set({ deleted_at: tx.clock.now() })
        .where('id', '=', id)
        .where('deleted_at', 'is', null)
        .executeTakeFirst()
      if (trashed.numUpdatedRows === 0n) continue // somebody else was faster, and their line stands in the history
      await recordActivity(tx, { model: 'accounts', modelId: id, accountId: id, class: 'deleted', message: '{user} deleted this account' })
      emit(tx, { model: 'accounts', id, inAccount: id })
    }
  })
}

export async function restoreAccounts(ctx: Context, ids: readonly string[]): Promise<void> {
  await transact(ctx, async (tx) => {
    for (const id of await found(tx, ids, 'only')) {
      await tx.db.updateTable('accounts').set({ deleted_at: null }).where('id', '=', id).execute()
      await recordActivity(tx, {
        model: 'accounts',
        modelId: id,
        accountId: id,
        class: 'restored',
        message: '{user} restored this account',
      })
      emit(tx, { model: 'accounts', id, inAccount: id })
    }
  })
}

/** For ever: properties, documents and history go with the account; stored objects are removed once nothing points at them. */
export async function destroyAccounts(ctx: Context, ids: readonly string[]): Promise<void> {
  await transact(ctx, async (tx) => {
    const gone = await found(tx, ids, 'only')
    await requireOwnAccounts(tx.db, tx.viewer, gone)
    for (const id of gone) {
      const { rows } = await readers(tx, id)
      emit(tx, { model: 'accounts', id, for: rows })
      await enqueue(tx, removeAccountObjects, { account_id: id })
    }
    await tx.db.deleteFrom('activities').where('account_id', 'in', gone).execute()
    await tx.db.deleteFrom('search_entries').where('account_id', 'in', gone).execute()
    await tx.db.deleteFrom('accounts').where('id', 'in', gone).execute()
  })
}

async function readers(tx: WriteContext, id: string): Promise<{ rows: string[] }> {
  const rows = await tx.db.selectFrom('account_access').select('principal_id').where('account_id', '=', id).execute()
  return { rows: rows.map(({ principal_id }) => principal_id) }
}

import { userRules } from '#server/access/users.ts'
import type { Context, WriteContext } from '#server/engines/context.ts'
import { visibleIds } from '#server/engines/datatable/index-list.ts'
import { record } from '#server/engines/transaction/record.ts'
import { transact } from '#server/engines/transaction/transact.ts'
import { conflict, forbidden } from '#server/kernel/errors.ts'
import { endSessions } from '../session/session.commands.ts'
import { emitUser } from './users.commands.ts'
import { userDatatable } from './users.datatable.ts'
import { loadUsers, type UserRecord } from './users.queries.ts'

/** Into the trash: whoever is signed in is out at once. */
export async function trashUsers(ctx: Context, ids: readonly string[]): Promise<void> {
  await each(ctx, ids, 'live', async (tx, user) => {
    await tx.db.updateTable('users').set({ deleted_at: tx.clock.now() }).where('id', '=', user.id).execute()
    await endSessions(tx, user.id)
    await record(tx, { model: 'users', modelId: user.id, class: 'deleted', message: '{user} deleted this user' })
  })
}

export async function restoreUsers(ctx: Context, ids: readonly string[]): Promise<void> {
  await each(ctx, ids, 'only', async (tx, user) => {
    const home = await tx.db
      .selectFrom('companies')
      .select('id')
      .where('id', '=', user.company_id)
      .where('deleted_at', 'is', null)
      .executeTakeFirst()
    if (home === undefined) throw conflict(`${user.company_name} is in the trash. Please restore the company first.`)
    const taken = await tx.db
      .selectFrom('users')
      .select('id')
      .where('email', '=', user.email)
      .where('deleted_at', 'is', null)
      .executeTakeFirst()
    if (taken !== undefined) throw conflict(`${user.email} is used by another user now. Change that address first.`)
    await tx.db.updateTable('users').set({ deleted_at: null }).where('id', '=', user.id).execute()
    await record(tx, { model: 'users', modelId: user.id, class: 'restored', message: '{user} restored this user' })
  })
}

/** For ever: what they made stays, in nobody's name but the one their activity lines carry. */
export async function destroyUsers(ctx: Context, ids: readonly string[]): Promise<void> {
  await each(ctx, ids, 'only', async (tx, { id }) => {
    for (const table of ['accounts', 'account_files', 'imports'] as const)
      await tx.db.updateTable(table).set({ created_by: null }).where('created_by', '=', id).execute()
    await tx.db.updateTable('discrepancies').set({ assigned_to: null }).where('assigned_to', '=', id).execute()
    await tx.db.updateTable('discrepancies').set({ decided_by: null }).where('decided_by', '=', id).execute()
    await tx.db.deleteFrom('users').where('id', '=', id).execute()
  })
}

async function each(
  ctx: Context,
  ids: readonly string[],
  from: 'live' | 'only',
  work: (tx: WriteContext, user: UserRecord) => Promise<void>,
): Promise<void> {
  await transact(ctx, async (tx) => {
    const seen = await visibleIds(tx, userDatatable, ids, from)
    if (seen.length !== new Set(ids).size) throw conflict('One of the users is not there any more. Please reload the list.')
    for (const user of await loadUsers(tx, seen)) {
      if (!userRules(tx.viewer, user).delete) throw forbidden('You cannot delete or restore yourself or somebody who may do more than you.')
      await work(tx, user)
      emitUser(tx, user.id, [user.company_id])
    }
  })
}

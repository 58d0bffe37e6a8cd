import { sql } from 'kysely'
import { userRules } from '#server/access/users.ts'
import { viewerId } from '#server/access/viewer.ts'
import type { Context } from '#server/engines/context.ts'
import { changedMessage, requireUnchanged, type Changed, type Versions } from '#server/engines/datatable/changed.ts'
import { idIn } from '#server/engines/record/define-record.ts'
import { lockRecords } from '#server/engines/record/save-record.ts'
import { changingRights } from '#server/engines/session/authenticate.ts'
import { recordActivity } from '#server/engines/transaction/activity.ts'
import { emit } from '#server/engines/transaction/changes.ts'
import { transact } from '#server/engines/transaction/transact.ts'
import { forbidden } from '#server/kernel/errors.ts'
import { endAccess } from '../session/password.commands.ts'
import { loadUsers } from './users.queries.ts'

/**
 * Deactivates users, which ends their sessions and password links, or reactivates them. Users who are in that state already stay as they
 * are. Throws `forbidden` if the viewer cannot change one of them, and `conflict` if the last administrator would be deactivated.
 */
export const setDeactivated = (ctx: Context, ids: readonly string[], deactivated: boolean, versions?: Versions): Promise<Changed> =>
  transact(ctx, (tx) =>
    changingRights(tx, async () => {
      await lockRecords(tx, 'users', ids)
      const users = await loadUsers(tx, idIn('users', ids))
      if (deactivated && ids.includes(viewerId(tx.viewer) ?? ''))
        throw forbidden('You cannot deactivate yourself. Ask another administrator.')
      if (!users.every((user) => userRules(tx.viewer, user).update))
        throw forbidden('One of these users is in the trash or has more permissions than you.')
      requireUnchanged('users', users, versions)
      const changed = users.filter(({ deactivated_at }) => (deactivated_at !== null) !== deactivated)
      const now = tx.clock.now()
      const columns = { deactivated_at: deactivated ? now : null, updated_at: now, version: sql<number>`version + 1` }
      for (const { id, company_id } of changed) {
        await tx.db.updateTable('users').set(columns).where('id', '=', id).execute()
        if (deactivated) await endAccess(tx, id)
        await recordActivity(tx, { model: 'users', modelId: id, class: 'updated', message: `{user} ${verb(deactivated)} this user` })
        emit(tx, { model: 'users', id, for: [company_id, id] })
      }
      return {
        changed: changed.map(({ id, version }) => ({ id, version: version + 1 })),
        message: changedMessage('users', changed.length, users.length, verb(deactivated), deactivated ? 'deactivated' : 'active'),
      }
    }),
  )

const verb = (deactivated: boolean): string => (deactivated ? 'deactivated' : 'reactivated')

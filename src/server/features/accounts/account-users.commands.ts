import { ownsAccount } from '#server/access/accounts.ts'
import { visibleUsers } from '#server/access/users.ts'
import { can } from '#server/access/viewer.ts'
import type { WriteContext } from '#server/engines/context.ts'
import { forbidden, invalid } from '#server/kernel/errors.ts'
import type { AccountRecord } from './accounts.queries.ts'

/** The fields of a save that decide who has access to an account; one that is undefined was not sent. */
interface AccessFields {
  users?: readonly string[] | undefined
  sharing_enabled?: boolean | undefined
  broker_company_id?: string | null | undefined
  broker_name?: string | null | undefined
  carrier_company_id?: string | null | undefined
  carrier_name?: string | null | undefined
}

/** Throws `forbidden` for a change of who has access by a viewer of another company than the owner's. Unchanged values can be sent. */
export async function requireAccessChanges({ db, viewer }: WriteContext, before: AccountRecord, input: AccessFields): Promise<void> {
  const changesSharing = input.sharing_enabled !== undefined && input.sharing_enabled !== before.sharing_enabled
  if (changesSharing && !can(viewer, 'update_account_sharing')) throw forbidden('You cannot change whether this account is shared.')
  if (ownsAccount(viewer, before)) return
  const changesParty = (['broker', 'carrier'] as const).some((party) => {
    const [id, name] = [input[`${party}_company_id`], input[`${party}_name`]]
    const heldName = before[`${party}_company_id`] === null ? before[`${party}_name`] : null
    return (id !== undefined && id !== before[`${party}_company_id`]) || (name !== undefined && (name || null) !== (heldName || null))
  })
  if (changesSharing || changesParty || (input.users !== undefined && (await changesUsers(db, before.id, input.users))))
    throw forbidden("Only the account's company can change its broker, carrier, users and sharing.")
}

async function changesUsers(db: WriteContext['db'], accountId: string, sent: readonly string[]): Promise<boolean> {
  const { added, removed } = await compareUsers(db, accountId, sent)
  return added.length + removed.length > 0
}

async function compareUsers(db: WriteContext['db'], accountId: string, sent: readonly string[]) {
  const held = await db.selectFrom('account_users').select('user_id').where('account_id', '=', accountId).execute()
  const [before, after] = [new Set(held.map(({ user_id }) => user_id)), new Set(sent)]
  return { removed: [...before].filter((id) => !after.has(id)), added: [...after].filter((id) => !before.has(id)) }
}

/**
 * Gives these users access to the account and withdraws it from all others. Users who have it already need not be visible to the viewer:
 * a broker withdraws the access of one user of another company without that of the others. Throws `invalid` for added users that the
 * viewer does not see.
 */
export async function setAccountUsers({ db, viewer }: WriteContext, accountId: string, sent: readonly string[]): Promise<void> {
  const { removed, added } = await compareUsers(db, accountId, sent)
  if (removed.length > 0) await db.deleteFrom('account_users').where('account_id', '=', accountId).where('user_id', 'in', removed).execute()
  if (added.length === 0) return
  const live = db.selectFrom('users').select('id').where('id', 'in', added).where('deleted_at', 'is', null)
  const found = await live.where(visibleUsers(viewer)).execute()
  if (found.length !== added.length) throw invalid({ users: ['One of the users you added was not found. Choose users from the list.'] })
  await db
    .insertInto('account_users')
    .values(added.map((user_id) => ({ account_id: accountId, user_id })))
    .execute()
}

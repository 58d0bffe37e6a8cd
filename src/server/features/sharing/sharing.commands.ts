import { requireVisibleAccount } from '#server/access/require.ts'
import { ownsAccount } from '#server/access/accounts.ts'
import { viewerId } from '#server/access/viewer.ts'
import type { Context, WriteContext } from '#server/engines/context.ts'
import { newLinkToken } from '#server/engines/secrets/link-tokens.ts'
import { recordActivity } from '#server/engines/transaction/activity.ts'
import { emit } from '#server/engines/transaction/changes.ts'
import { transact } from '#server/engines/transaction/transact.ts'
import { conflict, forbidden } from '#server/kernel/errors.ts'
import { endGrant, endPeople } from '../guests/guest-sessions.commands.ts'

interface Shared {
  id: string
  company_id: string
}

/** The account, locked. Throws `notFound` unless the viewer sees it, `forbidden` for the account of another company. */
export async function requireSharing(tx: WriteContext, accountId: string) {
  const account = await requireVisibleAccount(tx.db, tx.viewer, accountId)
  if (!ownsAccount(tx.viewer, account)) throw forbidden("Only the account's company can share it.")
  const { sharing_enabled } = await tx.db
    .selectFrom('accounts')
    .select('sharing_enabled')
    .where('id', '=', accountId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow()
  return { ...account, sharing_enabled }
}

const defaultLink = ({ db }: WriteContext, accountId: string) =>
  db
    .selectFrom('account_grants')
    .select(['id', 'account_id', 'expires_at'])
    .where('account_id', '=', accountId)
    .where('kind', '=', 'default_link')
    .where('revoked_at', 'is', null)
    .executeTakeFirst()

async function addDefaultLink(tx: WriteContext, accountId: string): Promise<void> {
  await tx.db
    .insertInto('account_grants')
    .values({
      ...newLinkToken(tx.config.secretKey).columns,
      kind: 'default_link',
      account_id: accountId,
      created_by: viewerId(tx.viewer),
      created_at: tx.clock.now(),
    })
    .execute()
}

const record = (tx: WriteContext, accountId: string, message: string) =>
  recordActivity(tx, { model: 'accounts', modelId: accountId, accountId, class: 'shared', message })

/** After sharing was switched on or off: the link is made when sharing is enabled for the first time, and its visits end with sharing. */
export async function sharingChanged(tx: WriteContext, account: Shared, enabled: boolean): Promise<void> {
  const link = await defaultLink(tx, account.id)
  if (enabled && link === undefined) await addDefaultLink(tx, account.id)
  if (!enabled && link !== undefined) await endPeople(tx, link)
  await record(tx, account.id, enabled ? '{user} enabled sharing' : '{user} disabled sharing')
}

/** Replaces the share link. The old one, and everything that was opened by it, ends at once. */
export const replaceLink = (ctx: Context, accountId: string): Promise<void> =>
  transact(ctx, async (tx) => {
    const account = await requireSharing(tx, accountId)
    if (!account.sharing_enabled) throw conflict('Sharing of this account is disabled.')
    const link = await defaultLink(tx, accountId)
    if (link !== undefined) await endGrant(tx, link)
    await addDefaultLink(tx, accountId)
    await record(tx, accountId, '{user} created a new share link')
    emit(tx, { model: 'accounts', id: accountId, inAccount: accountId, isHidden: true })
  })

/** Ends all links and invitations of an account. */
export const endAllAccess = (ctx: Context, accountId: string): Promise<{ links: number; invitations: number }> =>
  transact(ctx, async (tx) => {
    await requireSharing(tx, accountId)
    const grants = await tx.db
      .selectFrom('account_grants')
      .select(['id', 'account_id', 'expires_at', 'kind'])
      .where('account_id', '=', accountId)
      .where('revoked_at', 'is', null)
      .orderBy('id')
      .execute()
    for (const grant of grants) await endGrant(tx, grant)
    await tx.db.updateTable('accounts').set({ sharing_enabled: false }).where('id', '=', accountId).execute()
    await record(tx, accountId, '{user} ended all links and invitations')
    emit(tx, { model: 'accounts', id: accountId, inAccount: accountId, isHidden: true })
    const invitations = grants.filter(({ kind }) => kind === 'invite').length
    return { links: grants.filter(({ kind }) => kind === 'default_link' || kind === 'link').length, invitations }
  })

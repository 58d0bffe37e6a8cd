import { sql, type SqlBool } from 'kysely'
import { formatDate } from '#contract/format.ts'
import { INVITE_DAYS } from '#contract/guest-limits.ts'
import { DAY_MS } from '#contract/limits.ts'
import { visibleInvites } from '#server/access/grants.ts'
import { timezoneOf } from '#server/access/viewer.ts'
import type { Context, WriteContext } from '#server/engines/context.ts'
import { idIn } from '#server/engines/record/define-record.ts'
import { recordActivity } from '#server/engines/transaction/activity.ts'
import { transact } from '#server/engines/transaction/transact.ts'
import { changedGrant } from '#server/engines/visits/record-visit.ts'
import { conflict, notFound } from '#server/kernel/errors.ts'
import { endGrant } from '../guests/guest-sessions.commands.ts'
import { DEACTIVATED, expiredText } from './invite.commands.ts'
import { isDeactivated, isExpired, loadInvites, type InviteRecord } from './invites.queries.ts'

/** Extends invitations to INVITE_DAYS from now, never to an earlier day than before. */
export const extendInvites = (ctx: Context, ids: readonly string[]): Promise<string> =>
  change(ctx, ids, async (tx, invite) => {
    requireOpen(invite)
    const wanted = new Date(tx.clock.now().getTime() + INVITE_DAYS * DAY_MS)
    const expires_at = invite.expires_at === null || invite.expires_at > wanted ? invite.expires_at : wanted
    await setEnd(tx, invite, expires_at)
    await record(tx, invite, 'extended the invitation of')
    const end = expires_at === null ? undefined : formatDate(expires_at.toISOString(), timezoneOf(tx.viewer))
    return { one: end === undefined ? 'The invitation does not expire.' : `The invitation was extended to ${end}.`, many: 'extended' }
  })

export const makeInvitesPermanent = (ctx: Context, ids: readonly string[]): Promise<string> =>
  change(ctx, ids, async (tx, invite) => {
    requireOpen(invite)
    await setEnd(tx, invite, null)
    await record(tx, invite, 'made permanent the invitation of')
    return { one: 'The invitation no longer expires.', many: 'made permanent' }
  })

export const revokeInvites = (ctx: Context, ids: readonly string[]): Promise<string> =>
  change(ctx, ids, async (tx, invite) => {
    await endGrant(tx, invite)
    await record(tx, invite, 'revoked the invitation of')
    return { one: 'The invitation was revoked.', many: 'revoked' }
  })

/** Throws `conflict` for an invitation that opens nothing, however long it lasts. */
function requireOpen(invite: InviteRecord): void {
  if (isDeactivated(invite)) throw conflict(DEACTIVATED)
}

type Made = { one: string; many: string }

/** Changes all of these invitations or none. Throws `notFound` for one that is not visible, `conflict` for one that has expired. */
async function change(
  ctx: Context,
  ids: readonly string[],
  work: (tx: WriteContext, invite: InviteRecord) => Promise<Made>,
): Promise<string> {
  return transact(ctx, async (tx) => {
    await sql`SELECT id FROM account_grants WHERE ${idIn('account_grants', ids)} ORDER BY id FOR UPDATE`.execute(tx.db)
    const invites = await loadInvites(tx, sql<SqlBool>`${idIn('account_grants', ids)} AND ${visibleInvites(tx.viewer)}`)
    if (invites.length < new Set(ids).size) throw notFound('Invitation')
    const expired = invites.find((invite) => isExpired(tx, invite))
    if (expired !== undefined) throw conflict(expiredText(expired))
    let made: Made = { one: '', many: '' }
    for (const invite of invites) made = await work(tx, invite)
    return invites.length === 1 ? made.one : `${invites.length} invitations were ${made.many}.`
  })
}

async function setEnd(tx: WriteContext, invite: InviteRecord, expires_at: Date | null): Promise<void> {
  const columns = { expires_at, updated_at: tx.clock.now(), expiry_warned_at: null }
  await tx.db.updateTable('account_grants').set(columns).where('id', '=', invite.id).execute()
  changedGrant(tx, invite)
}

const record = (tx: WriteContext, { id, account_id, email }: InviteRecord, done: string) =>
  recordActivity(tx, { model: 'account_invites', modelId: id, accountId: account_id, class: 'invited', message: `{user} ${done} ${email}` })

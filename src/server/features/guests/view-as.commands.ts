import { PREVIEW_SESSION_MS } from '#contract/guest-limits.ts'
import { ownsAccount } from '#server/access/accounts.ts'
import { requireVisibleAccount } from '#server/access/require.ts'
import { familyOf, viewerId } from '#server/access/viewer.ts'
import type { Context, WriteContext } from '#server/engines/context.ts'
import type { Caller } from '#server/engines/http/answer.ts'
import { transact } from '#server/engines/transaction/transact.ts'
import { forbidden, notFound, unauthenticated } from '#server/kernel/errors.ts'
import { inviteRoles } from '../account-invites/invite-roles.commands.ts'
import { addGuest, asGuest, openGuestSession, systemRole, VISITOR, type Grant } from './guest-sessions.commands.ts'

interface Shown {
  grant_id?: string | undefined
  role?: string | undefined
}

/**
 * Opens a session in which the viewer sees the account exactly as an invited person, a visitor of a link or a person with a role does. Nothing
 * can be changed in it, no visit is recorded, and it ends with the viewer's sign-in.
 */
export async function viewAs(ctx: Context, accountId: string, { grant_id: grantId, role }: Shown, caller: Caller) {
  const account = await requireVisibleAccount(ctx.db, ctx.viewer, accountId)
  if (!ownsAccount(ctx.viewer, account)) throw forbidden()
  return transact(ctx, async (tx) => {
    const { grant, userId } =
      grantId === undefined ? await personWithRole(tx, accountId, role ?? '') : await personOf(tx, accountId, grantId)
    const { viewer } = await asGuest(tx, userId)
    const { token } = await openGuestSession(tx, userId, { grant, kind: 'preview', caller, openedIn: familyOf(tx.viewer) })
    return { token, account_id: accountId, name: viewer.fullName }
  })
}

/** The invited person, or a new visitor of a link. */
async function personOf(tx: WriteContext, accountId: string, grantId: string): Promise<{ grant: Grant; userId: string }> {
  const grant = await tx.db
    .selectFrom('account_grants')
    .select(['id', 'account_id', 'expires_at', 'kind'])
    .where('id', '=', grantId)
    .where('account_id', '=', accountId)
    .where('revoked_at', 'is', null)
    .where('kind', '<>', 'preview')
    .executeTakeFirst()
  if (grant === undefined || (grant.expires_at !== null && grant.expires_at <= tx.clock.now())) throw notFound('Invitation or link')
  if (grant.kind !== 'invite')
    return { grant, userId: await addGuest(tx, grant, { ...VISITOR, roleId: await systemRole(tx, 'share_guest') }) }
  const invited = tx.db.selectFrom('users').select('id').where('grant_id', '=', grant.id).where('deleted_at', 'is', null)
  return { grant, userId: (await invited.executeTakeFirstOrThrow()).id }
}

async function personWithRole(tx: WriteContext, accountId: string, name: string): Promise<{ grant: Grant; userId: string }> {
  const by = viewerId(tx.viewer)
  if (by === null) throw unauthenticated()
  const role = (await inviteRoles(tx)).find((one) => one.name === name)
  if (name !== 'share_guest' && role === undefined) throw notFound('Role')
  const grant = await tx.db
    .insertInto('account_grants')
    .values({
      kind: 'preview',
      account_id: accountId,
      created_by: by,
      created_at: tx.clock.now(),
      expires_at: new Date(tx.clock.now().getTime() + PREVIEW_SESSION_MS),
    })
    .returning(['id', 'account_id', 'expires_at'])
    .executeTakeFirstOrThrow()
  const person =
    role === undefined
      ? { ...VISITOR, roleId: await systemRole(tx, 'share_guest') }
      : { kind: 'guest' as const, email: '', firstName: 'A person', lastName: `with the role “${role.label}”`, roleId: role.id }
  return { grant, userId: await addGuest(tx, grant, person) }
}

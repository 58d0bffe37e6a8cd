import type { inviteCalls, OwnInvite } from '#contract/account-invites.ts'
import { formatDate } from '#contract/format.ts'
import { WRONG_LINKS_PER_NETWORK, WRONG_LINKS_WINDOW_MS } from '#contract/guest-limits.ts'
import type { DataIn } from '#contract/route.ts'
import { familyOf, viewerId, type SignedIn } from '#server/access/viewer.ts'
import type { Context } from '#server/engines/context.ts'
import type { Caller } from '#server/engines/http/answer.ts'
import { notify } from '#server/engines/notification/notify.ts'
import { countAttempt, networkOf } from '#server/engines/secrets/limiter.ts'
import { hashToken, signedIn } from '#server/engines/session/authenticate.ts'
import { recordActivity } from '#server/engines/transaction/activity.ts'
import { transact } from '#server/engines/transaction/transact.ts'
import { conflict, forbidden, notFound, AppError } from '#server/kernel/errors.ts'
import { logoUrl } from '../companies/logos.commands.ts'
import { deadlineOf } from '../guests/deadline.commands.ts'
import { asGuest, openGuestSession, ownSignIn } from '../guests/guest-sessions.commands.ts'
import type { Pair } from '../session/session.commands.ts'
import { FORMER_USER, invitesOf, inviteWithToken, isDeactivated, isExpired, roleLabel, type InviteRecord } from './invites.queries.ts'

const NO_LONGER_VALID = 'This invitation is no longer valid.'

/** The invitation of a link. Throws what the page of the link shows, and `throttled` after many wrong links from one network. */
async function inviteOfLink(ctx: Context, token: string, caller: Caller): Promise<InviteRecord> {
  const invite = await inviteWithToken(ctx, hashToken(token))
  if (invite === undefined) {
    const limit = { key: `wrong links ${networkOf(caller.address)}`, points: WRONG_LINKS_PER_NETWORK, perMs: WRONG_LINKS_WINDOW_MS }
    await countAttempt(ctx, limit, 'Too many attempts.')
    throw new AppError('not_found', 'This invitation link is not right. Open the link in your email again, or ask for a new one.')
  }
  requireOpen(ctx, invite)
  return invite
}

function requireOpen(ctx: Context, invite: InviteRecord): void {
  const { revoked_at, account_deleted_at, company_deleted_at, expires_at } = invite
  if ([revoked_at, account_deleted_at, company_deleted_at].some((at) => at !== null) || isDeactivated(invite))
    throw forbidden(NO_LONGER_VALID)
  if (expires_at !== null && isExpired(ctx, invite))
    throw forbidden(
      `This invitation expired on ${formatDate(expires_at.toISOString(), invite.timezone)}. Ask ${invite.sender_name ?? invite.account_company_name} for a new one.`,
    )
}

/** The person, or the company once the person left it. */
const senderOf = ({ sender_name: name, sender_deleted_at: left, account_company_name: company }: InviteRecord): string =>
  left === null && name !== null ? name : company

/** What the page of a link shows before anything is opened. */
export async function lookAtInvite(ctx: Context, token: string, caller: Caller): Promise<DataIn<typeof inviteCalls.look>> {
  const invite = await inviteOfLink(ctx, token, caller)
  const other = otherPerson(ctx, invite)
  return {
    email: invite.email ?? '',
    account_name: invite.account_name,
    invited_by: senderOf(invite),
    company: invite.account_company_name,
    logo_url: logoUrl(invite.account_logo_id),
    expires_at: deadlineOf(invite.expires_at, invite.timezone),
    signed_in_as: other?.email ?? null,
  }
}

const isSame = (one: string, other: string | null) => one.toLowerCase() === other?.toLowerCase()

/** Who is signed in in this browser, if it is a person with another email than the invited one. */
function otherPerson({ viewer }: Context, { email }: InviteRecord): SignedIn | undefined {
  if (viewer.kind !== 'user' || viewer.via?.kind === 'share' || viewer.challenged) return undefined
  return isSame(viewer.email, email) ? undefined : viewer
}

type Accepted = { accountId: string; own: boolean; pair: Pair | undefined }

/**
 * Opens the account of an invitation. A user who is signed in with the same email keeps that session and finds the account among those they
 * were invited to. Throws `conflict` if another person is signed in, unless the session may be replaced.
 */
export async function acceptInvite(
  ctx: Context,
  input: { invite_id: string; replace?: boolean | undefined },
  caller: Caller,
): Promise<Accepted> {
  const invite = await inviteOfLink(ctx, input.invite_id, caller)
  const other = otherPerson(ctx, invite)
  if (other !== undefined && input.replace !== true)
    throw conflict(`You are signed in as ${other.email}. This invitation is for ${invite.email}.`, {
      email: invite.email,
      signed_in_as: other.email,
    })
  const { viewer } = ctx
  const own = viewer.kind === 'user' && !viewer.challenged && viewer.via === undefined && other === undefined
  const pair = await enter(ctx, invite, caller, { member: own ? signedIn(ctx) : undefined })
  return { accountId: invite.account_id, own, pair }
}

/** Records the first visit as the acceptance, and opens a session unless it is accepted by a member, whose session goes on. */
async function enter(
  ctx: Context,
  invite: InviteRecord,
  caller: Caller,
  { member, enteredIn }: { member?: SignedIn | undefined; enteredIn?: string | undefined },
): Promise<Pair | undefined> {
  return transact(ctx, async (tx) => {
    const now = tx.clock.now()
    const first = await tx.db
      .updateTable('account_grants')
      .set({ accepted_at: now })
      .where('id', '=', invite.id)
      .where('accepted_at', 'is', null)
      .where('revoked_at', 'is', null)
      .executeTakeFirst()
    const guest = await asGuest(tx, invite.user_id)
    if (first.numUpdatedRows > 0n) {
      const message = `${invite.email} accepted the invitation`
      await recordActivity(guest, { model: 'account_invites', modelId: invite.id, accountId: invite.account_id, class: 'invited', message })
      await notify(guest, [invite.created_by], {
        kind: 'invite_accepted',
        accountId: invite.account_id,
        message: `${invite.email} accepted your invitation to ${invite.account_name}`,
      })
    }
    if (member !== undefined) {
      await tx.db.updateTable('account_grants').set({ member_id: member.userId }).where('id', '=', invite.id).execute()
      return undefined
    }
    return openGuestSession(tx, invite.user_id, {
      grant: invite,
      kind: 'invite',
      caller,
      openedIn: ownSignIn(tx.viewer, invite.account_company_id),
      enteredIn,
    })
  })
}

/** Opens an account among those to which the viewer was invited, in a session of its own that ends with the sign-in. Throws `notFound` for an invitation of others. */
export async function enterInvite(ctx: Context, id: string, caller: Caller): Promise<{ accountId: string; pair: Pair }> {
  const invite = await findOwnInvite(ctx, id)
  const pair = await enter(ctx, invite, caller, { enteredIn: familyOf(ctx.viewer) })
  if (pair === undefined) throw notFound('Invitation')
  return { accountId: invite.account_id, pair }
}

export async function findOwnInvite(ctx: Context, id: string): Promise<InviteRecord> {
  const invite = (await ownInvites(ctx)).find((one) => one.id === id)
  if (invite === undefined) throw notFound('Invitation')
  return invite
}

/** Live invitations that the viewer has accepted. */
async function ownInvites(ctx: Context): Promise<InviteRecord[]> {
  const invites = await invitesOf(ctx, signedIn(ctx).userId)
  return invites.filter((invite) => !isExpired(ctx, invite) && invite.account_deleted_at === null && invite.company_deleted_at === null)
}

export async function invitedAccounts(ctx: Context): Promise<OwnInvite[]> {
  if (viewerId(ctx.viewer) === null) return []
  const invites = await ownInvites(ctx)
  return invites.map((invite) => ({
    id: invite.id,
    account_id: invite.account_id,
    account_name: invite.account_name,
    company: invite.account_company_name,
    invited_by: invite.sender_name ?? FORMER_USER,
    role_label: roleLabel(invite),
    expires_at: deadlineOf(invite.expires_at, invite.timezone),
  }))
}

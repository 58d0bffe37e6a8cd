import { sql, type SqlBool } from 'kysely'
import type { InviteInput } from '#contract/account-invites.ts'
import { formatDate } from '#contract/format.ts'
import { inviteAddress } from '#contract/guests.ts'
import { INVITES_PER_HOUR, INVITE_DAYS, INVITE_MAILS_PER_HOUR, MAILS_PER_INVITE_AND_HOUR } from '#contract/guest-limits.ts'
import { DAY_MS, HOUR_MS } from '#contract/limits.ts'
import { mayInvite } from '#server/access/grants.ts'
import { findVisibleCompany, requireVisibleAccount } from '#server/access/require.ts'
import { visibleUsers } from '#server/access/users.ts'
import type { SignedIn } from '#server/access/viewer.ts'
import type { Context, WriteContext } from '#server/engines/context.ts'
import { enqueueMail } from '#server/engines/mail/send-mail.job.ts'
import { countAttempt } from '#server/engines/secrets/limiter.ts'
import { newLinkToken } from '#server/engines/secrets/link-tokens.ts'
import { hashToken, requireCurrentRights, signedIn } from '#server/engines/session/authenticate.ts'
import { recordActivity } from '#server/engines/transaction/activity.ts'
import { transact } from '#server/engines/transaction/transact.ts'
import { changedGrant } from '#server/engines/visits/record-visit.ts'
import { conflict, forbidden, invalid, notFound } from '#server/kernel/errors.ts'
import { isUuid } from '#server/kernel/uuid.ts'
import { addGuest, endGrant } from '../guests/guest-sessions.commands.ts'
import { inviteRoles } from './invite-roles.commands.ts'
import {
  findInvite,
  inviteWithToken,
  isDeactivated,
  isExpired,
  loadInvites,
  personName,
  tokenOf,
  type InviteRecord,
} from './invites.queries.ts'

interface Person {
  email: string
  first_name: string
  last_name: string
  company: string
  company_id: string | null
}

/** Invites a person to an account. The link is shown to the sender; it is mailed by `sendInvite` alone. */
export async function createInvite(ctx: Context, input: InviteInput): Promise<InviteRecord> {
  const viewer = signedIn(ctx)
  const account = await requireInvitable(ctx, input.account_id)
  const person = await personOf(ctx, input)
  const roles = await inviteRoles(ctx)
  const role = roles.find(({ id, name }) => name === input.role || id === input.role)
  if (!input.role) throw invalid({ role: ['Please choose what this person may do.'] })
  if (role === undefined) throw invalid({ role: ['You can only give permissions that you have yourself.'] })
  await requireOutside(ctx, viewer, account, person.email)
  await countAttempt(ctx, { key: `invites ${viewer.userId}`, points: INVITES_PER_HOUR, perMs: HOUR_MS }, 'You have sent many invitations.')
  return transact(ctx, async (tx) => {
    await requireCurrentRights(tx)
    await requireLiveRole(tx, role.id)
    await replaceExpired(tx, account.id, person.email)
    const grant = await insertInvite(tx, account.id, person)
    await addGuest(tx, grant, {
      kind: 'guest',
      email: person.email,
      firstName: person.first_name || person.email,
      lastName: person.first_name || person.last_name ? person.last_name : '(guest)',
      roleId: role.id,
    })
    await recordActivity(tx, {
      model: 'account_invites',
      modelId: grant.id,
      accountId: account.id,
      class: 'invited',
      message: `{user} invited ${person.email}`,
    })
    changedGrant(tx, grant)
    return findInvite(tx, grant.id)
  })
}

/** Waits for a user who deletes the role at the same moment. */
async function requireLiveRole({ db }: WriteContext, roleId: string): Promise<void> {
  const role = await db
    .selectFrom('roles')
    .select('id')
    .where('id', '=', roleId)
    .where('deleted_at', 'is', null)
    .forShare()
    .executeTakeFirst()
  if (role === undefined) throw invalid({ role: ['This role was deleted. Choose another one.'] })
}

/** The account. Throws `notFound` unless the viewer sees it, `forbidden` unless the viewer decides who sees it, `conflict` without a subscription. */
async function requireInvitable(ctx: Context, accountId: string) {
  const { db, viewer, clock } = ctx
  await requireVisibleAccount(db, viewer, accountId)
  const account = await db
    .selectFrom('accounts')
    .innerJoin('companies', 'companies.id', 'accounts.company_id')
    .select(['accounts.id', 'accounts.company_id', 'accounts.type', 'accounts.created_by', 'companies.name as company_name'])
    .select(
      sql<boolean>`EXISTS (SELECT 1 FROM company_subscriptions x JOIN subscriptions s ON s.id = x.subscription_id
        WHERE x.company_id = accounts.company_id AND s.deleted_at IS NULL
          AND x.created_at + make_interval(months => x.term_months) > ${clock.now()})`.as('subscribed'),
    )
    .where('accounts.id', '=', accountId)
    .executeTakeFirst()
  if (account === undefined) throw notFound('Account')
  if (!mayInvite(viewer, account)) throw forbidden("Only the account's company can invite people to it.")
  if (!account.subscribed) throw conflict('Your company does not have a valid Subscription.')
  return account
}

/** The invited person, from the input or from a user that the viewer sees. */
async function personOf({ db, viewer }: Context, input: InviteInput): Promise<Person> {
  const chosen = input.company_id ? await findVisibleCompany(db, viewer, input.company_id) : undefined
  const company = input.company_id ? (chosen?.name ?? '') : (input.company ?? '')
  const named = { first_name: input.first_name ?? '', last_name: input.last_name ?? '', company, company_id: chosen?.id ?? null }
  if (!input.user_id) return { ...named, email: input.email ?? '' }
  const user = await db
    .selectFrom('users')
    .innerJoin('companies', 'companies.id', 'users.company_id')
    .select(['users.email', 'users.first_name', 'users.last_name', 'companies.name as company', 'companies.id as company_id'])
    .where('users.id', '=', input.user_id)
    .where('users.deleted_at', 'is', null)
    .where(visibleUsers(viewer))
    .executeTakeFirst()
  if (user === undefined) throw invalid({ user_id: ['This user was not found. Choose a user from the list.'] })
  return user
}

/** The answer is the same whether or not the email has a user in another company. */
async function requireOutside({ db }: Context, viewer: SignedIn, account: { company_id: string; company_name: string }, email: string) {
  if (email.toLowerCase() === viewer.email.toLowerCase()) throw invalid({ email: ['This is your own email.'] })
  const member = await db
    .selectFrom('users')
    .select('id')
    .where('email', '=', email)
    .where('kind', '=', 'member')
    .where('deleted_at', 'is', null)
    .where('company_id', '=', account.company_id)
    .where(visibleUsers(viewer))
    .executeTakeFirst()
  if (member !== undefined) throw invalid({ email: [`${email} has access already, as a user of ${account.company_name}.`] })
}

/** An expired invitation of the same person gives way to the new one. */
async function replaceExpired(tx: WriteContext, accountId: string, email: string): Promise<void> {
  const expired = await tx.db
    .selectFrom('account_grants')
    .select(['id', 'account_id', 'expires_at'])
    .where('account_id', '=', accountId)
    .where('kind', '=', 'invite')
    .where('email', '=', email)
    .where('revoked_at', 'is', null)
    .where('expires_at', '<=', tx.clock.now())
    .execute()
  for (const grant of expired) await endGrant(tx, grant)
}

async function insertInvite(tx: WriteContext, accountId: string, person: Person) {
  const now = tx.clock.now()
  const grant = await tx.db
    .insertInto('account_grants')
    .values({
      ...newLinkToken(tx.config.secretKey).columns,
      kind: 'invite',
      account_id: accountId,
      email: person.email,
      first_name: person.first_name,
      last_name: person.last_name,
      company_name: person.company,
      invited_company_id: person.company_id,
      created_by: signedIn(tx).userId,
      created_at: now,
      updated_at: now,
      expires_at: new Date(now.getTime() + INVITE_DAYS * DAY_MS),
    })
    .onConflict((on) => on.doNothing())
    .returning(['id', 'account_id', 'expires_at'])
    .executeTakeFirst()
  if (grant === undefined) throw conflict(await liveText(tx, accountId, person.email))
  return grant
}

/** What to do about the invitation that the person has already. */
async function liveText(tx: WriteContext, accountId: string, email: string): Promise<string> {
  const theirs = sql<SqlBool>`account_grants.account_id = ${accountId} AND account_grants.email = ${email}`
  const invites = await loadInvites(tx, theirs)
  return invites.some(isDeactivated) ? DEACTIVATED : `${email} has a live invitation to this account. Extend it instead.`
}

export const DEACTIVATED = 'This person was deactivated since the invitation. Revoke it, and invite them again if they may see the account.'

/** Mails an invitation, by the id of its record or by the secret in its link. Returns the message to its sender. */
export async function sendInvite(ctx: Context, idOrToken: string): Promise<string> {
  const byToken = isUuid(idOrToken) ? undefined : await inviteWithToken(ctx, hashToken(idOrToken))
  const invite = await findInvite(ctx, byToken?.id ?? (isUuid(idOrToken) ? idOrToken : NO_INVITE))
  if (isExpired(ctx, invite)) throw conflict(expiredText(invite))
  if (isDeactivated(invite)) throw conflict(DEACTIVATED)
  const viewer = signedIn(ctx)
  const limits = [
    { key: `invitation mails ${viewer.userId}`, points: INVITE_MAILS_PER_HOUR, perMs: HOUR_MS },
    { key: `invitation mails of ${invite.id}`, points: MAILS_PER_INVITE_AND_HOUR, perMs: HOUR_MS },
  ]
  for (const limit of limits) await countAttempt(ctx, limit, 'This invitation was mailed often in the last hour.')
  await transact(ctx, async (tx) => {
    await mailInvite(tx, viewer, invite)
  })
  return `The invitation is on its way to ${invite.email}.`
}

const NO_INVITE = '00000000-0000-0000-0000-000000000000'

export const expiredText = ({ email }: Pick<InviteRecord, 'email'>): string => `This invitation has expired. Invite ${email} again.`

async function mailInvite(tx: WriteContext, viewer: SignedIn, invite: InviteRecord): Promise<void> {
  const { account_name: account, expires_at: expiresAt, email } = invite
  const by = `${viewer.fullName} at ${viewer.companyName}`
  const now = tx.clock.now()
  const end = expiresAt === null ? '' : `The link works until ${formatDate(expiresAt.toISOString(), invite.timezone)}. `
  await enqueueMail(tx, {
    to: email ?? '',
    replyTo: viewer.email,
    key: `invitation ${invite.id} ${now.toISOString()}`,
    topic: `invitation ${invite.id}`,
    grantId: invite.id,
    ...(expiresAt === null ? {} : { validForMs: expiresAt.getTime() - now.getTime() }),
    subject: `${viewer.fullName} has invited you to ${account}`,
    preview: `${by} has invited you to ${account}.`,
    heading: `You are invited to ${account}`,
    paragraphs: [
      `${by} has invited ${personName(invite)} to the account ${account}.`,
      `${end}You need no password.`,
      'Do not pass the link on: it opens the account for you.',
    ],
    button: { label: 'Open the invitation', url: `${tx.config.appUrl}${inviteAddress(tokenOf(tx, invite))}` },
    reason: `You get this email because ${by} entered your email address. If you did not expect it, you can ignore it.`,
  })
}

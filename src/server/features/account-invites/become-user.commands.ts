import { sql } from 'kysely'
import { COMPANY_NAME_MAX, TIMEZONES } from '#contract/companies.ts'
import { DAY_MS, WELCOME_LINK_LIFE_MS } from '#contract/limits.ts'
import { SYSTEM } from '#server/access/viewer.ts'
import type { Context, WriteContext } from '#server/engines/context.ts'
import { createRecord } from '#server/engines/record/save-record.ts'
import { freeName } from '#server/engines/record/unique-name.ts'
import { addAttempt } from '#server/engines/secrets/limiter.ts'
import { signedIn } from '#server/engines/session/authenticate.ts'
import { transact } from '#server/engines/transaction/transact.ts'
import { forbidden, invalid } from '#server/kernel/errors.ts'
import { companyRecord } from '../companies/companies.record.ts'
import { systemRole } from '../guests/guest-sessions.commands.ts'
import { sendPasswordLink, welcomeLinks } from '../session/password.commands.ts'

interface Invited {
  id: string
  email: string
  first_name: string
  last_name: string
  company_name: string
  timezone: string
  member_id: string | null
}

/**
 * Mails a link with which the invited person sets a password. The link goes to the invited address, because the invitation may have been passed on
 * to another person. The person is then a user of a company of their own, with the invited accounts in a list.
 */
export async function mailPasswordLink(ctx: Context): Promise<string> {
  const { via } = signedIn(ctx)
  if (via?.kind !== 'invite') throw invalid({ password: ['You have a sign-in of your own. Change its password in your profile.'] })
  return transact(ctx, async (tx) => {
    const { rows } =
      await sql<Invited>`SELECT g.id, g.email::text AS email, g.first_name, g.last_name, g.company_name, c.timezone, g.member_id
      FROM account_grants g JOIN accounts a ON a.id = g.account_id JOIN companies c ON c.id = a.company_id
      WHERE g.id = ${via.grantId} FOR NO KEY UPDATE OF g`.execute(tx.db)
    const [invite] = rows
    if (invite === undefined) throw forbidden()
    const user = (await memberOf(tx, invite)) ?? (await addMember(tx, invite))
    await tx.db.updateTable('account_grants').set({ member_id: user.id }).where('id', '=', invite.id).execute()
    const { over } = await addAttempt(tx, welcomeLinks('invited', user.id))
    if (over === undefined) await mailLink(tx, user)
    return `A link to set a password is on its way to ${invite.email}.`
  })
}

/** A live user of the email who was this person before. Any other user of the email signs in and opens the link of the invitation. */
const memberOf = ({ db }: WriteContext, { member_id: id }: Invited) =>
  db
    .selectFrom('users')
    .select(['id', sql<string>`email::text`.as('email')])
    .where('id', '=', id)
    .where('kind', '=', 'member')
    .where('deleted_at', 'is', null)
    .where('deactivated_at', 'is', null)
    .executeTakeFirst()

async function addMember(tx: WriteContext, invite: Invited): Promise<{ id: string; email: string }> {
  const taken = await tx.db
    .selectFrom('users')
    .select('id')
    .where('email', '=', invite.email)
    .where('kind', '=', 'member')
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  if (taken !== undefined) throw forbidden('This email has a user already. Sign in, and open the link of the invitation again.')
  const { timezone } = invite
  const company = {
    name: await freeName(tx, companyRecord, { name: companyName(invite), max: COMPANY_NAME_MAX }),
    language: 'en',
    timezone: TIMEZONES.find((zone) => zone === timezone) ?? 'America/New_York',
  } as const
  const { id: companyId } = await createRecord({ ...tx, viewer: SYSTEM }, companyRecord, company)
  const { id } = await tx.db
    .insertInto('users')
    .values({
      company_id: companyId,
      email: invite.email,
      first_name: invite.first_name || invite.email,
      last_name: invite.last_name,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await tx.db
    .insertInto('user_roles')
    .values({ user_id: id, role_id: await systemRole(tx, 'client') })
    .execute()
  return { id, email: invite.email }
}

/**
 * Names the person, too, so that whether a company of the entered name or domain exists changes nothing. Many people have an email of the same
 * domain.
 */
function companyName({ company_name: entered, email, first_name, last_name }: Invited): string {
  const [mailbox = email, domain = email] = email.split('@')
  return `${`${first_name} ${last_name}`.trim() || mailbox} (${entered || domain})`
}

const mailLink = (tx: WriteContext, user: { id: string; email: string }): Promise<void> =>
  sendPasswordLink(tx, user, {
    kind: 'invited',
    lifeMs: WELCOME_LINK_LIFE_MS,
    label: 'Set your password',
    heading: `Your own sign-in for ${tx.config.product.name}`,
    paragraphs: [
      `Set a password to sign in to ${tx.config.product.name} without the link of your invitation. Your invited accounts are on your dashboard.`,
      `The link works once, for ${WELCOME_LINK_LIFE_MS / DAY_MS} days.`,
    ],
    reason: 'You get this email because a person who opened your invitation asked for it. If it was not you, you can ignore it.',
  })

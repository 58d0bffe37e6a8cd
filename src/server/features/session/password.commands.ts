import { RESET_MAILS_RESERVED, WELCOME_MAILS_PER_RECIPIENT } from '#contract/factor-limits.ts'
import {
  HOUR_MS,
  MINUTE_MS,
  RECOVERIES_PER_EMAIL_AND_HOUR,
  RECOVERIES_PER_NETWORK_AND_HOUR,
  RESET_MAILS_PER_HOUR,
  RESET_TOKEN_LIFE_MS,
} from '#contract/limits.ts'
import { RESET_LINK_INVALID } from '#contract/session.ts'
import type { Context, WriteContext } from '#server/engines/context.ts'
import type { Caller } from '#server/engines/http/answer.ts'
import { hashToken } from '#server/engines/session/authenticate.ts'
import { isFamiliar, provenAddress } from '#server/engines/secrets/familiar-address.ts'
import { enqueueMail } from '#server/engines/mail/send-mail.job.ts'
import { addAttempt, clearAttempts, countAttempt, networkOf, type Limit } from '#server/engines/secrets/limiter.ts'
import { passwordProblem } from '#server/engines/secrets/password-rules.ts'
import { hashPassword } from '#server/engines/secrets/passwords.ts'
import { newToken } from '#server/engines/secrets/tokens.ts'
import { transact } from '#server/engines/transaction/transact.ts'
import { conflict, invalid } from '#server/kernel/errors.ts'
import { companyWithOnlySso } from '../sso/providers.commands.ts'
import { mailFirstPassword, mailNotice } from './notices.commands.ts'
import { codeLimits } from './second-factor.commands.ts'
import { endSessions } from './session.commands.ts'

const TOO_MANY = 'Too many attempts.'

/**
 * Mails a link if a user has this address. The answer shows neither whether one does nor whether the recipient has had their mails of
 * this hour.
 */
export async function recoverPassword(ctx: Context, email: string, caller: Caller): Promise<void> {
  const network = networkOf(caller.address)
  const pair = { key: `recover ${email.toLowerCase()} ${network}`, points: RECOVERIES_PER_EMAIL_AND_HOUR, perMs: HOUR_MS }
  await countAttempt(ctx, pair, TOO_MANY)
  await countAttempt(ctx, { key: `recover ${network}`, points: RECOVERIES_PER_NETWORK_AND_HOUR, perMs: HOUR_MS }, TOO_MANY)
  await transact(ctx, async (tx) => {
    const user = await tx.db
      .selectFrom('users')
      .select(['id', 'email'])
      .where('email', '=', email)
      .where('kind', '=', 'member')
      .where('deactivated_at', 'is', null)
      .where('deleted_at', 'is', null)
      .executeTakeFirst()
    if (user === undefined) return
    const reserved = (await isFamiliar(tx, user.id, caller.address)) ? 0 : RESET_MAILS_RESERVED
    const limit = { key: `reset mails ${user.id}`, points: RESET_MAILS_PER_HOUR - reserved, perMs: HOUR_MS }
    if ((await addAttempt(tx, limit)).over !== undefined) return
    await sendPasswordLink(tx, user, {
      kind: 'reset',
      lifeMs: RESET_TOKEN_LIFE_MS,
      label: 'Set a new password',
      heading: 'Set a new password',
      paragraphs: [
        'A new password was requested for your account.',
        `The link works once, for ${RESET_TOKEN_LIFE_MS / MINUTE_MS} minutes after it was requested. A newer link replaces it.`,
      ],
      reason:
        'You get this email because someone asked for a new password for your email address. If it was not you, ignore this email; nothing was changed.',
    })
  })
}

/** Who requests a link to set a password: anyone who enters the email, an administrator, or a person with an invitation. */
type LinkKind = 'reset' | 'welcome' | 'invited'

/** A limit for each kind, so that requests of strangers don't prevent the mail of an administrator. */
export const welcomeLinks = (kind: Exclude<LinkKind, 'reset'>, userId: string): Limit => ({
  key: `${kind} links ${userId}`,
  points: WELCOME_MAILS_PER_RECIPIENT,
  perMs: HOUR_MS,
})

interface PasswordMail {
  kind: LinkKind
  lifeMs: number
  /** That of the button. */
  label: string
  heading: string
  /** Why the mail was sent, and how the link works. */
  paragraphs: [string, ...string[]]
  reason: string
}

/**
 * Mails a single-use link to set a password. It replaces an earlier link of this kind; when one of them is used, all end. Users of a company
 * that allows only single sign-on could not use a password, so their mail leads there.
 */
export async function sendPasswordLink(
  tx: WriteContext,
  user: { id: string; email: string },
  { kind, lifeMs, label, ...content }: PasswordMail,
): Promise<void> {
  const company = await companyWithOnlySso(tx, user.id)
  if (company !== undefined) return mailSsoLink(tx, user, company, content)
  const token = newToken()
  const now = tx.clock.now()
  const link = { token_hash: hashToken(token), created_at: now, expires_at: new Date(now.getTime() + lifeMs) }
  await tx.db
    .insertInto('password_resets')
    .values({ user_id: user.id, kind, ...link })
    .onConflict((on) => on.columns(['user_id', 'kind']).where('used_at', 'is', null).doUpdateSet(link))
    .execute()
  await enqueueMail(tx, {
    to: user.email,
    key: `reset ${hashToken(token).toString('hex')}`,
    topic: `password link ${kind} ${user.id}`,
    validForMs: lifeMs,
    subject: `${tx.config.product.name}: ${label.toLowerCase()}`,
    preview: content.paragraphs[0],
    button: { label, url: `${tx.config.appUrl}/reset-password/${token}` },
    ...content,
  })
}

async function mailSsoLink(
  tx: WriteContext,
  { id, email }: { id: string; email: string },
  company: string,
  { paragraphs: [why], reason }: Pick<PasswordMail, 'paragraphs' | 'reason'>,
): Promise<void> {
  const { product, appUrl } = tx.config
  await enqueueMail(tx, {
    to: email,
    key: `single sign-on ${newToken()}`,
    topic: `password link ${id}`,
    subject: `${product.name}: single sign-on`,
    preview: why,
    heading: `Sign in to ${product.name}`,
    paragraphs: [why, `Users of ${company} sign in with single sign-on, so you need no password in ${product.name}.`],
    button: { label: 'Single sign-on', url: `${appUrl}/sso?${new URLSearchParams({ email }).toString()}` },
    reason,
  })
}

export const endPasswordLinks = async ({ db }: WriteContext, userId: string): Promise<void> => {
  await db.deleteFrom('password_resets').where('user_id', '=', userId).where('used_at', 'is', null).execute()
}

export async function endPasswordLinksOfCompany({ db }: WriteContext, companyId: string, exceptUser: string | null): Promise<void> {
  const users = db.selectFrom('users').select('id').where('company_id', '=', companyId)
  const others = exceptUser === null ? users : users.where('id', '<>', exceptUser)
  await db.deleteFrom('password_resets').where('user_id', 'in', others).where('used_at', 'is', null).execute()
}

/**
 * For a user who is deactivated or moved to the trash: neither sessions nor a link may work again afterwards, and who the user is at a sign-in
 * service is found by email again.
 */
export async function endAccess(tx: WriteContext, userId: string): Promise<void> {
  await tx.db.deleteFrom('user_identities').where('user_id', '=', userId).execute()
  await endSessions(tx, userId)
  await endPasswordLinks(tx, userId)
}

interface Person {
  id: string
  email: string
  first_name: string
  last_name: string
  company_id: string | null
}

async function findReset(ctx: Context, token: string): Promise<Person> {
  const row = await ctx.db
    .selectFrom('password_resets')
    .innerJoin('users', 'users.id', 'password_resets.user_id')
    .select(['users.id', 'users.email', 'users.first_name', 'users.last_name', 'users.company_id'])
    .where('token_hash', '=', hashToken(token))
    .where('used_at', 'is', null)
    .where('expires_at', '>', ctx.clock.now())
    .where('users.deactivated_at', 'is', null)
    .where('users.deleted_at', 'is', null)
    .executeTakeFirst()
  if (row === undefined) throw conflict(RESET_LINK_INVALID)
  return row
}

export const checkReset = async (ctx: Context, token: string): Promise<string> => (await findReset(ctx, token)).email

type Names = { [name in keyof Omit<Person, 'id'>]: string | null | undefined }

/** Throws a field error for a password that is easy to guess. */
export async function requireGoodPassword(
  { config, db }: Context,
  password: string,
  { email, first_name, last_name, company_id: company }: Names,
): Promise<void> {
  const employer = company ? await db.selectFrom('companies').select('name').where('id', '=', company).executeTakeFirst() : undefined
  const own = [email, email?.split('@')[0], `${first_name ?? ''} ${last_name ?? ''}`, employer?.name]
  const names = [...own.map((name) => name ?? ''), config.product.name, config.product.provider]
  const problem = await passwordProblem(password, names)
  if (problem !== undefined) throw invalid({ password: [problem] })
}

/**
 * Sets the password, invalidates the link, ends all sessions of the user and mails a notice. Guesses by others, which may have used up the
 * attempts of the account, no longer keep its user out.
 */
export async function resetPassword(
  ctx: Context,
  input: { email: string; password: string; token: string },
  { address, signal }: Caller,
): Promise<{ isFirst: boolean }> {
  const user = await findReset(ctx, input.token)
  if (user.email.toLowerCase() !== input.email.toLowerCase()) throw conflict(RESET_LINK_INVALID)
  await requireGoodPassword(ctx, input.password, user)
  const passwordHash = await hashPassword(input.password, ctx.config.secretKey, { network: networkOf(address), signal })
  return transact(ctx, async (tx) => {
    // Two links of one user may be used at the same moment.
    const before = tx.db.selectFrom('users').select('password_hash').where('id', '=', user.id).forNoKeyUpdate()
    const { password_hash: earlier } = await before.executeTakeFirstOrThrow()
    const used = await tx.db
      .updateTable('password_resets')
      .set({ used_at: tx.clock.now() })
      .where('token_hash', '=', hashToken(input.token))
      .where('used_at', 'is', null)
      .executeTakeFirst()
    if (used.numUpdatedRows === 0n) throw conflict(RESET_LINK_INVALID)
    await tx.db.updateTable('users').set({ password_hash: passwordHash }).where('id', '=', user.id).execute()
    await endSessions(tx, user.id)
    await endPasswordLinks(tx, user.id)
    const { entered, mailed } = codeLimits(user.id, true)
    for (const key of [`login ${user.email.toLowerCase()}`, entered.key, mailed.key]) await clearAttempts(tx, key)
    await addAttempt(tx, provenAddress(user.id, address))
    const isFirst = earlier === null
    await (isFirst ? mailFirstPassword(tx, user.email) : mailNotice(tx, user.email, ['password']))
    return { isFirst }
  })
}

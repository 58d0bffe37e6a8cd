import { timingSafeEqual } from 'node:crypto'
import {
  LINK_CODES_IN_ALL,
  LINK_CODES_PER_NETWORK,
  LINK_CODE_ATTEMPTS,
  LINK_CODE_FAILURES,
  LINK_CODE_LIFE_MS,
  LINK_CODE_WINDOW_MS,
  LINK_FIRST_CODES_IN_ALL,
  LINK_PASSWORD_FAILURES,
  LINK_PASSWORD_FAILURES_IN_ALL,
  LINK_PASSWORD_FIRST_FAILURES_IN_ALL,
  LINK_PASSWORD_WINDOW_MS,
  LINK_SESSIONS_PER_NETWORK,
  WRONG_LINKS_PER_NETWORK,
  WRONG_LINKS_WINDOW_MS,
} from '#contract/guest-limits.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#contract/limits.ts'
import type { BodyOf } from '#contract/route.ts'
import { isEmail } from '#contract/session.ts'
import type { sharingCalls } from '#contract/sharing.ts'
import type { Context, WriteContext } from '#server/engines/context.ts'
import type { Caller } from '#server/engines/http/answer.ts'
import { enqueueMail } from '#server/engines/mail/send-mail.job.ts'
import { notify } from '#server/engines/notification/notify.ts'
import { isFamiliarToLink } from '#server/engines/secrets/familiar-address.ts'
import { addAttempt, clearAttempts, countAttempt, isCounted, networkOf } from '#server/engines/secrets/limiter.ts'
import { verifyPassword } from '#server/engines/secrets/passwords.ts'
import { hashCode, newCode } from '#server/engines/secrets/tokens.ts'
import { hashToken } from '#server/engines/session/authenticate.ts'
import { recordActivity } from '#server/engines/transaction/activity.ts'
import { transact } from '#server/engines/transaction/transact.ts'
import { forbidden, invalid } from '#server/kernel/errors.ts'
import { addGuest, asGuest, openGuestSession, ownSignIn, systemRole, VISITOR } from '../guests/guest-sessions.commands.ts'
import type { Pair } from '../session/session.commands.ts'
import { reserving } from '../session/sign-in.commands.ts'
import { isOver, linkWithToken, type LinkRecord } from './links.queries.ts'

const TOO_MANY = 'Too many attempts.'
const NOT_VALID = 'This link is no longer valid. Ask the person who sent it for a new one.'
const ANOTHER_LINK = 'ask the person who sent the link for another one'
const EXPIRED = 'This link has expired. Ask the person who sent it for a new one.'
const WRONG_PASSWORD = 'This is not the password of the link.'
const WRONG_CODE = 'The code is not right, or it has expired.'

type Redemption = BodyOf<typeof sharingCalls.redeem>
export type Redeemed = { needs: 'password' | 'email' | 'code' } | { needs: null; pair: Pair }

/** Opens an account by a link. What a protected link still needs is answered in place of a session. */
export async function redeemLink(ctx: Context, accountId: string, input: Redemption, caller: Caller): Promise<Redeemed> {
  const link = await linkOf(ctx, accountId, input.share_token, caller)
  if (link.password_hash !== null) {
    if (!input.password) return { needs: 'password' }
    await requirePassword(ctx, link, { password: input.password, hash: link.password_hash }, caller)
  }
  if (!link.email_code) return { needs: null, pair: await open(ctx, link, '', caller) }
  if (!input.email) return { needs: 'email' }
  if (!isEmail(input.email)) throw invalid({ email: ['Please enter a valid email address.'] })
  if (!input.code) {
    await mailCode(ctx, link, input.email, caller)
    return { needs: 'code' }
  }
  await requireCode(ctx, link, { email: input.email, code: input.code }, networkOf(caller.address))
  return { needs: null, pair: await open(ctx, link, input.email, caller) }
}

/** One answer for links that are wrong, replaced, revoked or disabled, and for those of another account. */
async function linkOf(ctx: Context, accountId: string, token: string, caller: Caller): Promise<LinkRecord> {
  const link = await linkWithToken(ctx, hashToken(token))
  const works =
    link !== undefined &&
    link.account_id === accountId &&
    [link.revoked_at, link.account_deleted_at, link.company_deleted_at].every((at) => at === null) &&
    (link.kind === 'link' || link.sharing_enabled)
  if (!works) {
    const limit = { key: `wrong links ${networkOf(caller.address)}`, points: WRONG_LINKS_PER_NETWORK, perMs: WRONG_LINKS_WINDOW_MS }
    await countAttempt(ctx, limit, TOO_MANY)
    throw forbidden(NOT_VALID)
  }
  if (isOver(ctx, link)) throw forbidden(EXPIRED)
  return link
}

/**
 * Failures are counted for a link and a network, and for a link and all networks from which it was never opened. Those who have opened it
 * before come in, regardless of what others try, and a network that has not failed yet has an attempt when the others have none left.
 */
async function requirePassword(ctx: Context, link: LinkRecord, { password, hash }: { password: string; hash: string }, caller: Caller) {
  const network = networkOf(caller.address)
  const ofNetwork = { key: `password of link ${link.id} ${network}`, points: LINK_PASSWORD_FAILURES, perMs: LINK_PASSWORD_WINDOW_MS }
  const points = (await isCounted(ctx, ofNetwork)) ? LINK_PASSWORD_FAILURES_IN_ALL : LINK_PASSWORD_FIRST_FAILURES_IN_ALL
  const ofLink = { key: `password of link ${link.id}`, points, perMs: LINK_PASSWORD_WINDOW_MS, instead: ANOTHER_LINK }
  const limits = (await isFamiliarToLink(ctx, link.id, caller.address)) ? [ofNetwork] : [ofNetwork, ofLink]
  const verify = () => verifyPassword(hash, password, ctx.config.secretKey, { network, signal: caller.signal })
  if (!(await reserving(ctx, limits, verify))) throw forbidden(WRONG_PASSWORD)
  await clearAttempts(ctx, ofNetwork.key)
}

/** The answer is the same for an email that may not open the link. */
async function mailCode(ctx: Context, link: LinkRecord, email: string, caller: Caller): Promise<void> {
  const network = networkOf(caller.address)
  await countAttempt(ctx, { key: `codes of links ${network}`, points: LINK_SESSIONS_PER_NETWORK, perMs: HOUR_MS }, TOO_MANY)
  const ofLink = `codes of link ${link.id} ${email.toLowerCase()}`
  const ofNetwork = { key: `${ofLink} ${network}`, points: LINK_CODES_PER_NETWORK, perMs: LINK_CODE_WINDOW_MS }
  const points = (await isCounted(ctx, ofNetwork)) ? LINK_CODES_IN_ALL : LINK_FIRST_CODES_IN_ALL
  for (const limit of [ofNetwork, { key: ofLink, points, perMs: LINK_CODE_WINDOW_MS, instead: ANOTHER_LINK }])
    await countAttempt(ctx, limit, 'Many codes were sent to this email.')
  const domain = email.toLowerCase().split('@')[1] ?? ''
  if (link.email_domains.length > 0 && !link.email_domains.includes(domain)) return
  const code = newCode()
  const now = ctx.clock.now()
  const values = {
    code_hash: hashCode(ctx.config.secretKey, link.id, code),
    attempts: 0,
    expires_at: new Date(now.getTime() + LINK_CODE_LIFE_MS),
  }
  await transact(ctx, async (tx) => {
    await tx.db
      .insertInto('link_codes')
      .values({ grant_id: link.id, email, network, ...values })
      .onConflict((on) => on.columns(['grant_id', 'email', 'network']).doUpdateSet(values))
      .execute()
    await enqueueMail(tx, {
      to: email,
      key: `code of link ${link.id} ${email} ${now.toISOString()}`,
      topic: `code of link ${link.id} ${email} ${network}`,
      validForMs: LINK_CODE_LIFE_MS,
      subject: `Your code for ${link.account_name}`,
      preview: 'Enter the code in this email to open the account.',
      heading: 'Your code',
      paragraphs: [
        `Enter this code to open ${link.account_name}. It is valid for ${LINK_CODE_LIFE_MS / MINUTE_MS} minutes after you asked for it.`,
      ],
      code,
      reason: 'You get this email because someone entered your email address to open a shared account. If it was not you, ignore it.',
    })
  })
}

/**
 * A code works once, and in the network that requested it: strangers use up only the attempts of their own. Attempts are counted before they
 * are compared.
 */
async function requireCode(ctx: Context, link: LinkRecord, { email, code }: { email: string; code: string }, network: string) {
  const failures = { key: `wrong codes of links ${network}`, points: LINK_CODE_FAILURES, perMs: LINK_CODE_WINDOW_MS }
  const isRight = async () => {
    const found = await ctx.db
      .updateTable('link_codes')
      .set((eb) => ({ attempts: eb('attempts', '+', 1) }))
      .where((where) => where.and({ grant_id: link.id, email, network }))
      .where('expires_at', '>', ctx.clock.now())
      .returning(['code_hash', 'attempts'])
      .executeTakeFirst()
    if (found === undefined || found.attempts > LINK_CODE_ATTEMPTS) return false
    if (!timingSafeEqual(found.code_hash, hashCode(ctx.config.secretKey, link.id, code))) return false
    const codes = ctx.db.deleteFrom('link_codes').where((where) => where.and({ grant_id: link.id, email, network }))
    return (await codes.executeTakeFirst()).numDeletedRows > 0n
  }
  if (!(await reserving(ctx, [failures], isRight))) throw invalid({ code: [WRONG_CODE] })
}

/** A visitor of their own, so that no visitor sees what another one does. */
async function open(ctx: Context, link: LinkRecord, email: string, caller: Caller): Promise<Pair> {
  const limit = { key: `visits by link ${networkOf(caller.address)}`, points: LINK_SESSIONS_PER_NETWORK, perMs: WRONG_LINKS_WINDOW_MS }
  await countAttempt(ctx, limit, 'Many people from your network have just opened links.')
  return transact(ctx, async (tx) => {
    const person = email === '' ? VISITOR : { kind: 'visitor' as const, email, firstName: email, lastName: '(visitor)' }
    const userId = await addGuest(tx, link, { ...person, roleId: await systemRole(tx, 'share_guest') })
    const openedIn = ownSignIn(ctx.viewer, link.account_company_id)
    if (openedIn === undefined) await announce(await asGuest(tx, userId), link)
    return openGuestSession(tx, userId, { grant: link, kind: 'share', caller, openedIn })
  })
}

/** In the activity once a day, and for the sender at the first visit. */
async function announce(tx: WriteContext, link: LinkRecord): Promise<void> {
  const name = link.kind === 'link' ? `the link “${link.label}”` : 'the share link'
  const today = { key: `opened link ${link.id}`, points: Number.POSITIVE_INFINITY, perMs: DAY_MS }
  if (!(await isCounted(tx, today))) {
    await addAttempt(tx, today)
    const line = { model: 'accounts', modelId: link.account_id, accountId: link.account_id, class: 'shared' } as const
    await recordActivity(tx, { ...line, message: `The account was opened with ${name}` })
  }
  if (link.last_used_at !== null) return
  await notify(tx, [link.created_by], {
    kind: 'share_link_opened',
    accountId: link.account_id,
    message: `${link.account_name} was opened with ${name}`,
  })
}

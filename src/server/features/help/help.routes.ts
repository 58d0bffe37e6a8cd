import type { z } from 'zod'
import { HELP_REQUESTS_PER_HOUR, HOUR_MS } from '#contract/limits.ts'
import { helpCalls, type HelpInput } from '#contract/help.ts'
import type { SignedIn } from '#server/access/viewer.ts'
import type { Context } from '#server/engines/context.ts'
import { done, implement } from '#server/engines/http/answer.ts'
import { enqueueMail } from '#server/engines/mail/send-mail.job.ts'
import { countAttempt } from '#server/engines/secrets/limiter.ts'
import { signedIn } from '#server/engines/session/authenticate.ts'
import { transact } from '#server/engines/transaction/transact.ts'

const RECIPIENTS_MAX = 5

/** Stores the report and mails it to support or, if no address is configured, to administrators. */
async function sendReport(ctx: Context, { message, url, state }: z.output<typeof HelpInput>): Promise<void> {
  const { userId, fullName, email, companyId, companyName, via } = signedIn(ctx)
  const isGuest = via !== undefined
  await transact(ctx, async (tx) => {
    await countAttempt(tx, { key: `help ${userId}`, points: HELP_REQUESTS_PER_HOUR, perMs: HOUR_MS }, 'You have sent many reports.')
    const { id } = await tx.db
      .insertInto('help_requests')
      .values({ user_id: userId, company_id: isGuest ? null : companyId, message, url: url ?? null, state: JSON.stringify(state ?? {}) })
      .returning('id')
      .executeTakeFirstOrThrow()
    const content = reportMail(tx, {
      sender: { fullName, email, from: isGuest ? `invited to an account of ${companyName}` : companyName },
      message,
      url,
    })
    for (const to of await recipients(tx)) await enqueueMail(tx, { to, key: `help ${id} ${to}`, replyTo: email, ...content })
  })
}

/** The address is sent by the client, so it is a link only if it is one of this product. */
function reportMail(
  { config: { appUrl, product } }: Context,
  { sender, message, url }: { sender: Pick<SignedIn, 'fullName' | 'email'> & { from: string }; message: string; url: string | undefined },
) {
  const { fullName, email, from } = sender
  const inProduct = url?.startsWith(`${appUrl}/`) === true
  return {
    subject: `${product.name}: report by ${fullName}`,
    preview: message.replace(/\s+/g, ' '),
    heading: `Report by ${fullName}`,
    paragraphs: [
      `${fullName} (${email}, ${from}) reports a problem:`,
      { quote: message },
      ...(url && !inProduct ? [`Page: ${url}`] : []),
      `A reply to this email goes to ${email}.`,
    ],
    ...(url && inProduct ? { button: { label: 'Open the page', url } } : {}),
    reason:
      product.supportEmail === undefined
        ? 'You get this email because you are an administrator and no address for support is configured.'
        : 'You get this email because reports of problems are sent to this address.',
  }
}

async function recipients({ db, config }: Context): Promise<string[]> {
  const { supportEmail } = config.product
  if (supportEmail !== undefined) return [supportEmail]
  const administrators = await db
    .selectFrom('users')
    .innerJoin('user_roles', 'user_roles.user_id', 'users.id')
    .innerJoin('roles', 'roles.id', 'user_roles.role_id')
    .select('users.email')
    .where('roles.name', '=', 'admin')
    .where('users.deactivated_at', 'is', null)
    .where('users.deleted_at', 'is', null)
    .where('users.kind', '=', 'member')
    .orderBy('users.created_at')
    .limit(RECIPIENTS_MAX)
    .execute()
  return administrators.map(({ email }) => email)
}

export const helpRoutes = implement(helpCalls, {
  send: ({ ctx, body }) => done(sendReport(ctx, body), "Thanks! We'll get back to you soon."),
})

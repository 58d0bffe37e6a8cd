import { LINKS_MAX } from '#contract/guest-limits.ts'
import { DAY_MS } from '#contract/limits.ts'
import type { ShareLinkInput } from '#contract/sharing.ts'
import { viewerId } from '#server/access/viewer.ts'
import type { Context, WriteContext } from '#server/engines/context.ts'
import { newLinkToken } from '#server/engines/secrets/link-tokens.ts'
import { hashPassword } from '#server/engines/secrets/passwords.ts'
import { recordActivity } from '#server/engines/transaction/activity.ts'
import { transact } from '#server/engines/transaction/transact.ts'
import { conflict, invalid } from '#server/kernel/errors.ts'
import { changedGrant, endGrant, endPeople } from '../guests/guest-sessions.commands.ts'
import { findLink, linksOf, type LinkRecord } from './links.queries.ts'
import { requireSharing } from './sharing.commands.ts'

type Patch = { [K in keyof ShareLinkInput]?: ShareLinkInput[K] | undefined }

/** The columns of a link. A password is replaced by its hash, and goes with the protection. */
async function columnsOf(ctx: Context, input: Patch, before?: LinkRecord) {
  const { label, days, protection, password, email_domains: domains, rights } = input
  const hash = password ? await hashPassword(password, ctx.config.secretKey, { network: `user ${viewerId(ctx.viewer) ?? ''}` }) : null
  if (protection === 'password' && hash === null && (before?.password_hash ?? null) === null)
    throw invalid({ password: ['Please enter a password.'] })
  const asksCode = protection === undefined ? (before?.email_code ?? false) : protection === 'email_code'
  if (domains !== undefined && domains.length > 0 && !asksCode)
    throw invalid({ email_domains: ['Only a link that asks for a code can be limited to domains.'] })
  const keepsPassword = protection === undefined ? (before?.password_hash ?? null) !== null : protection === 'password'
  return {
    ...(label === undefined ? {} : { label }),
    ...(days === undefined ? {} : { expires_at: days === null ? null : new Date(ctx.clock.now().getTime() + days * DAY_MS) }),
    ...(rights === undefined ? {} : { may_download: rights === 'download' }),
    ...(domains === undefined ? {} : { email_domains: domains }),
    email_code: asksCode,
    password_hash: keepsPassword ? (hash ?? before?.password_hash ?? null) : null,
  }
}

const record = (tx: WriteContext, accountId: string, message: string) =>
  recordActivity(tx, { model: 'accounts', modelId: accountId, accountId, class: 'shared', message })

export async function createLink(ctx: Context, accountId: string, input: ShareLinkInput): Promise<LinkRecord> {
  const columns = await columnsOf(ctx, input)
  return transact(ctx, async (tx) => {
    await requireSharing(tx, accountId)
    if ((await linksOf(tx, accountId)).length >= LINKS_MAX) throw conflict(`An account has at most ${LINKS_MAX} links. Revoke one first.`)
    const now = tx.clock.now()
    const { id } = await tx.db
      .insertInto('account_grants')
      .values({
        ...newLinkToken(tx.config.secretKey).columns,
        ...columns,
        kind: 'link',
        account_id: accountId,
        created_by: viewerId(tx.viewer),
        created_at: now,
        updated_at: now,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await record(tx, accountId, `{user} created the link “${input.label}”`)
    changedGrant(tx, { id, account_id: accountId })
    return findLink(tx, accountId, id)
  })
}

/** Changes a link. With other rights or another protection, those who are in come in again by the link. */
export async function updateLink(ctx: Context, accountId: string, id: string, input: Patch): Promise<LinkRecord> {
  const before = await findLink(ctx, accountId, id)
  const columns = await columnsOf(ctx, input, before)
  return transact(ctx, async (tx) => {
    await requireSharing(tx, accountId)
    await tx.db
      .updateTable('account_grants')
      .set({ ...columns, updated_at: tx.clock.now() })
      .where('id', '=', id)
      .execute()
    await endPeople(tx, before)
    await record(tx, accountId, `{user} changed the link “${columns.label ?? before.label}”`)
    return findLink(tx, accountId, id)
  })
}

/** Replaces the secret of a link. The old one ends at once. */
export async function rotateLink(ctx: Context, accountId: string, id: string): Promise<LinkRecord> {
  return transact(ctx, async (tx) => {
    await requireSharing(tx, accountId)
    const link = await findLink(tx, accountId, id)
    const { columns } = newLinkToken(tx.config.secretKey)
    await tx.db
      .updateTable('account_grants')
      .set({ ...columns, updated_at: tx.clock.now() })
      .where('id', '=', id)
      .execute()
    await endPeople(tx, link)
    await record(tx, accountId, `{user} replaced the link “${link.label}”`)
    return findLink(tx, accountId, id)
  })
}

export const removeLink = (ctx: Context, accountId: string, id: string): Promise<void> =>
  transact(ctx, async (tx) => {
    await requireSharing(tx, accountId)
    const link = await findLink(tx, accountId, id)
    await endGrant(tx, link)
    await record(tx, accountId, `{user} revoked the link “${link.label}”`)
  })

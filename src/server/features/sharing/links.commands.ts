import { sql } from 'kysely'
import { LINKS_MAX } from '#contract/guest-limits.ts'
import { DAY_MS } from '#contract/limits.ts'
import type { ShareLinkInput } from '#contract/sharing.ts'
import { visibleProperties } from '#server/access/account-properties.ts'
import { equalsAnyId } from '#server/access/scope.ts'
import { viewerId } from '#server/access/viewer.ts'
import type { Context, WriteContext } from '#server/engines/context.ts'
import { newLinkToken } from '#server/engines/secrets/link-tokens.ts'
import { hashPassword } from '#server/engines/secrets/passwords.ts'
import { recordActivity } from '#server/engines/transaction/activity.ts'
import { transact } from '#server/engines/transaction/transact.ts'
import { changedGrant } from '#server/engines/visits/record-visit.ts'
import { conflict, invalid } from '#server/kernel/errors.ts'
import { endGrant, endPeople } from '../guests/guest-sessions.commands.ts'
import { findLink, linksOf, type LinkRecord } from './links.queries.ts'
import { requireSharing } from './sharing.commands.ts'

type Patch = { [K in keyof ShareLinkInput]?: ShareLinkInput[K] | undefined }

/** Before the transaction, because it takes long. */
const hashOf = async ({ config, viewer }: Context, { password }: Patch): Promise<string | null> =>
  password ? hashPassword(password, config.secretKey, { network: `user ${viewerId(viewer) ?? ''}` }) : null

/** The columns of a link. A password is replaced by its hash, and goes with the protection. */
function columnsOf(ctx: Context, input: Patch, hash: string | null, before?: LinkRecord) {
  const { label, days, protection, email_domains: domains, rights } = input
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
    ...scopeColumns(input, before),
    email_code: asksCode,
    password_hash: keepsPassword ? (hash ?? before?.password_hash ?? null) : null,
  }
}

/** Without chosen properties, all documents that are linked to none are shown anyway. */
function scopeColumns({ property_ids: ids, categories, unlinked_files: unlinked }: Patch, before?: LinkRecord) {
  const choosesProperties = ids === undefined ? before?.all_properties === false : ids !== null
  return {
    all_properties: !choosesProperties,
    ...(categories === undefined ? {} : { categories }),
    unlinked_files: choosesProperties && (unlinked ?? before?.unlinked_files ?? false),
  }
}

/** Stores the chosen properties in place of the former ones. Throws `invalid` if one is not in the account or in the trash. */
async function chooseProperties(tx: WriteContext, accountId: string, grantId: string, ids: readonly string[] | null | undefined) {
  if (ids === undefined) return
  await tx.db.deleteFrom('grant_properties').where('grant_id', '=', grantId).execute()
  if (ids === null) return
  const chosen = [...new Set(ids)]
  const { numInsertedOrUpdatedRows: inserted } = await tx.db
    .insertInto('grant_properties')
    .columns(['grant_id', 'property_id'])
    .expression((eb) =>
      eb
        .selectFrom('account_properties')
        .select([sql<string>`${grantId}::uuid`.as('grant_id'), 'account_properties.id as property_id'])
        .where('account_properties.account_id', '=', accountId)
        .where('account_properties.deleted_at', 'is', null)
        .where(visibleProperties(tx.viewer))
        .where(equalsAnyId('account_properties.id', chosen)),
    )
    .executeTakeFirstOrThrow()
  if (Number(inserted) < chosen.length)
    throw invalid({ property_ids: ['One of these properties is no longer in this account. Choose again.'] })
}

const record = (tx: WriteContext, accountId: string, message: string) =>
  recordActivity(tx, { model: 'accounts', modelId: accountId, accountId, class: 'shared', message })

export async function createLink(ctx: Context, accountId: string, input: ShareLinkInput): Promise<LinkRecord> {
  const columns = columnsOf(ctx, input, await hashOf(ctx, input))
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
    await chooseProperties(tx, accountId, id, input.property_ids)
    await record(tx, accountId, `{user} created the link “${input.label}”`)
    changedGrant(tx, { id, account_id: accountId })
    return findLink(tx, accountId, id)
  })
}

/** Changes a link. With other rights, another scope or another protection, those who are in come in again by the link. */
export async function updateLink(ctx: Context, accountId: string, id: string, input: Patch): Promise<LinkRecord> {
  await findLink(ctx, accountId, id)
  const hash = await hashOf(ctx, input)
  return transact(ctx, async (tx) => {
    await requireSharing(tx, accountId)
    // After the lock: a change at the same time must not be undone by what was read before it.
    const before = await findLink(tx, accountId, id)
    const columns = columnsOf(tx, input, hash, before)
    await tx.db
      .updateTable('account_grants')
      .set({ ...columns, updated_at: tx.clock.now() })
      .where('id', '=', id)
      .execute()
    await chooseProperties(tx, accountId, id, input.property_ids)
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

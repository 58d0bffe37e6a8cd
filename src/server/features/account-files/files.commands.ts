import { sql } from 'kysely'
import type { z } from 'zod'
import type { FilePatch } from '#contract/account-files.ts'
import { DOCUMENT_CATEGORIES } from '#contract/document-categories.ts'
import { fileRules, visibleFiles } from '#server/access/account-files.ts'
import { requireVisibleAccount } from '#server/access/require.ts'
import type { Context, WriteContext } from '#server/engines/context.ts'
import { emit } from '#server/engines/transaction/changes.ts'
import { recordActivity } from '#server/engines/transaction/activity.ts'
import { transact } from '#server/engines/transaction/transact.ts'
import { assertVersion } from '#server/engines/transaction/versions.ts'
import { forbidden, notFound } from '#server/kernel/errors.ts'
import { NIL_UUID } from '#server/kernel/uuid.ts'
import { displayName, findFile, type FileRecord } from './files.queries.ts'
import { linkProperties } from './links.commands.ts'

type Patch = z.output<typeof FilePatch>

/** One sentence for each kind of change (domain section 17). */
function sentences(before: FileRecord, patch: Patch): string[] {
  const name = displayName(before)
  const said: string[] = []
  if (patch.vanity_name !== undefined && patch.vanity_name !== before.vanity_name)
    said.push(`{user} renamed ${name}${patch.vanity_name === null ? '' : ` to ${patch.vanity_name}`}`)
  if (patch.private !== undefined && patch.private !== before.private)
    said.push(`{user} marked ${name} ${patch.private ? 'private' : 'disclosed'}`)
  if (patch.sov !== undefined && patch.sov !== before.sov)
    said.push(`{user} marked ${name} as ${patch.sov ? 'submission document' : 'disclosed document'}`)
  if (patch.properties !== undefined)
    said.push(`{user} linked ${name} to ${patch.properties.length === 1 ? '1 property' : `${patch.properties.length} properties`}`)
  if (patch.report_author_date !== undefined && patch.report_author_date !== before.report_author_date)
    said.push(`{user} changed the report date of ${name}`)
  return said
}

/** Changes flags, names, date, category or links of one document. */
export async function patchFile(ctx: Context, accountId: string, id: string, patch: Patch): Promise<FileRecord> {
  return transact(ctx, async (tx) => {
    await tx.db.selectFrom('account_files').select('id').where('id', '=', id).forUpdate().execute()
    const before = await findFile(tx, accountId, id)
    if (!fileRules(tx.viewer, before).update) throw forbidden()
    const { properties, version, ...values } = patch
    assertVersion(
      version,
      before.version,
      { vanity_name: before.vanity_name, category: before.category, report_author_date: before.report_author_date },
      values,
    )
    const turnsSov = values.category !== undefined && values.sov === undefined ? { sov: DOCUMENT_CATEGORIES[values.category].sov } : {}
    const changes = Object.fromEntries(Object.entries({ ...turnsSov, ...values }).filter(([, value]) => value !== undefined))
    await tx.db
      .updateTable('account_files')
      .set({ ...changes, version: sql`version + 1`, updated_at: tx.clock.now() })
      .where('id', '=', id)
      .execute()
    if (properties !== undefined) await linkProperties(tx, accountId, [id], properties, 'replace')
    for (const message of sentences(before, patch)) {
      await recordActivity(tx, { model: 'account_files', modelId: id, accountId, class: 'updated', message, fileIds: [id] })
    }
    emit(tx, { model: 'account_files', id, inAccount: accountId, scope: 'files' })
    return findFile(tx, accountId, id)
  })
}

/** Those of the asked documents that the viewer sees in the account; `all` is every one of them. */
export async function visibleFileIds(ctx: Context, accountId: string, files: 'all' | readonly string[]): Promise<string[]> {
  const rows = await ctx.db
    .selectFrom('account_files')
    .select('id')
    .where('account_id', '=', accountId)
    .where('deleted_at', 'is', null)
    .where(visibleFiles(ctx.viewer))
    .$if(files !== 'all', (query) => query.where('id', 'in', files === 'all' || files.length === 0 ? [NIL_UUID] : [...files]))
    .execute()
  return rows.map(({ id }) => id)
}

/** Documents by name and number, all of them visible, or the message that the call promises. */
export async function requireFiles(ctx: Context, accountId: string, files: 'all' | readonly string[]): Promise<string[]> {
  await requireVisibleAccount(ctx.db, ctx.viewer, accountId)
  const ids = await visibleFileIds(ctx, accountId, files)
  if (ids.length === 0) throw notFoundFiles()
  return ids
}

export const notFoundFiles = () => Object.assign(notFound('Files'), { message: 'Files not found.' })

type Flags = Partial<Pick<FileRecord, 'private' | 'sov'>>

/** Sets a flag on many documents in one statement. */
export async function flagFiles(ctx: Context, accountId: string, ids: readonly string[], flags: Flags, words: string): Promise<void> {
  await transact(ctx, async (tx) => {
    await tx.db
      .updateTable('account_files')
      .set({ ...flags, version: sql`version + 1`, updated_at: tx.clock.now() })
      .where('id', 'in', [...ids])
      .where('account_id', '=', accountId)
      .execute()
    await announceMany(tx, accountId, ids, `{user} marked ${await named(tx, ids)} ${words}`, 'updated')
  })
}

export async function assignProperties(
  ctx: Context,
  accountId: string,
  ids: readonly string[],
  input: { properties: string[]; mode: 'add' | 'replace' | 'remove' },
): Promise<void> {
  await transact(ctx, async (tx) => {
    await linkProperties(tx, accountId, ids, input.properties, input.mode)
    const count = input.properties.length === 1 ? '1 property' : `${input.properties.length} properties`
    await announceMany(
      tx,
      accountId,
      ids,
      `{user} ${input.mode === 'remove' ? 'unlinked' : 'linked'} ${await named(tx, ids)} ${input.mode === 'remove' ? 'from' : 'to'} ${count}`,
      'updated',
    )
  })
}

export async function named(tx: WriteContext, ids: readonly string[]): Promise<string> {
  if (ids.length > 1) return `${ids.length} documents`
  const file = await tx.db
    .selectFrom('account_files')
    .select(['vanity_name', 'original_file_name'])
    .where('id', 'in', [...ids])
    .executeTakeFirst()
  return file === undefined ? 'a document' : displayName(file)
}

export async function announceMany(
  tx: WriteContext,
  accountId: string,
  ids: readonly string[],
  message: string,
  kind: 'updated' | 'deleted' | 'restored',
): Promise<void> {
  const [first = accountId] = ids
  await recordActivity(tx, {
    model: 'account_files',
    modelId: first,
    accountId,
    class: kind,
    message,
    ...(ids.length === 1 ? { fileIds: ids } : {}),
  })
  emit(tx, { model: 'account_files', id: ids.length === 1 ? first : null, inAccount: accountId, scope: 'files' })
}

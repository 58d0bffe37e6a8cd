import { sql } from 'kysely'
import type { z } from 'zod'
import type { FilePatch } from '#contract/account-files.ts'
import { DOCUMENT_CATEGORIES } from '#contract/document-categories.ts'
import { plural } from '#contract/format.ts'
import { fileRules } from '#server/access/account-files.ts'
import { requireOwnAccounts, requireSeesPrivate, requireVisibleAccount } from '#server/access/require.ts'
import { seesProperties, visibleProperties } from '#server/access/account-properties.ts'
import { equalsId, uuids } from '#server/access/scope.ts'
import type { Context, WriteContext } from '#server/engines/context.ts'
import type { ActivityText, Patch as RecordPatch, StoredModel } from '#server/engines/record/define-record.ts'
import { updateRecord } from '#server/engines/record/save-record.ts'
import { uploadKeyOf } from '#server/engines/storage/storage.ts'
import { emit } from '#server/engines/transaction/changes.ts'
import { AppError, invalid, notFound } from '#server/kernel/errors.ts'
import { forgetDocuments } from '#server/features/imports/forget-documents.commands.ts'
import { fileDatatable } from './files.datatable.ts'
import { displayName, requireDocumentName } from './file-names.ts'
import { loadFiles, visibleInAccount, type FileRecord } from './files.queries.ts'
import { requestReconciliation, requestScores } from '../reconciliation/reconciliation.commands.ts'

type Input = Omit<z.output<typeof FilePatch>, 'version'>

export const fileModel: StoredModel<FileRecord, Input> = {
  table: 'account_files',
  list: fileDatatable,
  rules: fileRules,
  load: loadFiles,
  changeScope: (_tx, file) => ({ inAccount: file.account_id, scope: 'files', isHidden: file.private }),
  beforeSave: async (tx, { before, input: { properties: _links, ...columns } }) => {
    const { category, sov, vanity_name } = columns
    if (before !== undefined && columns.private === true)
      requireSeesPrivate(tx.viewer, await requireVisibleAccount(tx.db, tx.viewer, before.account_id))
    if (before !== undefined && vanity_name != null && vanity_name !== before.vanity_name) requireDocumentName({ ...before, vanity_name })
    return category !== undefined && sov === undefined ? { ...columns, sov: DOCUMENT_CATEGORIES[category].sov } : columns
  },
  afterSave: async (tx, id, { before, input }) => {
    if (before === undefined) return
    if (input.properties !== undefined) await linkProperties(tx, before.account_id, [id], input.properties, 'replace')
    if (EVIDENCE_FIELDS.some((name) => input[name] !== undefined && input[name] !== before[name])) await requestScores(tx, [before])
  },
  describe: (event) => {
    if (event.kind === 'created') return []
    if (event.kind === 'updated')
      return describePatch(event.before, event.input).map((message) => ({ id: event.record.id, message, fileIds: [event.record.id] }))
    const verb = event.kind === 'destroyed' ? 'permanently deleted' : event.kind
    return [lineAbout(event.records, `{user} ${verb} ${nameOf(event.records)}`)]
  },
  beforeTrash: requestScores,
  beforeRestore: requestScores,
  beforeDestroy: async (tx, files) => {
    await requireOwnAccounts(tx.db, tx.viewer, [...new Set(files.map(({ account_id }) => account_id))])
    // Expired uploads are removed from the store by the nightly sweep, after the commit.
    const ids = files.map(({ id }) => id)
    const versions = await tx.db.selectFrom('file_versions').select('storage_key').where('file_id', 'in', ids).execute()
    const keys = [...files, ...versions].map(({ storage_key }) => uploadKeyOf(storage_key))
    await forgetDocuments(tx, ids)
    await forgetUploads(tx, ids)
    await tx.db.updateTable('uploads').set({ registered_at: null, expires_at: tx.clock.now() }).where('key', 'in', keys).execute()
  },
}

/** Deletes the lines that only the panel of the document shows, which is gone with it. */
export async function forgetUploads(tx: WriteContext, ids: readonly string[]): Promise<void> {
  const lines = tx.db.deleteFrom('activities').where('model', '=', 'account_files').where('model_id', 'in', ids)
  await lines.where('account_id', 'is', null).execute()
}

/** The scores of properties depend on these fields of their documents. */
export const EVIDENCE_FIELDS = ['category', 'sov', 'private', 'report_author_date', 'covers_all_properties'] as const

/** One sentence for each kind of change. */
function describePatch(before: FileRecord, patch: RecordPatch<Input>): string[] {
  const name = displayName(before)
  const lines: string[] = []
  if (patch.vanity_name !== undefined && patch.vanity_name !== before.vanity_name)
    lines.push(`{user} renamed ${name}${patch.vanity_name === null ? '' : ` to ${patch.vanity_name}`}`)
  if (patch.private !== undefined && patch.private !== before.private)
    lines.push(`{user} marked ${name} ${patch.private ? 'private' : 'disclosed'}`)
  if (patch.sov !== undefined && patch.sov !== before.sov)
    lines.push(`{user} marked ${name} as ${patch.sov ? 'submission document' : 'disclosed document'}`)
  if (patch.properties !== undefined) lines.push(`{user} linked ${name} to ${plural(patch.properties.length, 'property', 'properties')}`)
  if (patch.report_author_date !== undefined && patch.report_author_date !== before.report_author_date)
    lines.push(`{user} changed the report date of ${name}`)
  return lines
}

/** Changes flags, names, date, category or links of one document of the account. */
export async function patchFile(ctx: Context, accountId: string, id: string, patch: z.output<typeof FilePatch>): Promise<FileRecord> {
  return updateRecord(ctx, fileModel, id, patch, equalsId('account_files.account_id', accountId))
}

/** Throws `notFound` if there are no documents, or fewer than were named: an action is for all of them or none. */
export function requireAll(found: readonly unknown[], files: 'all' | readonly string[]): void {
  if (found.length === 0) throw new AppError('not_found', 'Files not found.')
  if (files !== 'all' && found.length !== new Set(files).size) throw notFound('One of the documents was')
}

/** The ids of the documents of the account, all that the viewer sees or these. Throws `notFound` unless the viewer sees the account and all of these. */
export async function requireFiles(
  ctx: Context,
  accountId: string,
  files: 'all' | readonly string[],
  state: 'live' | 'any' = 'live',
): Promise<string[]> {
  await requireVisibleAccount(ctx.db, ctx.viewer, accountId)
  const { rows } = await sql<{ id: string }>`SELECT id FROM account_files WHERE ${visibleInAccount(ctx, accountId, files, state)}`.execute(
    ctx.db,
  )
  requireAll(rows, files)
  return rows.map(({ id }) => id)
}

const unknownProperty = () => invalid({ properties: ['One of the properties is no longer in this account.'] })

/** Throws the error for an unknown property for viewers who see no properties. */
export function requireSeesProperties({ viewer }: Context): void {
  if (!seesProperties(viewer)) throw unknownProperty()
}

/** Links documents to properties of their account. Throws `invalid` if the viewer does not see one of the properties. */
export async function linkProperties(
  tx: WriteContext,
  accountId: string,
  files: readonly string[],
  properties: readonly string[],
  mode: 'add' | 'replace' | 'remove',
): Promise<void> {
  requireSeesProperties(tx)
  const found = await tx.db
    .selectFrom('account_properties')
    .select('id')
    .where('account_id', '=', accountId)
    .where('id', '=', sql<string>`ANY(${uuids(properties)})`)
    .where('deleted_at', 'is', null)
    .where(visibleProperties(tx.viewer))
    .execute()
  if (found.length !== new Set(properties).size) throw unknownProperty()
  if (mode !== 'add')
    await tx.db
      .deleteFrom('account_file_properties')
      .where('file_id', '=', sql<string>`ANY(${uuids(files)})`)
      .$if(mode === 'remove', (query) => query.where('property_id', '=', sql<string>`ANY(${uuids(properties)})`))
      .execute()
  const links = files.flatMap((file_id) => found.map(({ id }) => ({ account_id: accountId, file_id, property_id: id })))
  if (mode !== 'remove' && links.length > 0)
    await tx.db
      .insertInto('account_file_properties')
      .values(links)
      .onConflict((on) => on.doNothing())
      .execute()
  const shown = await tx.db
    .selectFrom('account_files')
    .select('id')
    .where('id', '=', sql<string>`ANY(${uuids(files)})`)
    .where('private', '=', false)
    .limit(1)
    .executeTakeFirst()
  emit(tx, { model: 'account_properties', id: null, inAccount: accountId, scope: 'files', isHidden: shown === undefined })
  await requestReconciliation(tx, accountId, 'document')
}

type Named = Pick<FileRecord, 'id' | 'vanity_name' | 'original_file_name'>

export const nameOf = (files: readonly Named[]): string => {
  const [first, ...others] = files
  return first !== undefined && others.length === 0 ? displayName(first) : plural(files.length, 'document')
}

/** Only a line about one document names it, so only that line is hidden from viewers who cannot see it. */
export const lineAbout = (files: readonly Named[], message: string): ActivityText => ({
  id: files[0]?.id ?? '',
  message,
  ...(files.length === 1 ? { fileIds: files.map(({ id }) => id) } : {}),
})

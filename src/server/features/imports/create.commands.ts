import { sql, type Insertable } from 'kysely'
import type { DB } from '#server/db/schema.gen.ts'
import type { z } from 'zod'
import { isPropertyField } from '#contract/account-properties.ts'
import { plural } from '#contract/format.ts'
import type { ImportProperties, ImportSource } from '#contract/import-inputs.ts'
import { PROPERTY_FIELD_NAMES, type PropertyFieldName, propertyField } from '#contract/property-fields.ts'
import { visibleFiles } from '#server/access/account-files.ts'
import { requireVisibleAccount } from '#server/access/require.ts'
import { can, viewerId, viewerName } from '#server/access/viewer.ts'
import type { Context, WriteContext } from '#server/engines/context.ts'
import { enqueue } from '#server/engines/jobs/define-job.ts'
import { transact } from '#server/engines/transaction/transact.ts'
import { registerFile } from '#server/features/account-files/register.commands.ts'
import { invalid, notFound } from '#server/kernel/errors.ts'
import { describeColumn, sheetColumns } from '#server/features/imports/pipeline/map/propose-mapping.ts'
import type { Cell } from '#server/features/imports/pipeline/read/cells.ts'
import type { StoredColumn } from './imports.queries.ts'
import { prepareImportJob } from './prepare.job.ts'

type Source = z.output<typeof ImportSource>['source']
type NewImport = Omit<Insertable<DB['imports']>, 'created_by' | 'created_by_name'>

/** Starts an import of a document of the account, or of an upload, which becomes a document. Returns its id. */
export async function importFile(ctx: Context, accountId: string, source: Source): Promise<string> {
  await requireVisibleAccount(ctx.db, ctx.viewer, accountId)
  const file = 'key' in source ? await registerUpload(ctx, accountId, source.key) : await documentOf(ctx, accountId, source.file_id)
  const mapping = Object.fromEntries(Object.entries(source.mapping ?? {}).filter(([, target]) => target !== null))
  return transact(ctx, (tx) =>
    insertImport(tx, {
      ...file,
      account_id: accountId,
      activity: 'reading',
      sheet_index: source.sheet ?? null,
      header_row: source.header_row ?? null,
      mapping: JSON.stringify(mapping),
    }),
  )
}

async function insertImport(tx: WriteContext, values: NewImport): Promise<string> {
  const created_by_name = viewerName(tx.viewer, tx.config.product.name)
  const { id } = await tx.db
    .insertInto('imports')
    .values({ ...values, created_by: viewerId(tx.viewer), created_by_name })
    .returning('id')
    .executeTakeFirstOrThrow()
  await enqueue(tx, prepareImportJob, { importId: id }, { singletonKey: id })
  return id
}

/**
 * Registers the file as a submission document, since it is the source of every imported value. It is private until the commit, so that
 * other companies see no values that are not in the register.
 */
async function registerUpload(ctx: Context, accountId: string, key: string) {
  const file = await ctx.db
    .selectFrom('uploads')
    .select(['file_name as name', 'size', 'content_type as type'])
    .where('key', '=', key)
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow(() => notFound('Upload'))
  // The commit discloses only documents whose upload has this purpose.
  await ctx.db.updateTable('uploads').set({ purpose: 'import' }).where('key', '=', key).where('registered_at', 'is', null).execute()
  const isPrivate = can(ctx.viewer, 'update_account_files') || undefined
  const upload = { file, s3ObjectLocation: key, account_id: accountId, sov: true, private: isPrivate, category: 'sov' } as const
  const { id } = await registerFile(ctx, upload)
  // A user of another company does not see private documents, but may import the own upload.
  return sourceFile(ctx, accountId, id).executeTakeFirstOrThrow(() => notFound('Document'))
}

const documentOf = (ctx: Context, accountId: string, id: string) =>
  sourceFile(ctx, accountId, id)
    .where(visibleFiles(ctx.viewer))
    .executeTakeFirstOrThrow(() => notFound('Document'))

const sourceFile = (ctx: Context, accountId: string, id: string) =>
  ctx.db
    .selectFrom('account_files')
    .select(['id as file_id', 'storage_key', 'original_file_name as file_name', 'sha256'])
    .where('id', '=', id)
    .where('account_id', '=', accountId)
    .where('deleted_at', 'is', null)

type Properties = z.output<typeof ImportProperties>['properties']

/** Starts an import of rows with the field names of the register: there is no file to read. Returns its id. */
export async function importProperties(ctx: Context, accountId: string, properties: Properties): Promise<string> {
  await requireVisibleAccount(ctx.db, ctx.viewer, accountId)
  const fields = fieldsOf(properties)
  const labels = fields.map((name) => propertyField(name).label)
  const cells = properties.map((property) => fields.map((name) => property[name] ?? null))
  const columns = sheetColumns(labels, cells).map((column, index): StoredColumn => ({
    ...describeColumn(column),
    target: fields[index] ?? null,
    score: 1,
    status: 'mapped',
    saved: false,
    note: null,
  }))
  const rows = properties.length + 1
  const sheet = { index: 0, name: 'Properties', hidden: false, rows, lastRow: rows, sold: false, merges: [], taken: true, headerRow: 1 }
  return transact(ctx, async (tx) => {
    const id = await insertImport(tx, {
      account_id: accountId,
      state: 'mapped',
      activity: 'validating',
      file_name: `${plural(properties.length, 'property', 'properties')} sent by an application`,
      sheets: JSON.stringify([sheet]),
      sheet_index: 0,
      header_row: 1,
      columns: JSON.stringify(columns),
      mapping: JSON.stringify(Object.fromEntries(columns.map(({ column, target }) => [column, target]))),
      counts: JSON.stringify({ lastRow: rows }),
    })
    await stageRows(tx, id, labels, cells)
    return id
  })
}

function fieldsOf(properties: Properties): PropertyFieldName[] {
  const sent = new Set(properties.flatMap((property) => Object.keys(property)))
  const unknown = [...sent].filter((name) => !isPropertyField(name) || !propertyField(name).importable)
  if (unknown.length > 0) throw invalid({ properties: [`Unknown fields: ${unknown.slice(0, 5).join(', ')}.`] })
  return PROPERTY_FIELD_NAMES.filter((name) => sent.has(name))
}

async function stageRows(tx: WriteContext, id: string, labels: readonly string[], cells: readonly (readonly Cell[])[]): Promise<void> {
  const rows = [{ row: 1, kind: 'header', cells: labels }, ...cells.map((row, index) => ({ row: index + 2, kind: 'data', cells: row }))]
  await sql`INSERT INTO import_rows (import_id, row_number, sheet_row, kind, cells)
    SELECT ${id}::uuid, s."row", s."row", s.kind, s.cells
      FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS s ("row" integer, kind text, cells jsonb)`.execute(tx.db)
}

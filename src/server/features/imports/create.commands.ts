import { sql } from 'kysely'
import type { z } from 'zod'
import { isPropertyField } from '#contract/account-properties.ts'
import type { ImportProperties, ImportSource } from '#contract/import-inputs.ts'
import { PROPERTY_FIELD_NAMES, type PropertyFieldName, propertyField } from '#contract/property-fields.ts'
import { visibleFiles } from '#server/access/account-files.ts'
import { requireVisibleAccount } from '#server/access/require.ts'
import { viewerId, viewerName } from '#server/access/viewer.ts'
import type { Context, WriteContext } from '#server/engines/context.ts'
import { enqueue } from '#server/engines/jobs/define-job.ts'
import { transact } from '#server/engines/transaction/transact.ts'
import { registerFile } from '#server/features/account-files/register.commands.ts'
import { invalid, notFound } from '#server/kernel/errors.ts'
import { columnLetter } from '#server/features/imports/pipeline/read/cells.ts'
import type { ImportRecord, StoredColumn } from './imports.queries.ts'
import { prepareImportJob } from './prepare.job.ts'

type Source = z.output<typeof ImportSource>['source']

interface SourceFile {
  id: string
  storage_key: string
  original_file_name: string
  sha256: string | null
}

export interface StartedImport {
  id: string
  state: ImportRecord['state']
}

/** Starts an import of a document of the account, or of an upload, which becomes a document. */
export async function importFile(ctx: Context, accountId: string, source: Source): Promise<StartedImport> {
  await requireVisibleAccount(ctx.db, ctx.viewer, accountId)
  const file = await sourceFile(ctx, accountId, 'key' in source ? await registerUpload(ctx, accountId, source.key) : source.file_id)
  return transact(ctx, async (tx) => {
    const { id } = await tx.db
      .insertInto('imports')
      .values({
        account_id: accountId,
        activity: 'reading',
        file_id: file.id,
        storage_key: file.storage_key,
        file_name: file.original_file_name,
        sha256: file.sha256,
        sheet_index: source.sheet ?? null,
        header_row: source.header_row ?? null,
        mapping: JSON.stringify(Object.fromEntries(Object.entries(source.mapping ?? {}).filter(([, target]) => target !== null))),
        created_by: viewerId(tx.viewer),
        created_by_name: viewerName(tx.viewer, tx.config.product.name),
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await enqueue(tx, prepareImportJob, { importId: id }, { singletonKey: id })
    return { id, state: 'uploaded' }
  })
}

/** Registers the file as a submission document, since it is the source of every imported value. */
async function registerUpload(ctx: Context, accountId: string, key: string): Promise<string> {
  const upload = await ctx.db
    .selectFrom('uploads')
    .select(['file_name', 'size', 'content_type'])
    .where('key', '=', key)
    .where('account_id', '=', accountId)
    .executeTakeFirst()
  if (upload === undefined) throw notFound('Upload')
  const { file_name: name, size, content_type: type } = upload
  const { id } = await registerFile(ctx, {
    file: { name, size, type },
    s3ObjectLocation: key,
    account_id: accountId,
    sov: true,
    category: 'sov',
  })
  return id
}

async function sourceFile(ctx: Context, accountId: string, id: string): Promise<SourceFile> {
  const file = await ctx.db
    .selectFrom('account_files')
    .select(['id', 'storage_key', 'original_file_name', 'sha256'])
    .where('id', '=', id)
    .where('account_id', '=', accountId)
    .where('deleted_at', 'is', null)
    .where(visibleFiles(ctx.viewer))
    .executeTakeFirst()
  if (file === undefined) throw notFound('Document')
  return file
}

/** Starts an import of rows with the field names of the register: there is no file to read. */
export async function importProperties(
  ctx: Context,
  accountId: string,
  { properties }: z.output<typeof ImportProperties>,
): Promise<StartedImport> {
  await requireVisibleAccount(ctx.db, ctx.viewer, accountId)
  const fields = fieldsOf(properties)
  const columns = fields.map((name, index) => exactColumn(name, index, properties))
  return transact(ctx, async (tx) => {
    const { id } = await tx.db
      .insertInto('imports')
      .values({
        account_id: accountId,
        state: 'mapped',
        activity: 'validating',
        file_name: `${properties.length.toLocaleString('en-US')} properties sent by an application`,
        sheets: JSON.stringify([
          {
            index: 0,
            name: 'Properties',
            hidden: false,
            rows: properties.length + 1,
            lastRow: properties.length + 1,
            sold: false,
            merges: [],
            taken: true,
            headerRow: 1,
            layout: '',
            alike: [],
          },
        ]),
        sheet_index: 0,
        header_row: 1,
        columns: JSON.stringify(columns),
        mapping: JSON.stringify(Object.fromEntries(columns.map(({ column, target }) => [column, target]))),
        counts: JSON.stringify({ lastRow: properties.length + 1 }),
        created_by: viewerId(tx.viewer),
        created_by_name: viewerName(tx.viewer, tx.config.product.name),
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await stageProperties(tx, id, fields, properties)
    await enqueue(tx, prepareImportJob, { importId: id }, { singletonKey: id })
    return { id, state: 'mapped' }
  })
}

type Properties = z.output<typeof ImportProperties>['properties']

function fieldsOf(properties: Properties): PropertyFieldName[] {
  const sent = new Set(properties.flatMap((property) => Object.keys(property)))
  const unknown = [...sent].filter((name) => !isPropertyField(name) || !propertyField(name).importable)
  if (unknown.length > 0) throw invalid({ properties: [`Unknown fields: ${unknown.slice(0, 5).join(', ')}.`] })
  return PROPERTY_FIELD_NAMES.filter((name) => sent.has(name))
}

const exactColumn = (name: PropertyFieldName, index: number, properties: Properties): StoredColumn => ({
  column: columnLetter(index + 1),
  header: propertyField(name).label,
  target: name,
  score: 1,
  status: 'mapped',
  saved: false,
  note: null,
  samples: [
    ...new Set(
      properties
        .slice(0, 20)
        .flatMap((property) => (property[name] === null || property[name] === undefined ? [] : [String(property[name])])),
    ),
  ].slice(0, 3),
  filled: properties.filter((property) => property[name] !== null && property[name] !== undefined).length,
})

async function stageProperties(tx: WriteContext, id: string, fields: readonly PropertyFieldName[], properties: Properties): Promise<void> {
  const rows = [
    { row: 1, kind: 'header', cells: fields.map((name) => propertyField(name).label) },
    ...properties.map((property, index) => ({ row: index + 2, kind: 'data', cells: fields.map((name) => property[name] ?? null) })),
  ]
  await sql`INSERT INTO import_rows (import_id, row_number, sheet_row, kind, cells)
    SELECT ${id}::uuid, s."row", s."row", s.kind, s.cells FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS s ("row" integer, kind text, cells jsonb)`.execute(
    tx.db,
  )
}

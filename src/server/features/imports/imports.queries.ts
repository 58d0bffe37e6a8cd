import { sql, type SqlBool } from 'kysely'
import { z } from 'zod'
import { ImportModes } from '#contract/import-inputs.ts'
import { ColumnWord } from '#contract/import-words.ts'
import { IMPORT_ACTIVITIES, IMPORT_STATES, IMPORT_TABS, Import, ImportColumn, ImportSums, IssueGroup, Undone } from '#contract/imports.ts'
import { visibleImports } from '#server/access/imports.ts'
import { requireVisibleAccount } from '#server/access/require.ts'
import type { Reader } from '#server/access/viewer.ts'
import type { Context } from '#server/engines/context.ts'
import { idIn } from '#server/engines/record/define-record.ts'
import { atMostEvery } from '#server/engines/jobs/event-loop.ts'
import { notFound } from '#server/kernel/errors.ts'
import type { ColumnStyle } from '#server/features/imports/pipeline/validate/results.ts'
import { StoredSheet } from './stored-sheet.ts'

const StoredColumn = ImportColumn.omit({ letter: true, state: true, field: true, split: true, words: true }).extend({
  column: z.string(),
  target: z.string().nullable(),
  status: z.enum(['mapped', 'confirm', 'unmapped']),
  saved: z.boolean(),
})
export type StoredColumn = z.output<typeof StoredColumn>

const StoredColumnWord = ColumnWord.omit({ choice: true })
export type StoredColumnWord = z.output<typeof StoredColumnWord>

/** What a word means in the columns of a field. The word is a `wordKey`. */
const StoredWord = z.object({
  field: z.string(),
  word: z.string(),
  code: z.string(),
  /** From an earlier import. */
  remembered: z.boolean(),
})
export type StoredWord = z.output<typeof StoredWord>

const StoredCounts = z.object({
  tabs: z
    .record(z.string(), z.number())
    .pipe(z.partialRecord(z.enum(IMPORT_TABS), z.number()))
    .default({}),
  issues: z.array(IssueGroup).default([]),
  questions: Import.shape.questions.default([]),
  /** By column letter. */
  words: z.record(z.string(), z.array(StoredColumnWord)).default({}),
  unmappedMoney: Import.shape.unmapped_money.default([]),
  /** Another table to the right of the schedule: its first and last column, and its rows and amounts, which are not imported. */
  sideTable: z
    .object({ from: z.string(), to: z.string(), rows: z.number(), amounts: Import.shape.unmapped_money })
    .nullable()
    .default(null),
  /** The numbers of the locations that may be totals, about which there is a question. */
  possibleSums: z.array(z.number()).default([]),
  /** Those of them that have nothing of their own, so that they probably are. */
  likelySums: z.array(z.number()).default([]),
  /** The column that names what the amount of each row insures. */
  coverageColumn: z.string().nullable().default(null),
  /** What the divested sheets propose. */
  sold: z
    .array(
      z.object({ index: z.number(), rows: z.number(), found: z.number(), stillListed: z.number(), unclearDate: z.string().optional() }),
    )
    .default([]),
  /** Removals that are preselected. */
  ticked: z.number().default(0),
  /** Number of rows in the selected sheets. */
  lastRow: z.number().default(0),
  validatedAt: z.string().nullable().default(null),
  /** The figures of the preview in additive form, and how the mapped columns were read, for the next check of some rows. */
  tally: z.record(z.string(), z.number()).default({}),
  styles: z.record(z.string(), z.custom<Pick<ColumnStyle, keyof ColumnStyle>>()).nullable().default(null),
  /** Who undid the import, and what this did. Null in an import that was undone before this was stored. */
  undone: Undone.omit({ at: true }).nullable().default(null),
  /** Whether the commit showed the document to other companies. False if a user made it private before the undo. */
  disclosed: z.boolean().default(false),
})

export const ImportRecord = z.object({
  id: z.string(),
  account_id: z.string(),
  state: z.enum(IMPORT_STATES),
  activity: z.enum(IMPORT_ACTIVITIES).nullable(),
  progress_done: z.number(),
  progress_total: z.number(),
  failure: z.string().nullable(),
  file_id: z.string().nullable(),
  storage_key: z.string().nullable(),
  file_name: z.string(),
  sha256: z.string().nullable(),
  sheets: z.array(StoredSheet),
  sheet_index: z.number().nullable(),
  header_row: z.number().nullable(),
  columns: z.array(StoredColumn),
  mapping: z.record(z.string(), z.string()),
  constants: z.record(z.string(), z.string()),
  words: z.array(StoredWord),
  mode: ImportModes,
  empty_clears: z.boolean(),
  counts: StoredCounts,
  sold_sheets: z.array(z.number()).nullable(),
  sums: z.union([ImportSums, z.object({}).transform(() => null)]),
  register_version: z.number().nullable(),
  version: z.number(),
  created_by: z.string().nullable(),
  created_by_name: z.string(),
  created_at: z.date(),
  committed_at: z.date().nullable(),
  undone_at: z.date().nullable(),
})
/** A stored import with its JSON columns parsed. */
export type ImportRecord = z.output<typeof ImportRecord>

/** Without a check of the viewer's access. */
export async function loadImport(db: Reader, id: string): Promise<ImportRecord> {
  const query = db.selectFrom('imports').selectAll().where('id', '=', id)
  return ImportRecord.parse(await query.executeTakeFirstOrThrow(() => notFound('Import')))
}

/** Whether the register has changed since the preview was made. */
export async function isRegisterChanged(db: Reader, { account_id, state, register_version }: ImportRecord): Promise<boolean> {
  if (state !== 'validated') return false
  const account = await db.selectFrom('accounts').select('register_version').where('id', '=', account_id).executeTakeFirst()
  return account !== undefined && account.register_version !== register_version
}

/** An import that the viewer can see. */
export async function findImport(ctx: Context, id: string): Promise<ImportRecord> {
  const query = ctx.db.selectFrom('imports').selectAll().where('id', '=', id).where(visibleImports(ctx.viewer))
  return ImportRecord.parse(await query.executeTakeFirstOrThrow(() => notFound('Import')))
}

/** Added to a change by a user, so that work on the former version is not stored. */
export const NEXT_VERSION = { version: sql<number>`version + 1` }

/** Values that are undefined stay as they are. */
type Change = { [K in Exclude<keyof ImportRecord, 'id' | 'account_id' | 'version' | 'created_at'>]?: ImportRecord[K] | undefined }

/** The UPDATE of an import with its JSON columns encoded, for further conditions. */
export function changeImport(db: Reader, id: string, change: Change) {
  const { sheets, columns, mapping, constants, words, counts, sums } = change
  const documents = Object.entries({ sheets, columns, mapping, constants, words, counts, sums: sums === null ? {} : sums })
  return db
    .updateTable('imports')
    .set({
      ...change,
      ...Object.fromEntries(documents.map(([name, value]) => [name, value && JSON.stringify(value)])),
      updated_at: sql`now()`,
    })
    .where('id', '=', id)
}

/** Changes an import, unless it was changed since it was read. */
export async function saveImport(db: Reader, { id, version, state }: ImportRecord, change: Change): Promise<void> {
  await changeImport(db, id, change).where('version', '=', version).where('state', '=', state).execute()
}

/** Stores how many rows of the current step are done. */
export async function saveProgress(db: Reader, { id, version }: ImportRecord, done: number, total: number): Promise<void> {
  await changeImport(db, id, { progress_done: done, progress_total: total }).where('version', '=', version).execute()
}

const PROGRESS_EVERY_MS = 250

/** Like `saveProgress`, for many small batches: each save is a commit that the work waits for. */
export const progressSaver = (db: Reader, record: ImportRecord, total: number) =>
  atMostEvery(PROGRESS_EVERY_MS, (done: number) => saveProgress(db, record, done, total))

/** Without a check of the viewer's access. */
export const importsWithIds = async (db: Reader, ids: readonly string[]): Promise<ImportRecord[]> =>
  (await db.selectFrom('imports').selectAll().where(idIn('imports', ids)).execute()).map((row) => ImportRecord.parse(row))

const HISTORY_MAX = 200

export async function importsOfAccount(ctx: Context, accountId: string): Promise<ImportRecord[]> {
  await requireVisibleAccount(ctx.db, ctx.viewer, accountId)
  const rows = await ctx.db
    .selectFrom('imports')
    .selectAll()
    .where('account_id', '=', accountId)
    .where(visibleImports(ctx.viewer))
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(HISTORY_MAX)
    .execute()
  return rows.map((row) => ImportRecord.parse(row))
}

/** Not in the register, and not ended by a user. */
export const CANCELABLE_STATES = ['uploaded', 'parsed', 'mapped', 'validated', 'failed'] as const satisfies readonly ImportRecord['state'][]

/** The imports into the register of the account that were not undone. */
export const committedImports = (db: Reader, accountId: string) =>
  db.selectFrom('imports').where('account_id', '=', accountId).where('state', '=', 'committed')

/** SQL condition of an effect `e` on a property `p`: not edited since the import. */
export const untouchedSql = sql<SqlBool>`p.version = e.version_after AND p.deleted_at IS NULL`

/** The newest committed import of the account, if any of its effects can be undone. */
export async function undoableImport(db: Reader, accountId: string): Promise<string | undefined> {
  const id = await newestCommitted(db, accountId)
  if (id === undefined) return undefined
  const { rows } = await sql`SELECT FROM import_effects e JOIN account_properties p ON p.id = e.property_id
    WHERE e.import_id = ${id} AND ${untouchedSql} LIMIT 1`.execute(db)
  return rows.length === 0 ? undefined : id
}

/** The newest committed import of the account, the only one that can be undone. */
export async function newestCommitted(db: Reader, accountId: string): Promise<string | undefined> {
  const newest = committedImports(db, accountId).limit(1).select('id').orderBy('committed_at', 'desc').orderBy('id', 'desc')
  return (await newest.executeTakeFirst())?.id
}

/** The last committed import of a file with the same content, and the newest one after it, of those that the viewer can see. */
export async function earlierImport(ctx: Context, { id, account_id, sha256 }: ImportRecord): Promise<Import['repeats']> {
  const visible = committedImports(ctx.db, account_id)
    .where(visibleImports(ctx.viewer))
    .where('id', '<>', id)
    .orderBy('committed_at', 'desc')
    .orderBy('id', 'desc')
    .select(['id', 'file_name', 'created_at', 'committed_at'])
    .limit(1)
  const earlier = await visible.where('sha256', '=', sha256).executeTakeFirst()
  if (!earlier?.committed_at) return null
  const newest = await visible.executeTakeFirst()
  const { file_name, created_at, committed_at } = earlier
  const later = newest && newest.id !== earlier.id ? newest.file_name : null
  return { file_name, created_at: created_at.toISOString(), committed_at: committed_at.toISOString(), later }
}

interface StoredError {
  row: number
  sheet_row: number
  sheet_index: number
  field: string | null
  message: string
}

const ERRORS_SHOWN = 100

export async function firstErrors(db: Reader, importId: string): Promise<StoredError[]> {
  const { rows } = await sql<StoredError>`SELECT r.row_number AS row, r.sheet_row, r.sheet_index, i.issue->>'field' AS field,
      i.issue->>'message' AS message
    FROM import_rows r CROSS JOIN LATERAL jsonb_array_elements(r.issues) WITH ORDINALITY AS i (issue, position)
    WHERE r.import_id = ${importId} AND r.tab = 'errors' AND i.issue->>'severity' = 'error'
    ORDER BY r.row_number, i.position LIMIT ${ERRORS_SHOWN}`.execute(db)
  return rows
}

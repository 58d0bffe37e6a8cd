import { sql } from 'kysely'
import { z } from 'zod'
import { ImportModes } from '#contract/import-inputs.ts'
import { IMPORT_ACTIVITIES, IMPORT_STATES, IMPORT_TABS, ImportSums, IssueGroup } from '#contract/imports.ts'
import { visibleAccounts } from '#server/access/accounts.ts'
import { requireVisibleAccount } from '#server/access/require.ts'
import type { Reader } from '#server/access/viewer.ts'
import type { Context } from '#server/engines/context.ts'
import { notFound } from '#server/kernel/errors.ts'

const Merge = z.object({ top: z.number(), left: z.number(), bottom: z.number(), right: z.number() })

const StoredSheet = z.object({
  index: z.number(),
  name: z.string(),
  hidden: z.boolean(),
  rows: z.number(),
  lastRow: z.number(),
  sold: z.boolean(),
  merges: z.array(Merge),
  /** Selected for import, alone or joined with other sheets. */
  taken: z.boolean().default(false),
  /** Within the sheet. For the first selected sheet `header_row` of the import counts. */
  headerRow: z.number().nullable().default(null),
  layout: z.string().default(''),
  alike: z.array(z.number()).default([]),
})
export type StoredSheet = z.output<typeof StoredSheet>

const StoredColumn = z.object({
  column: z.string(),
  header: z.string(),
  target: z.string().nullable(),
  score: z.number(),
  status: z.enum(['mapped', 'confirm', 'unmapped']),
  saved: z.boolean(),
  note: z.enum(['older_year', 'no_home', 'empty', 'sum_of']).nullable(),
  samples: z.array(z.string()),
  filled: z.number(),
})
export type StoredColumn = z.output<typeof StoredColumn>

const StoredCounts = z.object({
  tabs: z
    .record(z.string(), z.number())
    .pipe(z.partialRecord(z.enum(IMPORT_TABS), z.number()))
    .default({}),
  issues: z.array(IssueGroup).default([]),
  questions: z.array(z.object({ constant: z.string(), suggestion: z.string(), message: z.string() })).default([]),
  /** What the divested sheets propose. */
  sold: z.array(z.object({ index: z.number(), rows: z.number(), found: z.number(), stillListed: z.number() })).default([]),
  /** Removals that are preselected. */
  ticked: z.number().default(0),
  /** Number of rows in the selected sheets. */
  lastRow: z.number().default(0),
  validatedAt: z.string().nullable().default(null),
})
export type StoredCounts = z.output<typeof StoredCounts>

const ImportRecord = z.object({
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

const parseImport = (row: unknown): ImportRecord => ImportRecord.parse(row)

/** Without a check of the viewer's access. */
export async function loadImport(db: Reader, id: string): Promise<ImportRecord | undefined> {
  const row = await db.selectFrom('imports').selectAll().where('id', '=', id).executeTakeFirst()
  return row && parseImport(row)
}

type Change = Partial<Omit<ImportRecord, 'id' | 'account_id' | 'version' | 'created_at'>>

/** Changes an import, unless it was changed since it was read. */
export async function saveImport(db: Reader, { id, version, state }: ImportRecord, change: Change): Promise<void> {
  const { sheets, columns, mapping, constants, counts, sums, ...plain } = change
  const documents = Object.fromEntries(
    Object.entries({ sheets, columns, mapping, constants, counts, sums: sums === null ? {} : sums }).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, JSON.stringify(value)]],
    ),
  )
  await db
    .updateTable('imports')
    .set({ ...plain, ...documents, updated_at: sql`now()` })
    .where('id', '=', id)
    .where('version', '=', version)
    .where('state', '=', state)
    .execute()
}

/** Stores how many rows of the current step are done. */
export async function saveProgress(db: Reader, { id, version }: ImportRecord, done: number, total: number): Promise<void> {
  await db
    .updateTable('imports')
    .set({ progress_done: done, progress_total: total })
    .where('id', '=', id)
    .where('version', '=', version)
    .execute()
}

/** An import of an account that the viewer can see and that is not deleted. */
export async function findImport(ctx: Context, id: string): Promise<ImportRecord> {
  const row = await ctx.db
    .selectFrom('imports')
    .selectAll()
    .where('id', '=', id)
    .where(visibleAccounts(ctx.viewer, 'imports.account_id'))
    .where((where) =>
      where.exists(
        where.selectFrom('accounts').select('id').whereRef('accounts.id', '=', 'imports.account_id').where('deleted_at', 'is', null),
      ),
    )
    .executeTakeFirst()
  if (row === undefined) throw notFound('Import')
  return parseImport(row)
}

const HISTORY_MAX = 200

export async function importsOfAccount(ctx: Context, accountId: string): Promise<ImportRecord[]> {
  await requireVisibleAccount(ctx.db, ctx.viewer, accountId)
  const rows = await ctx.db
    .selectFrom('imports')
    .selectAll()
    .where('account_id', '=', accountId)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(HISTORY_MAX)
    .execute()
  return rows.map(parseImport)
}

/** The newest committed import of the account, the only one that can be undone. */
export async function newestCommitted(db: Reader, accountId: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('imports')
    .select('id')
    .where('account_id', '=', accountId)
    .where('state', '=', 'committed')
    .orderBy('committed_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.id
}

/** An earlier committed import of a file with the same content. */
export async function earlierImport(
  db: Reader,
  { id, account_id, sha256 }: ImportRecord,
): Promise<{ file_name: string; created_at: Date } | undefined> {
  if (sha256 === null) return undefined
  return db
    .selectFrom('imports')
    .select(['file_name', 'created_at'])
    .where('account_id', '=', account_id)
    .where('sha256', '=', sha256)
    .where('state', '=', 'committed')
    .where('id', '<>', id)
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst()
}

export interface StoredError {
  row_number: number
  sheet_row: number
  sheet_index: number
  field: string | null
  message: string
}

const ERRORS_SHOWN = 100

export async function firstErrors(db: Reader, importId: string): Promise<StoredError[]> {
  const { rows } =
    await sql<StoredError>`SELECT r.row_number, r.sheet_row, r.sheet_index, i.issue->>'field' AS field, i.issue->>'message' AS message
    FROM import_rows r CROSS JOIN LATERAL jsonb_array_elements(r.issues) AS i (issue)
    WHERE r.import_id = ${importId} AND r.tab = 'errors' AND i.issue->>'severity' = 'error'
    ORDER BY r.row_number LIMIT ${ERRORS_SHOWN}`.execute(db)
  return rows
}

import { sql } from 'kysely'
import { z } from 'zod'
import { ImportModes } from '#contract/import-inputs.ts'
import { IMPORT_ACTIVITIES, IMPORT_STATES, IMPORT_TABS, ImportSums, IssueGroup } from '#contract/imports.ts'
import type { Reader } from '#server/access/viewer.ts'

const Merge = z.object({ top: z.number(), left: z.number(), bottom: z.number(), right: z.number() })

const StoredSheet = z.object({
  index: z.number(),
  name: z.string(),
  hidden: z.boolean(),
  rows: z.number(),
  lastRow: z.number(),
  sold: z.boolean(),
  merges: z.array(Merge),
  /** Imported together with the other sheets that are. */
  taken: z.boolean().default(false),
  /** In the sheet itself; the header of the first sheet taken stands with the import. */
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
  /** What the sold sheets in use propose. */
  sold: z.array(z.object({ index: z.number(), rows: z.number(), found: z.number(), stillListed: z.number() })).default([]),
  /** Removals that are carried out unless a person unticks them. */
  ticked: z.number().default(0),
  /** Last row of the sheets. */
  lastRow: z.number().default(0),
  validatedAt: z.string().nullable().default(null),
})
export type StoredCounts = z.output<typeof StoredCounts>

const Record_ = z.object({
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
/** An import as stored, its documents parsed. */
export type ImportRecord = z.output<typeof Record_>

/** Undefined when there is none; nobody is asked whether they may see it. */
export async function loadImport(db: Reader, id: string): Promise<ImportRecord | undefined> {
  const row = await db.selectFrom('imports').selectAll().where('id', '=', id).executeTakeFirst()
  return row && Record_.parse(row)
}

export const parseImport = (row: unknown): ImportRecord => Record_.parse(row)

type Change = Partial<
  Pick<
    ImportRecord,
    | 'state'
    | 'activity'
    | 'failure'
    | 'sheet_index'
    | 'header_row'
    | 'mode'
    | 'empty_clears'
    | 'register_version'
    | 'sha256'
    | 'progress_done'
    | 'progress_total'
  >
> & {
  sheets?: readonly StoredSheet[]
  columns?: readonly StoredColumn[]
  mapping?: Readonly<Record<string, string>>
  constants?: Readonly<Record<string, string>>
  counts?: StoredCounts
  sums?: ImportRecord['sums']
}

/** Changes an import unless somebody changed it since it was read; answers whether it did. */
export async function saveImport(db: Reader, { id, version, state }: ImportRecord, change: Change): Promise<boolean> {
  const { sheets, columns, mapping, constants, counts, sums, ...plain } = change
  const documents = Object.fromEntries(
    Object.entries({ sheets, columns, mapping, constants, counts, sums: sums === null ? {} : sums }).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, JSON.stringify(value)]],
    ),
  )
  const { numUpdatedRows } = await db
    .updateTable('imports')
    .set({ ...plain, ...documents, updated_at: sql`now()` })
    .where('id', '=', id)
    .where('version', '=', version)
    .where('state', '=', state)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

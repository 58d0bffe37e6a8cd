import { z } from 'zod'
import { ListMeta } from './datatable.ts'
import { ImportModes, ImportPatch, ImportProperties, ImportSource } from './import-inputs.ts'
import { ImportIssueCodes, ImportIssueSeverities } from './import-issues.ts'
import { ImportRow } from './import-rows.ts'
import { IMPORT_MAX_ROWS, PAGE_SIZE, PAGE_SIZE_MAX, PROPERTIES_BODY_MAX_BYTES } from './limits.ts'
import { ById, Flag01, Id, Whole, blob, json, jsonWith, type Call } from './route.ts'

export const IMPORT_STATES = ['uploaded', 'parsed', 'mapped', 'validated', 'committed', 'cancelled', 'failed', 'undone'] as const
export const IMPORT_ACTIVITIES = ['reading', 'validating', 'committing', 'undoing'] as const
export const IMPORT_TABS = ['add', 'change', 'unchanged', 'remove', 'conflict', 'excluded', 'errors'] as const
export type ImportTab = (typeof IMPORT_TABS)[number]
export const COLUMN_STATES = ['mapped', 'confirm', 'unmapped', 'ignored', 'custom'] as const

const Counts = z.record(z.enum(IMPORT_TABS), z.number())

export const ImportColumn = z.object({
  letter: z.string(),
  header: z.string(),
  samples: z.array(z.string()),
  /** Cells of data rows that hold something. */
  filled: z.number(),
  state: z.enum(COLUMN_STATES),
  field: z.string().nullable(),
  /** How sure the proposal is, 0 to 1. */
  score: z.number(),
  /** Why a column has no field, or how it joins one. */
  note: z.enum(['older_year', 'no_home', 'empty', 'sum_of']).nullable(),
})
export type ImportColumn = z.output<typeof ImportColumn>

export const IssueGroup = z.object({
  code: ImportIssueCodes,
  severity: ImportIssueSeverities,
  column: z.string().nullable(),
  header: z.string().nullable(),
  field: z.string().nullable(),
  count: z.number(),
  first_row: z.number(),
})
export type IssueGroup = z.output<typeof IssueGroup>

const Sum = z.object({ rows: z.number(), tiv: z.number() })
export const ImportSums = z.object({ file: Sum, before: Sum, after: Sum, stated: z.number().nullable() })

export const Import = z.object({
  id: Id,
  account_id: Id,
  state: z.enum(IMPORT_STATES),
  /** The same, by the name that clients of the interface know. */
  status: z.enum(IMPORT_STATES),
  /** What the server is doing with it right now. */
  activity: z.enum(IMPORT_ACTIVITIES).nullable(),
  progress: z.object({ done: z.number(), total: z.number() }),
  failure: z.string().nullable(),
  file_name: z.string(),
  file_id: z.string().nullable(),
  /** An earlier committed import of the very same file. */
  repeats: z.object({ file_name: z.string(), created_at: z.string() }).nullable(),
  sheets: z.array(
    z.object({
      index: z.number(),
      name: z.string(),
      rows: z.number(),
      hidden: z.boolean(),
      /** Imported, alone or together with the other sheets taken. */
      taken: z.boolean(),
      /** Has the columns of the first sheet taken, so that both can be imported together. */
      joinable: z.boolean(),
      /** Why it is not taken along, or should not be. */
      note: z.string().nullable(),
    }),
  ),
  /** Sheets that list what was sold, and what they propose to mark divested. */
  sold_sheets: z.array(
    z.object({
      index: z.number(),
      name: z.string(),
      used: z.boolean(),
      rows: z.number(),
      /** Properties of the register that it proposes. */
      found: z.number(),
      /** Rows whose property the schedule still lists, which therefore stays. */
      still_listed: z.number(),
    }),
  ),
  /** The first sheet taken; its header names the columns. */
  sheet: z.number().nullable(),
  header_row: z.number().nullable(),
  columns: z.array(ImportColumn),
  constants: z.record(z.string(), z.string()),
  /** What only a person can say, with the constant that answers it. */
  questions: z.array(z.object({ constant: z.string(), suggestion: z.string(), message: z.string() })),
  mode: ImportModes,
  empty_clears: z.boolean(),
  /** Rows of the sheets taken, blank ones included. */
  total: z.number(),
  counts: Counts,
  /** Rows of the tab of removals that are ticked unless a person says otherwise. */
  ticked: z.number(),
  /** The same by what happened, for clients of the interface (decisions Q85). */
  created: z.number(),
  updated: z.number(),
  failed: z.number(),
  sums: ImportSums.nullable(),
  issues: z.array(IssueGroup),
  /** The first hundred errors; all of them stand in the rows. */
  errors: z.array(
    z.object({ row: z.number(), sheet: z.string(), sheet_row: z.number(), field: z.string().nullable(), message: z.string() }),
  ),
  version: z.number(),
  created_by: z.string(),
  created_at: z.string(),
  committed_at: z.string().nullable(),
  undoable: z.boolean(),
})
export type Import = z.output<typeof Import>

const RowsQuery = z.strictObject({
  tab: z.enum(IMPORT_TABS).optional(),
  page: Whole(1, 100_000).default(1),
  paginate: Whole(1, PAGE_SIZE_MAX).default(PAGE_SIZE),
})
const OfAccount = z.strictObject({ account_id: Id })

export const HistoryItem = Import.pick({
  id: true,
  account_id: true,
  state: true,
  status: true,
  activity: true,
  file_name: true,
  file_id: true,
  total: true,
  counts: true,
  created: true,
  updated: true,
  failed: true,
  created_by: true,
  created_at: true,
  committed_at: true,
  undoable: true,
})
export type HistoryItem = z.output<typeof HistoryItem>

export const ImportField = z.object({
  name: z.string(),
  label: z.string(),
  section: z.string(),
  level: z.enum(['required', 'core', 'optional']),
  headers: z.array(z.string()),
})

export const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
const can = 'bulk_upload_account_properties'

export const importCalls = {
  create: {
    method: 'POST',
    path: '/properties/import/:account_id',
    can,
    summary: 'Begin an import from an uploaded file, a document of the account, or rows in our own field names',
    params: OfAccount,
    body: z.union([ImportSource, ImportProperties]),
    bodyMaxBytes: PROPERTIES_BODY_MAX_BYTES,
    output: json(Import.pick({ id: true, state: true, status: true })),
  },
  show: { method: 'GET', path: '/properties/import/:id', can, summary: 'An import', params: ById, output: json(Import) },
  rows: {
    method: 'GET',
    path: '/properties/import/:id/rows',
    can,
    summary: 'Rows of the sheet, or of one tab of the preview',
    params: ById,
    query: RowsQuery,
    output: jsonWith(z.array(ImportRow), ListMeta),
  },
  update: {
    method: 'PUT',
    path: '/properties/import/:id',
    can,
    summary: 'Change sheet, header, mapping, constants, mode, cells, exclusions or matches; validates again',
    params: ById,
    body: ImportPatch,
    output: json(Import),
  },
  commit: {
    method: 'POST',
    path: '/properties/import/:id/commit',
    can,
    summary: 'Write the preview into the register',
    params: ById,
    body: z.strictObject({ version: z.number().int(), removals: z.array(Id).max(IMPORT_MAX_ROWS).default([]) }),
    bodyMaxBytes: 4 * 1_048_576,
    output: json(Import),
  },
  cancel: {
    method: 'DELETE',
    path: '/properties/import/:id',
    can,
    summary: 'Cancel before the commit, undo after it; others=1 undoes what nobody edited since',
    params: ById,
    query: z.strictObject({ others: Flag01.optional() }),
    output: json(Import),
  },
  rejected: {
    method: 'GET',
    path: '/properties/import/:id/rejected',
    can,
    summary: 'Rejected rows with their messages, as .xlsx',
    params: ById,
    output: blob(XLSX),
  },
  history: {
    method: 'GET',
    path: '/properties/import/:account_id/history',
    can,
    summary: 'Imports of an account, newest first',
    params: OfAccount,
    output: json(z.array(HistoryItem)),
  },
  columns: {
    method: 'GET',
    path: '/properties/import/:account_id/columns',
    can,
    summary: 'Fields a column may be mapped to',
    params: OfAccount,
    output: json(z.array(ImportField)),
  },
} as const satisfies Record<string, Call>

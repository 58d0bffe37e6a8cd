import { z } from 'zod'
import { ImportModes } from './import-inputs.ts'
import { ColumnWord } from './import-words.ts'
import { ImportIssueCodes, ImportIssueSeverities, type ImportIssueCode } from './import-issues.ts'
import { TIV_PARTS } from './property-fields.ts'
import { Id } from './route.ts'

export const IMPORT_STATES = ['uploaded', 'parsed', 'mapped', 'validated', 'committed', 'cancelled', 'failed', 'undone'] as const
/** The states of an import in which it cannot be continued. */
export const FINISHED_IMPORT_STATES: readonly (typeof IMPORT_STATES)[number][] = ['committed', 'undone', 'cancelled', 'failed']
export const IMPORT_ACTIVITIES = ['reading', 'validating', 'committing', 'undoing'] as const
export const IMPORT_TABS = ['add', 'change', 'unchanged', 'remove', 'conflict', 'excluded', 'errors'] as const
export type ImportTab = (typeof IMPORT_TABS)[number]
/** Cells as in the file, or as they were read for the register. */
export const READINGS = ['file', 'register'] as const
export type Reading = (typeof READINGS)[number]
export const COLUMN_STATES = ['mapped', 'confirm', 'unmapped', 'ignored', 'custom'] as const
/** Empty until the rows were checked for the first time. */
const Counts = z.partialRecord(z.enum(IMPORT_TABS), z.number())

export const ImportColumn = z.object({
  letter: z.string(),
  header: z.string(),
  samples: z.array(z.string()),
  /** The samples as they are split; null for a column that is not split. */
  split: z.array(z.string()).nullable(),
  /** Filled cells of the data rows. */
  filled: z.number(),
  state: z.enum(COLUMN_STATES),
  field: z.string().nullable(),
  /** How certain the proposal is, 0 to 1. */
  score: z.number(),
  /** Why a column has no field, or shares one with other columns. */
  note: z.enum(['older_year', 'limit', 'no_home', 'empty', 'sum_of', 'other_table']).nullable(),
  /** For a field with a list of codes: the words that need a choice or have one, the most frequent first. */
  words: z.array(ColumnWord),
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

/** Issues of cells whose content does not become a value. */
const UNREAD_CODES: readonly ImportIssueCode[] = ['not_a_number', 'out_of_range', 'formula_without_value']
const VALUES: readonly (string | null)[] = TIV_PARTS
/** Amounts that could not be read, so that no sum contains them. */
export const isUnreadAmount = ({ code, field }: Pick<IssueGroup, 'code' | 'field'>): boolean =>
  UNREAD_CODES.includes(code) && VALUES.includes(field)

/** `tiv` is null when no row has a value, `currency` when the amounts are in several currencies, so that their sum means nothing. */
const Sum = z.object({ rows: z.number(), tiv: z.number().nullable(), currency: z.string().nullable().default('USD') })
export const ImportSums = z.object({
  file: Sum,
  /** The rows that do not stay out. Null in an import from before this was stored. */
  imported: Sum.nullable().default(null),
  before: Sum,
  after: Sum,
  /** What the totals rows state: their own total, or what they state for `stated_parts`. Without totals rows, the sum of the total column. */
  stated: z.number().nullable(),
  stated_by: z.enum(['totals_row', 'total_column']).default('totals_row'),
  /** The fields that the totals rows have amounts for; empty if they have a total of their own. */
  stated_parts: z.array(z.string()).default([]),
  /** Letters of columns of money without a mapping that the totals rows have an amount for. It is compared with nothing. */
  stated_unmapped: z.array(z.string()).default([]),
  /** What the rows add up to in these fields; of a total column, those rows that have a total, and how many these are. Null in an import from before this was stored. */
  stated_rows: z.number().nullable().default(null),
  stated_in: z.number().nullable().default(null),
  /** Rows with an error or an open decision, and those that are left out by a person or by the mode; then preselected removals. Null in an import from before this was stored. */
  left_out: Sum.nullable().default(null),
  /** How many of the rows in `file` and `left_out` are below another header, so that their values are not known and in no sum. */
  unread_rows: z.number().default(0),
  /** Rows whose values are in those of an earlier row. */
  merged_rows: z.number().default(0),
  removed: Sum.nullable().default(null),
})

/** An undo of an import: who did it when, and to how many properties. */
export const Undone = z.object({
  at: z.string(),
  by: z.string(),
  restored: z.number(),
  /** Added properties that are in the trash now. */
  trashed: z.number(),
  /** Edited after the import, so that the undo left them as they were. */
  unchanged: z.number(),
})

/** An import in the list of an account. */
export const HistoryItem = z.object({
  id: Id,
  account_id: Id,
  state: z.enum(IMPORT_STATES),
  /** Alias of `state` for API clients. */
  status: z.enum(IMPORT_STATES),
  /** What the server is currently doing with it. */
  activity: z.enum(IMPORT_ACTIVITIES).nullable(),
  file_name: z.string(),
  file_id: z.string().nullable(),
  /** Rows of the selected sheets without their header rows, including blank ones. */
  total: z.number(),
  counts: Counts,
  sums: ImportSums.nullable(),
  /** Aliases of counts for API clients; `failed` is null until the rows were checked. */
  created: z.number(),
  updated: z.number(),
  failed: z.number().nullable(),
  created_by: z.string(),
  created_at: z.string(),
  committed_at: z.string().nullable(),
  undoable: z.boolean(),
  /** What a user has not decided yet. Answers block the commit, and so do columns that it does not confirm; it leaves out the rows with decisions. */
  open: z.object({ answers: z.number(), columns: z.number(), decisions: z.number() }),
})
export type HistoryItem = z.output<typeof HistoryItem>

export const Import = HistoryItem.extend({
  /** The register has changed since the rows were checked, so counts and sums are those of before. A change of any setting, also to itself, checks the rows again. */
  register_changed: z.boolean(),
  /** Why the rows cannot be written: they are in another currency than the properties of the account. */
  currency_conflict: z.string().nullable(),
  progress: z.object({ done: z.number(), total: z.number() }),
  failure: z.string().nullable(),
  /** The last committed import of the same file, and the name of the newest file that was imported after it. */
  repeats: z.object({ file_name: z.string(), created_at: z.string(), committed_at: z.string(), later: z.string().nullable() }).nullable(),
  sheets: z.array(
    z.object({
      index: z.number(),
      name: z.string(),
      rows: z.number(),
      hidden: z.boolean(),
      /** Selected for import, alone or joined with other sheets. */
      taken: z.boolean(),
      /** Has the columns of the first selected sheet, so that both can be imported together. */
      joinable: z.boolean(),
      /** Why it is not selected, or should not be. */
      note: z.string().nullable(),
    }),
  ),
  /** Rows of the selected sheets with their header rows: the last number of a row. */
  sheet_rows: z.number(),
  /** Sheets that list divested properties, and what they propose. */
  sold_sheets: z.array(
    z.object({
      index: z.number(),
      name: z.string(),
      used: z.boolean(),
      rows: z.number(),
      /** Properties of the register that it proposes to mark divested, or that are divested already. */
      found: z.number(),
      /** Rows whose property the schedule still lists, so that it is not proposed. */
      still_listed: z.number(),
    }),
  ),
  /** The first selected sheet; its header contains the names of the columns. */
  sheet: z.number().nullable(),
  header_row: z.number().nullable(),
  columns: z.array(ImportColumn),
  constants: z.record(z.string(), z.string()),
  /** What only the user can answer, with the constant that answers it. */
  questions: z.array(
    z.object({
      constant: z.string(),
      suggestion: z.string().nullable(),
      message: z.string(),
      /** Possible answers by value, where they depend on the file. Without a suggestion, which is null, nothing shows which one is probable. */
      options: z.record(z.string(), z.string()).optional(),
    }),
  ),
  mode: ImportModes,
  empty_clears: z.boolean(),
  /**
   * Columns of money that would not be imported. `total` is null if some amounts are not known or they are in several currencies, `currency`
   * unless the column names one. `per_area`: values per square foot or meter, which have no total. `left_out`: by a decision of a user, so
   * nothing is open. `custom_field`: left out of the values, but kept as a custom field.
   */
  unmapped_money: z.array(
    z.object({
      letter: z.string(),
      header: z.string(),
      total: z.number().nullable(),
      currency: z.string().nullable().default(null),
      per_area: z.boolean().optional(),
      left_out: z.boolean().optional(),
      custom_field: z.boolean().optional(),
    }),
  ),
  /** Removals that are preselected. */
  ticked: z.number(),
  /** Null if it was not undone, or before this was stored. */
  undone: Undone.nullable(),
  issues: z.array(IssueGroup),
  /** The first hundred errors; the rows contain all of them. */
  errors: z.array(
    z.object({ row: z.number(), sheet: z.string(), sheet_row: z.number(), field: z.string().nullable(), message: z.string() }),
  ),
  version: z.number(),
})
export type Import = z.output<typeof Import>

/** The columns of money that would not be imported and that no user has left out. */
export const openMoney = (columns: Import['unmapped_money']): Import['unmapped_money'] => columns.filter(({ left_out }) => !left_out)

/** The columns that a commit must name as confirmed, by letter. */
export const columnsToConfirm = ({ columns }: Pick<Import, 'columns'>): string[] =>
  columns.filter(({ state }) => state === 'confirm').map(({ letter }) => letter)

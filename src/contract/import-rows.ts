import { z } from 'zod'
import { ImportIssueCodes, ImportIssueSeverities } from './import-issues.ts'
import { Id } from './route.ts'

const ROW_KINDS = ['data', 'blank', 'header', 'repeated_header', 'title', 'section', 'subtotal', 'total', 'note'] as const
export type RowKind = (typeof ROW_KINDS)[number]

const Value = z.union([z.string(), z.number(), z.boolean(), z.null()])
const PropertySummary = z.object({ id: Id, name: z.string(), full_address: z.string() })

export const ImportRow = z.object({
  /** Counted from 1 over all selected sheets. Changes refer to a row by this number. */
  row: z.number(),
  sheet: z.string(),
  /** As a spreadsheet program shows it. */
  sheet_row: z.number(),
  kind: z.enum(ROW_KINDS),
  excluded: z.boolean(),
  /** The user's decision about the row; null if there is none. */
  choice: z.enum(['excluded', 'included']).nullable(),
  reason: z.string().nullable(),
  hidden: z.boolean(),
  /** Its text is struck through in the file. */
  struck: z.boolean(),
  cells: z.array(Value),
  /** What the file says in the cells that were edited by hand, by column letter; null for an empty cell. */
  edited: z.record(z.string(), Value),
  issues: z.array(
    z.object({
      row: z.number(),
      column: z.string().nullable(),
      header: z.string().nullable(),
      field: z.string().nullable(),
      code: ImportIssueCodes,
      severity: ImportIssueSeverities,
      message: z.string(),
      value: z.string().nullable(),
      suggestion: z.string().nullable(),
    }),
  ),
  property: PropertySummary.nullable(),
  matched_by_hand: z.boolean(),
  candidates: z.array(PropertySummary),
  changes: z.array(z.object({ field: z.string(), before: Value, after: Value })),
  /** Null if none of its values is known. */
  tiv: z.number().nullable(),
  /** Of the amounts; null for a row that is not a location. */
  currency: z.string().nullable(),
  /** For a removal: whether it is preselected. */
  ticked: z.boolean(),
})
export type ImportRow = z.output<typeof ImportRow>

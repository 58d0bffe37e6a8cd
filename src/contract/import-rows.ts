import { z } from 'zod'
import { ImportIssueCodes, ImportIssueSeverities } from './import-issues.ts'
import { Id } from './route.ts'

export const ROW_KINDS = ['data', 'blank', 'header', 'repeated_header', 'title', 'section', 'subtotal', 'total', 'note'] as const
export type RowKind = (typeof ROW_KINDS)[number]

const Value = z.union([z.string(), z.number(), z.boolean(), z.null()])
const Place = z.object({ id: Id, name: z.string(), full_address: z.string() })

export const ImportRow = z.object({
  /** Counted over all sheets of the import, the first one from 1: what a change of the row names it by. */
  row: z.number(),
  sheet: z.string(),
  /** As the spreadsheet program shows it. */
  sheet_row: z.number(),
  kind: z.enum(ROW_KINDS),
  excluded: z.boolean(),
  /** What a person decided about the row; null leaves it to how it was read. */
  choice: z.enum(['excluded', 'included']).nullable(),
  reason: z.string().nullable(),
  hidden: z.boolean(),
  cells: z.array(Value),
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
  property: Place.nullable(),
  matched_by_hand: z.boolean(),
  candidates: z.array(Place),
  changes: z.array(z.object({ field: z.string(), before: Value, after: Value })),
  tiv: z.number().nullable(),
  /** A removal that is carried out unless a person unticks it. */
  ticked: z.boolean(),
})
export type ImportRow = z.output<typeof ImportRow>

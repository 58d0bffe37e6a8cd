import { z } from 'zod'

const Merge = z.object({ top: z.number(), left: z.number(), bottom: z.number(), right: z.number() })

/** A sheet of the file, as it is stored with its import. */
export const StoredSheet = z.object({
  index: z.number(),
  name: z.string(),
  hidden: z.boolean(),
  rows: z.number(),
  /** Null in an import from before this was stored. */
  locations: z.number().nullable().default(null),
  lastRow: z.number(),
  sold: z.boolean(),
  merges: z.array(Merge),
  /** Counted from 1. */
  hiddenColumns: z.array(z.number()).default([]),
  /** Within the sheet. */
  struckRows: z.array(z.number()).default([]),
  /** Of the first rows of delimited text. */
  widths: z.array(z.object({ row: z.number(), width: z.number() })).default([]),
  /** Selected for import, alone or joined with other sheets. */
  taken: z.boolean().default(false),
  /** Within the sheet. For the first selected sheet `header_row` of the import counts. */
  headerRow: z.number().nullable().default(null),
  /** Of its values. */
  year: z.number().nullable().default(null),
  layout: z.string().default(''),
  /** Rows at its top with a value. Null in an import from before this was stored. */
  valued: z.number().nullable().default(null),
  alike: z.array(z.number()).default([]),
  schedule: z.boolean().default(false),
  numbered: z.boolean().default(false),
  transposed: z.boolean().default(false),
  unitNote: z.string().default(''),
  /** Dates at its top that show whether the day or the month comes first. */
  clearDates: z.object({ mdy: z.string().optional(), dmy: z.string().optional() }).default({}),
})
export type StoredSheet = z.output<typeof StoredSheet>

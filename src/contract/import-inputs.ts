import { z } from 'zod'
import { codesOf, labeledByCode } from './code-lists.ts'
import { formatNumber } from './format.ts'
import { WordChoice } from './import-words.ts'
import { IMPORT_MAX_COLUMNS, IMPORT_MAX_ROWS, IMPORT_MAX_SHEETS, SHEET_MAX_ROWS } from './limits.ts'
import { Id } from './route.ts'

export const IMPORT_MODES = labeledByCode('add_and_update', 'add_only', 'update_only', 'full_replacement')
export type ImportMode = keyof typeof IMPORT_MODES
export const ImportModes = z.enum(codesOf(IMPORT_MODES))

/** What a column may be mapped to whose cells contain several fields, or a part of one. */
export const SPLIT_TARGETS = {
  full_address: { label: 'Whole address in one cell', section: 'address' },
  house_number: { label: 'House number of the street', section: 'address' },
  city_state_zip: { label: 'City, state and ZIP in one cell', section: 'address' },
  location_building: { label: 'Location and building in one cell', section: 'identity' },
} as const
export type SplitTarget = keyof typeof SPLIT_TARGETS

/** Counted over all sheets of an import. */
const RowNumber = z
  .number()
  .int()
  .min(1)
  .max(IMPORT_MAX_SHEETS * SHEET_MAX_ROWS)
const SheetIndex = z.number().int().min(0)
const Letter = z.string().regex(/^[A-Z]{1,3}$/, 'This is not the letter of a column.')

const WORD_CHOICES_MAX = 1_000

/** Removes the user's decision about a row. */
const Automatic = z.strictObject({ row: RowNumber, automatic: z.literal(true) })

export const ImportPatch = z
  .strictObject({
    /** Selects one sheet. */
    sheet: SheetIndex.optional(),
    /** Selects these sheets together; they must have the same columns. */
    sheets: z.array(SheetIndex).min(1, 'Please choose at least one sheet.').max(IMPORT_MAX_SHEETS).optional(),
    /** Sheets that list divested properties; without it they are used in the modes that mark properties divested. */
    sold_sheets: z.array(SheetIndex).max(IMPORT_MAX_SHEETS).optional(),
    header_row: RowNumber.optional(),
    /** By column letter: a field, a split (full_address, house_number, city_state_zip, location_building), 'custom' or 'ignore'; null removes the mapping. */
    mapping: z.record(Letter, z.string().max(60).nullable()).optional(),
    /** Replaces the constants: values for fields that a row does not contain, and how the file is read (factor, area_unit, date_order, construction_scheme, occupancy_scheme, tiv_column, included_parts, coverage_rows, repeated_locations, marked_rows, number_dates, dots, bare_amounts, blank_addresses, section_units, heading_states, heading_cities, hidden_rows, other_tables, side_table, other_sheets, struck_rows, possible_sums, new_numbers, many_divested, older_values, unread_amounts, unmapped_values). */
    constants: z.record(z.string().max(60), z.string().max(200)).optional(),
    /** Single constants in addition to the others, such as the answer to a question; null removes one. */
    answers: z.record(z.string().max(60), z.string().max(200).nullable()).optional(),
    /** What words mean, once for all cells; remembered for the next imports of the company. */
    words: z.array(WordChoice).max(WORD_CHOICES_MAX).optional(),
    mode: ImportModes.optional(),
    empty_clears: z.boolean().optional(),
    edits: z
      .array(z.strictObject({ row: RowNumber, column: Letter, value: z.string().max(2_000) }))
      .max(10_000)
      .optional(),
    /** Replaces all equal cells of a column. */
    replace: z.strictObject({ column: Letter, from: z.string().max(2_000), to: z.string().max(2_000) }).optional(),
    exclusions: z
      .array(z.union([z.strictObject({ row: RowNumber, excluded: z.boolean() }), Automatic]))
      .max(IMPORT_MAX_ROWS)
      .optional(),
    /** The property that a row is; null makes it a new one, automatic removes the choice. */
    matches: z
      .array(z.union([z.strictObject({ row: RowNumber, property_id: Id.nullable() }), Automatic]))
      .max(IMPORT_MAX_ROWS)
      .optional(),
  })
  .refine(({ sheet, sheets }) => sheet === undefined || sheets === undefined || (sheets.length === 1 && sheets[0] === sheet), {
    message: 'Please send either sheet or sheets.',
    path: ['sheets'],
  })
export type ImportPatch = z.output<typeof ImportPatch>

/** The proposed removals that a commit marks divested: the preselected ones without `all_except`, and `also` ones that are not preselected. */
const RemovalChoice = z.strictObject({
  all_except: z.array(Id).max(IMPORT_MAX_ROWS),
  also: z.array(Id).max(IMPORT_MAX_ROWS).default([]),
})
export type RemovalChoice = z.output<typeof RemovalChoice>

export const ImportCommit = z.strictObject({
  version: z.number().int(),
  /** Without it, as the preview shows it: all preselected ones. */
  removals: z.union([z.array(Id).max(IMPORT_MAX_ROWS), RemovalChoice]).default({ all_except: [], also: [] }),
  /** Letters of the columns whose proposed fields the user confirms. Each column in the state `confirm` must be one of them. */
  confirmed: z.array(Letter).max(IMPORT_MAX_COLUMNS).default([]),
})
export type ImportCommit = z.output<typeof ImportCommit>

/** How to read the file; everything that is left out is detected. */
const Reading = {
  sheet: SheetIndex.optional(),
  header_row: RowNumber.optional(),
  mapping: z.record(Letter, z.string().max(60).nullable()).optional(),
}

export const ImportSource = z.strictObject({
  source: z.union([z.strictObject({ file_id: Id, ...Reading }), z.strictObject({ key: z.string().min(1).max(1_000), ...Reading })]),
})
export const ImportProperties = z.strictObject({
  properties: z
    .array(z.record(z.string().max(60), z.union([z.string().max(2_000), z.number(), z.boolean(), z.null()])))
    .min(1, 'Please send at least one property.')
    .max(IMPORT_MAX_ROWS, `An import holds at most ${formatNumber(IMPORT_MAX_ROWS)} rows.`),
})

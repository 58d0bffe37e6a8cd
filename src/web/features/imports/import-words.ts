import { PROPERTY_FIELDS } from '#contract/property-fields.ts'
import type { ImportRow } from '#contract/import-rows.ts'
import type { Import, ImportColumn, ImportTab } from '#contract/imports.ts'

export const TAB_LABELS = {
  add: 'Add',
  change: 'Change',
  unchanged: 'Unchanged',
  remove: 'Remove',
  conflict: 'Conflict',
  excluded: 'Excluded',
  errors: 'Errors',
} as const satisfies Record<ImportTab, string>

export const COLUMN_WORDS = {
  mapped: 'Mapped',
  confirm: 'Please confirm',
  unmapped: 'Not mapped',
  ignored: 'Ignored',
  custom: 'Custom field',
} as const satisfies Record<ImportColumn['state'], string>

export const ROW_WORDS = {
  data: 'Location',
  blank: 'Blank row',
  header: 'Header',
  repeated_header: 'Repeated header',
  title: 'Title',
  section: 'Section title',
  subtotal: 'Subtotal',
  total: 'Total',
  note: 'Note',
} as const satisfies Record<ImportRow['kind'], string>

export const ACTIVITY_WORDS = {
  reading: 'Reading the file',
  validating: 'Checking the rows',
  committing: 'Writing to the register',
  undoing: 'Undoing the import',
} as const satisfies Record<NonNullable<Import['activity']>, string>

export const STATE_WORDS = {
  uploaded: 'Waiting to be read',
  parsed: 'In preparation',
  mapped: 'In preparation',
  validated: 'Ready to import',
  committed: 'Imported',
  cancelled: 'Cancelled',
  failed: 'Failed',
  undone: 'Undone',
} as const satisfies Record<Import['state'], string>

/** The label of a field of the register, or the name itself when it is none (a custom column). */
export function fieldLabel(name: string): string {
  return Object.entries(PROPERTY_FIELDS).find(([known]) => known === name)?.[1].label ?? name
}

/** Several sheets are imported together. */
export const isSplit = ({ sheets }: Pick<Import, 'sheets'>): boolean => sheets.filter(({ taken }) => taken).length > 1

/** How a row is named: "Row 12", or "Texas, row 12" when several sheets are imported together. */
export const rowName = (data: Pick<Import, 'sheets'>, { sheet, sheet_row }: Pick<ImportRow, 'sheet' | 'sheet_row'>): string =>
  isSplit(data) ? `${sheet}, row ${sheet_row}` : `Row ${sheet_row}`

/** How a cell is named: "K12", or "Texas, K12". */
export const cellName = (
  data: Pick<Import, 'sheets'>,
  letter: string,
  { sheet, sheet_row }: Pick<ImportRow, 'sheet' | 'sheet_row'>,
): string => (isSplit(data) ? `${sheet}, ${letter}${sheet_row}` : `${letter}${sheet_row}`)

const numbered = (count: number) => count.toLocaleString('en-US')

/** What the button does, exactly: "Add 3, change 57, mark 3 divested". Null when there is nothing to do. */
export function commitSentence(counts: Partial<Record<ImportTab, number>>, removals: number): string | null {
  const { add = 0, change = 0 } = counts
  const deeds = [
    add > 0 ? `add ${numbered(add)}` : '',
    change > 0 ? `change ${numbered(change)}` : '',
    removals > 0 ? `mark ${numbered(removals)} divested` : '',
  ].filter((deed) => deed !== '')
  if (deeds.length === 0) return null
  const sentence = deeds.join(', ')
  return sentence.charAt(0).toUpperCase() + sentence.slice(1)
}

/** What an import has done: "59 added, 57 changed". */
export function doneSentence({ created, updated, counts }: Pick<Import, 'created' | 'updated' | 'counts'>): string {
  const { remove } = counts
  const deeds = [
    created > 0 ? `${numbered(created)} added` : '',
    updated > 0 ? `${numbered(updated)} changed` : '',
    remove > 0 ? `${numbered(remove)} marked divested` : '',
  ]
  return deeds.filter((deed) => deed !== '').join(', ')
}

/** For a preview whose rows are all imported: "All 8,645 rows will be imported." */
export function allImported({ add = 0, change = 0, unchanged = 0 }: Partial<Record<ImportTab, number>>): string {
  const rows = add + change + unchanged
  return rows === 1 ? 'The row will be imported.' : `All ${numbered(rows)} rows will be imported.`
}

/** What the commit leaves aside, so that nobody wonders where a row went. */
export function leftAside(counts: Partial<Record<ImportTab, number>>): string {
  const { errors = 0, conflict = 0, excluded = 0 } = counts
  return [
    errors > 0 ? `${numbered(errors)} with errors` : '',
    conflict > 0 ? `${numbered(conflict)} to decide` : '',
    excluded > 0 ? `${numbered(excluded)} excluded` : '',
  ]
    .filter((part) => part !== '')
    .join(', ')
}

/** A1, Z1, AA1 … from 1. */
export function columnLetter(number: number): string {
  const rest = Math.floor((number - 1) / 26)
  const last = String.fromCharCode(65 + ((number - 1) % 26))
  return rest === 0 ? last : columnLetter(rest) + last
}

export const cellText = (value: string | number | boolean | null | undefined): string =>
  value === null || value === undefined ? '' : String(value)

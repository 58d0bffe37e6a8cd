import { IMPORT_MAX_COLUMNS, IMPORT_MAX_SHEETS } from '#contract/limits.ts'
import { SHEETS_MAX, SHEET_MAX_COLUMNS } from '#contract/reading-limits.ts'

/** How much of a workbook is read. */
export interface ReadLimits {
  sheets: number
  columns: number
  /** An import must not lose a value, so it rejects a file with more. Other readers leave out the rest. */
  beyond: 'rejected' | 'left out'
}

export const IMPORT_LIMITS: ReadLimits = { sheets: IMPORT_MAX_SHEETS, columns: IMPORT_MAX_COLUMNS, beyond: 'rejected' }
/** More columns than a preview shows, because formulas of the columns that it shows refer to others. */
export const PREVIEW_LIMITS: ReadLimits = { sheets: SHEETS_MAX, columns: IMPORT_MAX_COLUMNS, beyond: 'left out' }
/** What a spreadsheet program can hold. */
export const TEXT_LIMITS: ReadLimits = { sheets: SHEETS_MAX, columns: SHEET_MAX_COLUMNS, beyond: 'left out' }

import { SECOND_MS } from './limits.ts'

/** Limits of the previews of documents, with their units in their names. */

/** Of one workbook; a spreadsheet program has no limit but its memory. */
export const SHEETS_MAX = 10_000
export const SHEET_PREVIEW_ROWS = 200
export const SHEET_PREVIEW_COLUMNS = 60
export const SHEET_PREVIEW_CELL_CHARACTERS = 500
export const SHEET_PREVIEW_MS = 10 * SECOND_MS
export const WORD_PREVIEW_MAX_BYTES = 30 * 1_048_576
/** Of all parts together, and of the text of the document. */
export const WORD_UNPACKED_MAX_BYTES = 100 * 1_048_576
export const WORD_TEXT_MAX_BYTES = 10 * 1_048_576
export const WORD_PARTS_MAX = 2_000
export const EMAIL_PREVIEW_MAX_BYTES = 50 * 1_048_576
export const EMAIL_PREVIEW_MS = 15 * SECOND_MS
export const EMAIL_ATTACHMENTS_MAX = 500
export const EMAIL_BODY_MAX_CHARACTERS = 5_000_000

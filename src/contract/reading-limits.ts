import { MINUTE_MS, SECOND_MS } from './limits.ts'

/** Limits of reading files, many of them against malicious ones, with their units in their names. */

// Previews

/** Of one workbook; a spreadsheet program has no limit but its memory. */
export const SHEETS_MAX = 10_000
export const SHEET_MAX_COLUMNS = 16_384
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
export const RTF_MAX_BYTES = 4 * 1_048_576

// Parsing of uploaded spreadsheets: limits against malicious files
export const IMPORT_MAX_MEMBERS = 2_000
export const IMPORT_RATIO_FROM_BYTES = 10 * 1024 ** 2
export const IMPORT_TOKEN_MAX_CHARACTERS = 1_048_576
export const IMPORT_BATCH_ROWS = 1_000
export const IMPORT_BATCH_CELLS = 10_000
export const IMPORT_BATCH_CHARACTERS = 2_000_000
export const IMPORT_READ_MEMORY_MB = 256
export const IMPORT_READ_MS = 2 * MINUTE_MS
export const IMPORT_FORMULA_VISITS = 20_000_000
export const CELL_MAX_CHARACTERS = 32_767
/** Longer texts are too long for every field. The patterns of the readers could take seconds for one of them. */
export const IMPORT_READ_CHARACTERS = 2_000
/** The characters of a header that say what it means. */
export const IMPORT_HEADER_CHARACTERS = 500

// Text of documents, which search finds: limits against malicious and very large files
export const TEXT_READ_MAX_BYTES = 100 * 1024 ** 2
export const TEXT_READ_MS = 2 * MINUTE_MS
export const TEXT_MAX_PAGES = 5_000
export const TEXT_MAX_CHARACTERS = 8_000_000
/** The last word of a search finds longer words that it begins, from this many characters. */
export const TEXT_PREFIX_MIN_CHARACTERS = 3
/** Messages attached to a message, and to these: how deep, how many, and how many bytes of them and their attachments are read. */
export const TEXT_ATTACHED_MESSAGES_DEPTH = 10
export const TEXT_ATTACHED_MESSAGES_MAX = 200
export const TEXT_ATTACHED_MAX_BYTES = 200 * 1024 ** 2
/** Of a text file that the browser shows. */
export const TEXT_PREVIEW_MAX_BYTES = 1_048_576
/** Of the text of a document that is shown in place of its file. */
export const TEXT_SHOWN_MAX_CHARACTERS = 500_000

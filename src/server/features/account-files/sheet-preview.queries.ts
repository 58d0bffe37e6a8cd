import { IMPORT_MAX_BYTES } from '#contract/limits.ts'
import { SHEET_PREVIEW_CELL_CHARACTERS, SHEET_PREVIEW_COLUMNS, SHEET_PREVIEW_MS, SHEET_PREVIEW_ROWS } from '#contract/reading-limits.ts'
import type { SheetPreview } from '#contract/file-versions.ts'
import type { Context } from '#server/engines/context.ts'
import { PREVIEW_LIMITS } from '#server/engines/spreadsheet/read/read-limits.ts'
import { readWorkbook } from '#server/engines/spreadsheet/read/read-workbook.ts'
import { shownValues } from '#server/engines/spreadsheet/read/row-text.ts'
import { withLocalCopy } from '#server/engines/storage/local-copy.ts'
import { notFound, tooLarge, unavailable } from '#server/kernel/errors.ts'

const MEMORY_MB = 96
/** A file waits for its turn; more of them would wait too long. */
const WAITING_MAX = 20

const tooManyBytes = () => tooLarge(`Only tables of up to ${IMPORT_MAX_BYTES / 1024 ** 2} MB are shown here.`)

/**
 * The first rows of one sheet of a stored workbook or delimited text, as text.
 * @throws AppError for a file that cannot be read, is too large or too slow, and while many others wait
 */
export async function previewSheet(ctx: Context, key: string, size: number, sheet: number): Promise<SheetPreview> {
  if (size > IMPORT_MAX_BYTES) throw tooManyBytes()
  if (ctx.sheetHeadLimit.pendingCount >= WAITING_MAX)
    throw unavailable('Many other files are being read at this moment. Please try again in a few seconds.')
  let bytes = 0
  // The stored object can be larger than the registered size only by a mistake of the store.
  const onChunk = (chunk: Buffer) => {
    bytes += chunk.length
    if (bytes > IMPORT_MAX_BYTES) throw tooManyBytes()
  }
  return ctx.sheetHeadLimit(() => withLocalCopy(ctx.storage, key, onChunk, (path) => readSheet(path, sheet)))
}

async function readSheet(path: string, index: number): Promise<SheetPreview> {
  const preview: SheetPreview = { sheets: [], sheet: index, rows: [], hasMoreRows: false, hasMoreColumns: false }
  const options = { sheets: [index], limits: PREVIEW_LIMITS, timeMs: SHEET_PREVIEW_MS, memoryMb: MEMORY_MB }
  for await (const part of readWorkbook(path, options)) {
    if (part.part === 'workbook') {
      preview.sheets = part.workbook.sheets.map(({ name, hidden }) => ({ name, hidden }))
      if (preview.sheets[index] === undefined) throw notFound('Sheet')
    } else if (part.part === 'rows') {
      for (const row of part.rows) {
        const values = shownValues(row)
        preview.hasMoreColumns ||= row.isCut === true || values.length > SHEET_PREVIEW_COLUMNS
        if (preview.rows.length < SHEET_PREVIEW_ROWS) preview.rows.push({ number: row.number, cells: shortened(values) })
        else preview.hasMoreRows = true
      }
      if (preview.hasMoreRows) break
    }
  }
  return preview
}

const shortened = (values: readonly string[]): string[] =>
  values
    .slice(0, SHEET_PREVIEW_COLUMNS)
    .map((text) => (text.length > SHEET_PREVIEW_CELL_CHARACTERS ? `${text.slice(0, SHEET_PREVIEW_CELL_CHARACTERS)}…` : text))

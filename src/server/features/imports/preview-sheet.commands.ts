import { IMPORT_MAX_BYTES } from '#contract/limits.ts'
import { SHEET_PREVIEW_CELL_CHARACTERS, SHEET_PREVIEW_COLUMNS, SHEET_PREVIEW_MS, SHEET_PREVIEW_ROWS } from '#contract/reading-limits.ts'
import type { SheetPreview } from '#contract/file-versions.ts'
import type { Context } from '#server/engines/context.ts'
import { readWorkbook } from '#server/engines/spreadsheet/read/read-workbook.ts'
import { notFound, tooLarge, unavailable } from '#server/kernel/errors.ts'
import { isLiteral, parseRowText, toRowText, type SheetRow } from './pipeline/read/cells.ts'
import { withLocalFile } from './staging/stage-file.ts'

const MEMORY_MB = 96
/** A file waits for its turn; more of them would wait too long. */
const WAITING_MAX = 20

/**
 * The first rows of one sheet of a stored workbook or delimited text, as text.
 * @throws AppError for a file that cannot be read, is too large or too slow, and while many others wait
 */
export async function previewSheet(ctx: Context, key: string, size: number, sheet: number): Promise<SheetPreview> {
  if (size > IMPORT_MAX_BYTES) throw tooLarge(`Only tables of up to ${IMPORT_MAX_BYTES / 1024 ** 2} MB are shown here.`)
  if (ctx.sheetHeadLimit.pendingCount >= WAITING_MAX)
    throw unavailable('Many other files are being read at this moment. Please try again in a few seconds.')
  return ctx.sheetHeadLimit(() => withLocalFile(ctx, key, (path) => readSheet(path, sheet)))
}

async function readSheet(path: string, index: number): Promise<SheetPreview> {
  const preview: SheetPreview = { sheets: [], sheet: index, rows: [], hasMoreRows: false, hasMoreColumns: false }
  for await (const part of readWorkbook(path, { sheets: [index], timeMs: SHEET_PREVIEW_MS, memoryMb: MEMORY_MB })) {
    if (part.part === 'workbook') {
      preview.sheets = part.workbook.sheets.map(({ name, hidden }) => ({ name, hidden }))
      if (preview.sheets[index] === undefined) throw notFound('Sheet')
    } else if (part.part === 'rows') {
      for (const row of part.rows.map((one) => parseRowText(toRowText(one)))) {
        preview.hasMoreColumns ||= row.cells.length > SHEET_PREVIEW_COLUMNS
        if (preview.rows.length < SHEET_PREVIEW_ROWS) preview.rows.push({ number: row.number, cells: textsOf(row) })
        else preview.hasMoreRows = true
      }
      if (preview.hasMoreRows) break
    }
  }
  return preview
}

const textsOf = ({ cells }: SheetRow): string[] =>
  cells.slice(0, SHEET_PREVIEW_COLUMNS).map((cell) => {
    const text = isLiteral(cell) ? String(cell.literal) : cell === null || typeof cell === 'object' ? '' : String(cell)
    return text.length > SHEET_PREVIEW_CELL_CHARACTERS ? `${text.slice(0, SHEET_PREVIEW_CELL_CHARACTERS)}…` : text
  })

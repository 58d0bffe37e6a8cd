import { IMPORT_HEADER_MAX_ROW, IMPORT_MAX_UNPACKED_BYTES } from '#contract/limits.ts'
import { IMPORT_BATCH_CELLS, IMPORT_BATCH_CHARACTERS, IMPORT_BATCH_ROWS } from '#contract/reading-limits.ts'
import { tooManyRows, unpacksTooLarge } from './file-errors.ts'
import type { Row, SheetLayout, SheetPart } from '../sheet.ts'

const emptyLayout = (): SheetLayout => ({
  filledRows: 0,
  lastFilledRow: 0,
  lastRow: 0,
  lastColumn: 0,
  merges: [],
  hiddenColumns: [],
  struckRows: [],
  widths: [],
  cells: 0,
  references: 0,
})

/** Whether the cell has more than white space. */
const hasContent = ({ text, formula }: Row['cells'][number]): boolean => formula !== undefined || /\S/.test(text)

/**
 * Collects the rows and the layout of a sheet. Batches are bounded by rows, cells and characters, so that wide or wordy rows do not
 * block the receiver. `add` leaves out empty rows and throws an AppError beyond `maxRows`, or when the text of the sheet exceeds the
 * limit for an unpacked workbook: one shared text can be used in millions of cells.
 */
export function createRowCollector(sheet: number, maxRows: number) {
  const layout = emptyLayout()
  let full: SheetPart[] = []
  let batch = { rows: new Array<Row>(), cells: 0, characters: 0 }
  let characters = 0
  let rows = 0
  const closeBatch = () => {
    if (batch.rows.length > 0) full.push({ part: 'rows', sheet, rows: batch.rows })
    batch = { rows: [], cells: 0, characters: 0 }
  }
  return {
    layout,
    add(row: Row) {
      if (row.cells.length === 0 && row.isCut !== true) return
      rows++
      if (row.cells.some(hasContent)) {
        layout.filledRows++
        layout.lastFilledRow = Math.max(layout.lastFilledRow, row.number)
      }
      layout.lastRow = Math.max(layout.lastRow, row.number)
      layout.lastColumn = Math.max(layout.lastColumn, row.cells.at(-1)?.column ?? 0)
      if (row.width !== undefined && rows <= IMPORT_HEADER_MAX_ROW) layout.widths.push({ row: row.number, width: row.width })
      if (rows > maxRows) throw tooManyRows(maxRows)
      let length = 0
      for (const cell of row.cells) {
        const { text, formula } = cell
        length += text.length + (formula?.length ?? 0)
        if (formula?.includes('!') === true) layout.references++
      }
      layout.cells += row.cells.length
      characters += length
      if (characters > IMPORT_MAX_UNPACKED_BYTES) throw unpacksTooLarge()
      batch.rows.push(row)
      batch.cells += row.cells.length
      batch.characters += length
      if (batch.rows.length >= IMPORT_BATCH_ROWS || batch.cells >= IMPORT_BATCH_CELLS || batch.characters >= IMPORT_BATCH_CHARACTERS)
        closeBatch()
    },
    /** The batches that are complete and have not been taken before. */
    takeFull(): SheetPart[] {
      const taken = full
      if (taken.length > 0) full = []
      return taken
    },
    /** The remaining parts at the end of the sheet. */
    takeRest(): SheetPart[] {
      closeBatch()
      return [...full, { part: 'layout', sheet, layout }]
    },
  }
}

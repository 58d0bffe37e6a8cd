import { IMPORT_BATCH_CELLS, IMPORT_BATCH_CHARACTERS, IMPORT_BATCH_ROWS, IMPORT_MAX_UNPACKED_BYTES } from '#contract/limits.ts'
import { unpacksTooLarge } from './file-errors.ts'
import type { Row } from '../sheet.ts'

interface Batch {
  rows: Row[]
  cells: number
  characters: number
}

/**
 * Collects rows into batches bounded by rows, cells and characters, so that wide or wordy rows do not block the receiver.
 * `add` throws an AppError when the text of the sheet exceeds the limit for an unpacked workbook: one shared text can
 * be used in millions of cells.
 */
export function createRowBatch() {
  const full: Row[][] = []
  let batch: Batch = { rows: [], cells: 0, characters: 0 }
  let characters = 0
  const close = () => {
    full.push(batch.rows)
    batch = { rows: [], cells: 0, characters: 0 }
  }
  return {
    add(row: Row) {
      let length = 0
      for (const { text, formula } of row.cells) length += text.length + (formula?.length ?? 0)
      characters += length
      if (characters > IMPORT_MAX_UNPACKED_BYTES) throw unpacksTooLarge()
      batch.rows.push(row)
      batch.cells += row.cells.length
      batch.characters += length
      if (batch.rows.length >= IMPORT_BATCH_ROWS || batch.cells >= IMPORT_BATCH_CELLS || batch.characters >= IMPORT_BATCH_CHARACTERS)
        close()
    },
    takeFull: (): Row[] | undefined => full.shift(),
    /** The remaining rows at the end of a sheet. */
    takeRest: (): Row[] => batch.rows,
  }
}

import type { PoolClient } from 'pg'
import type { RowKind } from '#contract/import-rows.ts'
import { columnNumber, type Cell, type SheetRow } from '#server/features/imports/sheet/sheet-row.ts'

export interface StagedRow extends SheetRow {
  /** Index of the sheet it stands in. */
  sheet: number
  /** Its number in that sheet; `number` counts over all sheets of the import. */
  sheetRow: number
  kind: RowKind
  excluded: boolean
  matchedByHand: boolean
  propertyId: string | null
}

interface Stored {
  row_number: number
  sheet_index: number
  sheet_row: number
  kind: RowKind
  excluded: boolean
  hidden: boolean
  cells: Cell[]
  edits: Record<string, string | null>
  matched_by_hand: boolean
  property_id: string | null
}

/** Few enough that what is read of a batch is gone before the next one is. */
const BATCH_ROWS = 250

/** The staged rows of an import in order, a batch at a time; cells that a person changed stand as changed. */
export async function* stagedBatches(client: PoolClient, importId: string, condition = 'true'): AsyncGenerator<StagedRow[]> {
  let last = 0
  for (;;) {
    const { rows } = await client.query<Stored>(
      `SELECT row_number, sheet_index, sheet_row, kind, excluded, hidden, cells, edits, matched_by_hand, property_id FROM import_rows
        WHERE import_id = $1 AND row_number > $2 AND ${condition} ORDER BY row_number LIMIT ${BATCH_ROWS}`,
      [importId, last],
    )
    if (rows.length === 0) return
    yield rows.map(restore)
    last = rows.at(-1)?.row_number ?? last
    if (rows.length < BATCH_ROWS) return
  }
}

function restore(row: Stored): StagedRow {
  const cells = [...row.cells]
  for (const [letter, value] of Object.entries(row.edits)) {
    const index = columnNumber(letter) - 1
    while (cells.length <= index) cells.push(null)
    cells[index] = value
  }
  return {
    number: row.row_number,
    sheet: row.sheet_index,
    sheetRow: row.sheet_row,
    kind: row.kind,
    excluded: row.excluded,
    hidden: row.hidden,
    cells,
    matchedByHand: row.matched_by_hand,
    propertyId: row.property_id,
  }
}

/** The rows that become locations, if nothing else is wrong with them. */
export const DATA_ROWS = `(kind = 'data' OR included AND kind NOT IN ('blank', 'header', 'sold')) AND NOT excluded`

/** The rows of the schedule that do not, and that a person may want to see again. */
export const LEFT_ASIDE = `kind <> 'sold' AND (excluded OR kind NOT IN ('data', 'blank', 'header') AND NOT included)`

/** The rows of the sheets that are imported, without those that list what was sold. */
export const SCHEDULE_ROWS = `kind <> 'sold'`

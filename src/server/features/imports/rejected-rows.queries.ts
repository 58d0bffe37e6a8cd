import { sql } from 'kysely'
import type { Readable } from 'node:stream'
import type { Context } from '#server/engines/context.ts'
import { columnOf } from '#server/engines/spreadsheet/sheet.ts'
import type { SheetColumn, SheetValue } from '#server/engines/spreadsheet/write/cell-xml.ts'
import { writeWorkbook } from '#server/engines/spreadsheet/write/write-workbook.ts'
import type { ImportRecord } from './imports.queries.ts'
import { shownCells, type StoredCells } from './preview-rows.queries.ts'
import { selectedSheets, sheetName } from './selected-sheets.ts'

const COLUMN_WIDTH = 18
const MESSAGE_WIDTH = 80

/** The rows with errors as they are in the file, each with its errors. The user can correct them there and import that file. */
export function rejectedWorkbook(ctx: Context, record: ImportRecord): Readable {
  const hasSheets = selectedSheets(record).length > 1
  const columns: SheetColumn[] = [
    ...record.columns.map(({ column, header }) => ({
      header: header === '' ? `Column ${column}` : header,
      width: COLUMN_WIDTH,
      kind: 'text' as const,
    })),
    ...(hasSheets ? [{ header: 'Sheet', width: COLUMN_WIDTH, kind: 'text' as const }] : []),
    { header: 'Row in the file', width: COLUMN_WIDTH, kind: 'number' },
    { header: 'What is wrong', width: MESSAGE_WIDTH, kind: 'text' },
  ]
  const rows = rejectedRows(ctx, record, hasSheets)
  return writeWorkbook({ sheets: [{ name: 'Rejected rows', columns, rows, frozenHeader: true, autoFilter: true }] })
}

/** Few, because a row can have hundreds of columns. */
const BATCH_ROWS = 500

async function* rejectedRows(ctx: Context, record: ImportRecord, hasSheets: boolean): AsyncGenerator<SheetValue[][]> {
  let last = 0
  for (;;) {
    const { rows } = await sql<StoredCells & { messages: string[] }>`SELECT row_number, sheet_index, sheet_row, cells, edits,
        (SELECT coalesce(jsonb_agg(concat_ws(': ', i->>'column', i->>'message')), '[]') FROM jsonb_array_elements(issues) AS i WHERE i->>'severity' = 'error') AS messages
      FROM import_rows WHERE import_id = ${record.id} AND tab = 'errors' AND row_number > ${last} ORDER BY row_number LIMIT ${BATCH_ROWS}`.execute(
      ctx.db,
    )
    yield rows.map((row) => {
      const cells = shownCells(row)
      const values = record.columns.map(({ column }) => cells[columnOf(column) - 1] ?? null)
      return [...values, ...(hasSheets ? [sheetName(record, row.sheet_index)] : []), row.sheet_row, row.messages.join(' ')]
    })
    if (rows.length < BATCH_ROWS) return
    last = rows.at(-1)?.row_number ?? last
  }
}

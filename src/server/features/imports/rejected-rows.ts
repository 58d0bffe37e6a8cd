import { sql } from 'kysely'
import type { Readable } from 'node:stream'
import { z } from 'zod'
import type { Context } from '#server/engines/context.ts'
import { writeWorkbook } from '#server/engines/spreadsheet/write/write-workbook.ts'
import type { SheetColumn, SheetValue } from '#server/engines/spreadsheet/write/cell-xml.ts'
import type { ImportRecord } from './import-record.ts'
import { columnNumber } from './sheet/sheet-row.ts'
import { takenSheets } from './sheet/taken-sheets.ts'

const Stored = z.object({
  row_number: z.number(),
  sheet_index: z.number(),
  sheet_row: z.number(),
  cells: z.array(
    z.union([z.string(), z.number(), z.boolean(), z.null(), z.object({ formula: z.string() }).transform(({ formula }) => formula)]),
  ),
  edits: z.record(z.string(), z.union([z.string(), z.null()])),
  messages: z.array(z.string()),
})

const PAGE_ROWS = 1_000
const WIDTH = 18
const MESSAGE_WIDTH = 80

/** The rows that cannot be imported yet, as they stand in the file, each with what is wrong: mend them there and import that file. */
export function rejectedWorkbook(ctx: Context, record: ImportRecord): Readable {
  const columns: SheetColumn[] = [
    ...record.columns.map(({ column, header }) => ({
      header: header === '' ? `Column ${column}` : header,
      width: WIDTH,
      kind: 'text' as const,
    })),
    ...(isSplit(record) ? [{ header: 'Sheet', width: WIDTH, kind: 'text' as const }] : []),
    { header: 'Row in the file', width: WIDTH, kind: 'number' },
    { header: 'What is wrong', width: MESSAGE_WIDTH, kind: 'text' },
  ]
  return writeWorkbook({
    sheets: [{ name: 'Rejected rows', columns, rows: rejectedRows(ctx, record), frozenHeader: true, autoFilter: true }],
  })
}

const isSplit = (record: ImportRecord): boolean => takenSheets(record).length > 1

async function* rejectedRows(ctx: Context, record: ImportRecord): AsyncGenerator<SheetValue[]> {
  let last = 0
  for (;;) {
    const { rows } = await sql`SELECT row_number, sheet_index, sheet_row, cells, edits,
        (SELECT coalesce(jsonb_agg(concat_ws(': ', i->>'column', i->>'message')), '[]') FROM jsonb_array_elements(issues) AS i WHERE i->>'severity' = 'error') AS messages
      FROM import_rows WHERE import_id = ${record.id} AND tab = 'errors' AND row_number > ${last} ORDER BY row_number LIMIT ${PAGE_ROWS}`.execute(
      ctx.db,
    )
    const stored = z.array(Stored).parse(rows)
    for (const { row_number, sheet_index, sheet_row, cells, edits, messages } of stored) {
      const values: SheetValue[] = record.columns.map(({ column }) => (column in edits ? edits[column] : cells[columnNumber(column) - 1]))
      const sheet = isSplit(record) ? [record.sheets.find(({ index }) => index === sheet_index)?.name] : []
      yield [...values, ...sheet, sheet_row, messages.join(' ')]
      last = row_number
    }
    if (stored.length < PAGE_ROWS) return
  }
}

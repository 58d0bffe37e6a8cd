import { pipeline, Readable } from 'node:stream'
import { CsvError, parse } from 'csv-parse'
import { CELL_MAX_CHARACTERS, IMPORT_MAX_COLUMNS, IMPORT_TOKEN_MAX_CHARACTERS } from '#contract/limits.ts'
import { invalid } from '#server/kernel/errors.ts'
import { cleanText } from './cell-text.ts'
import { detectDelimiter } from './csv-delimiter.ts'
import { readText } from './csv-text.ts'
import { tooLongText, tooManyColumns, tooManyRows } from './file-refusal.ts'
import { createRowBatch } from './row-batch.ts'
import type { Cell, OpenWorkbook, SheetLayout, SheetPart } from './sheet.ts'

const SHEET_NAME = 'Data'

/** Opens delimited text as a workbook of one sheet. All cells are text: what a value means is for the reader to say. */
export async function openCsv(path: string): Promise<OpenWorkbook> {
  return {
    workbook: { kind: 'csv', sheets: [{ index: 0, name: SHEET_NAME, hidden: false }] },
    read: (index, maxRows) => readRows(path, index, maxRows),
    close: () => undefined,
  }
}

async function* readRows(path: string, sheet: number, maxRows: number): AsyncGenerator<SheetPart> {
  const batch = createRowBatch()
  const layout: SheetLayout = { filledRows: 0, lastRow: 0, lastColumn: 0, merges: [], hiddenColumns: [] }
  let number = 0
  try {
    for await (const record of readRecords(path)) {
      number++
      const cells = makeCells(record, number)
      if (cells.length === 0) continue
      layout.filledRows++
      layout.lastRow = number
      layout.lastColumn = Math.max(layout.lastColumn, cells.at(-1)?.column ?? 0)
      if (layout.filledRows > maxRows) throw tooManyRows(maxRows)
      batch.add({ number, hidden: false, cells })
      const rows = batch.takeFull()
      if (rows) yield { part: 'rows', sheet, rows }
    }
  } catch (error) {
    throw csvRefusal(error, number)
  }
  const rest = batch.takeRest()
  if (rest.length > 0) yield { part: 'rows', sheet, rows: rest }
  yield { part: 'layout', sheet, layout }
}

async function* readRecords(path: string): AsyncGenerator<string[]> {
  const text = readText(path)
  const head = (await text.next()).value ?? ''
  const stated = /^sep=([^\r\n])\r?\n/i.exec(head)
  const body = stated ? head.slice(stated[0].length) : head
  const parser = parse({
    delimiter: stated?.[1] ?? detectDelimiter(body),
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    relax_quotes: true,
    max_record_size: IMPORT_TOKEN_MAX_CHARACTERS,
  })
  pipeline(Readable.from(prepend(body, text), { objectMode: true }), parser, () => undefined)
  yield* parser
}

async function* prepend(head: string, rest: AsyncIterable<string>): AsyncGenerator<string> {
  if (head !== '') yield head
  for await (const chunk of rest) if (chunk !== '') yield chunk
}

function makeCells(record: string[], row: number): Cell[] {
  const cells: Cell[] = []
  for (const [at, raw] of record.entries()) {
    if (raw === '') continue
    if (at >= IMPORT_MAX_COLUMNS) throw tooManyColumns(at + 1, row)
    const text = plainText(raw)
    if (text.length > CELL_MAX_CHARACTERS) throw tooLongText(at + 1, row)
    cells.push({ column: at + 1, kind: 'text', value: text, text })
  }
  return cells
}

const plainText = (raw: string) => (raw.includes('\0') || !raw.isWellFormed() ? cleanText(raw) : raw)

function csvRefusal(error: unknown, lastRow: number): unknown {
  if (!(error instanceof CsvError)) return error
  const row = (lastRow + 1).toLocaleString('en-US')
  return invalid({
    file: [`Row ${row} begins a quoted text that never ends. Add the missing quotation mark (") and upload the file again.`],
  })
}

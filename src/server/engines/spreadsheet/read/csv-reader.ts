import { pipeline, Readable } from 'node:stream'
import { CsvError, parse, type InfoRecord } from 'csv-parse'
import { formatNumber } from '#contract/format.ts'
import { IMPORT_HEADER_SCAN_ROWS } from '#contract/limits.ts'
import { CELL_MAX_CHARACTERS, IMPORT_TOKEN_MAX_CHARACTERS, SHEET_MAX_COLUMNS } from '#contract/reading-limits.ts'
import type { Cell, OpenWorkbook, Row, SheetPart } from '../sheet.ts'
import { unguarded } from '../formula-guard.ts'
import { cleanText } from './cell-value.ts'
import { noValues, quoteNeverEnds, tooLongRow, tooLongText, tooManyColumns, tooManyDelimiters, tooManyEmptyRows } from './file-errors.ts'
import { IMPORT_LIMITS, type ReadLimits } from './read-limits.ts'
import { CARRIAGE_RETURN, CHUNK_BYTES, LINE_FEED, readText } from './read-text.ts'
import { createRowCollector } from './row-collector.ts'

const SHEET_NAME = 'Data'
const CANDIDATES = [',', ';', '\t', '|'] as const
/** A longer line is not a table. */
const LINE_MAX_DELIMITERS = SHEET_MAX_COLUMNS
/** A file that begins with more empty rows is rejected before the rest is read. */
const EMPTY_ROWS_MAX = 1_000
/** Programs that write empty rows write all of them as wide as the first. */
const UNEVEN_ROWS_MAX = 100_000

/** Opens delimited text as a workbook of one sheet. All cells are text; the import decides what a value means. */
export async function openCsv(path: string, limits = IMPORT_LIMITS): Promise<OpenWorkbook> {
  return {
    workbook: { kind: 'csv', sheets: [{ index: 0, name: SHEET_NAME, hidden: false }] },
    read: (index, maxRows) => readRows(path, createRowCollector(index, maxRows), limits),
    close: () => undefined,
  }
}

async function* readRows(path: string, collector: ReturnType<typeof createRowCollector>, limits: ReadLimits): AsyncGenerator<SheetPart> {
  try {
    for await (const { number, fields } of readRecords(path)) {
      collector.add({ number, hidden: false, ...readFields(fields, number, limits), width: fields.length })
      for (const part of collector.takeFull()) yield part
    }
  } catch (error) {
    throw csvError(error)
  }
  yield* collector.takeRest()
}

/** The rows with a value, numbered with those without one. */
async function* readRecords(path: string): AsyncGenerator<{ number: number; fields: string[] }> {
  const text = readText(path)
  // Chunks are empty until the first line has ended, or the file.
  let next = await text.next()
  while (next.done !== true && next.value === '') next = await text.next()
  const head = next.value ?? ''
  const stated = /^sep=([^\r\n])\r?\n/i.exec(head)
  const body = stated ? head.slice(stated[0].length) : head
  const delimiter = stated?.[1] ?? detectDelimiter(body.slice(0, CHUNK_BYTES))
  const filled = filledRecords()
  const parser = parse({
    delimiter,
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    skip_empty_lines: true,
    relax_quotes: true,
    max_record_size: IMPORT_TOKEN_MAX_CHARACTERS,
    on_record: filled.only,
  })
  const lines = limitDelimiters(prepend(body, text), delimiter)
  // By default 16 chunks would be read ahead, and decoded, although the parser rejects the first.
  pipeline(Readable.from(lines, { objectMode: true, highWaterMark: 1 }), parser, () => undefined)
  let at = 0
  for await (const fields of parser as AsyncIterable<string[]>) yield { number: filled.numbers[at++] ?? at, fields } // of `only`
}

/**
 * Leaves out records without a value. Rejects files whose empty records take seconds to read: many at the beginning, or many of
 * another width than the first record, for each of which the parser makes an error.
 */
function filledRecords() {
  const numbers: number[] = []
  const only = (fields: string[], { records, empty_lines: emptyLines, invalid_field_length: uneven }: InfoRecord): string[] | null => {
    const number = records + emptyLines
    if (numbers.length === 0 && number > EMPTY_ROWS_MAX) throw noValues(EMPTY_ROWS_MAX)
    if (uneven - numbers.length > UNEVEN_ROWS_MAX) throw tooManyEmptyRows(UNEVEN_ROWS_MAX)
    if (fields.every((field) => field === '')) return null
    numbers.push(number)
    return fields
  }
  return { numbers, only }
}

/** Rejects a line of more than LINE_MAX_DELIMITERS delimiters before the parser makes a field of each: it counts characters, not fields. */
async function* limitDelimiters(chunks: AsyncIterable<string>, delimiter: string): AsyncGenerator<string> {
  const separator = delimiter.charCodeAt(0)
  let row = 1
  let count = 0
  let previous = 0
  for await (const chunk of chunks) {
    for (let at = 0; at < chunk.length; at++) {
      const code = chunk.charCodeAt(at)
      if (code === separator) {
        count++
        if (count > LINE_MAX_DELIMITERS) throw tooManyDelimiters(row)
      } else if (code === LINE_FEED || code === CARRIAGE_RETURN) {
        if (code === CARRIAGE_RETURN || previous !== CARRIAGE_RETURN) row++
        count = 0
      }
      previous = code
    }
    yield chunk
  }
}

async function* prepend(head: string, rest: AsyncIterable<string>): AsyncGenerator<string> {
  if (head !== '') yield head
  for await (const chunk of rest) if (chunk !== '') yield chunk
}

function readFields(record: string[], row: number, { columns, beyond }: ReadLimits): Pick<Row, 'cells' | 'isCut'> {
  const cells: Cell[] = []
  for (const [at, raw] of record.entries()) {
    if (raw === '') continue
    if (at >= columns) {
      if (beyond === 'rejected') throw tooManyColumns(at + 1, row)
      return { cells, isCut: true }
    }
    const text = plainText(raw)
    if (text.length > CELL_MAX_CHARACTERS) throw tooLongText(at + 1, row)
    cells.push({ column: at + 1, kind: 'text', value: text, text })
  }
  return { cells }
}

const plainText = (raw: string) => unguarded(raw.includes('\0') || !raw.isWellFormed() ? cleanText(raw) : raw)

function csvError(error: unknown): unknown {
  if (!(error instanceof CsvError)) return error
  // Not the last row received: the error discards the rows that wait in the stream.
  const row = formatNumber(Number(error['records']) + Number(error['empty_lines']) + 1)
  return error.code === 'CSV_MAX_RECORD_SIZE' ? tooLongRow(row) : quoteNeverEnds(row)
}

/**
 * The delimiter for which the largest share of the first rows has the same number of columns (more than one);
 * on a tie, the one with more columns. A comma when there is only one column. Quoted delimiters do not count.
 */
export function detectDelimiter(head: string): string {
  const choices = CANDIDATES.flatMap((delimiter) => {
    const counts = countColumns(head, delimiter)
    const rows = Map.groupBy(counts, (columns) => columns)
    rows.delete(1)
    return [...rows].map(([columns, { length }]) => ({ delimiter, columns, share: length / counts.length }))
  })
  const [best] = choices.sort((a, b) => b.share - a.share || b.columns - a.columns)
  return best?.delimiter ?? ','
}

/** Columns of each of the first rows. The last row is left out, because the end of the sample may cut it off. */
function countColumns(head: string, delimiter: string): number[] {
  const counts: number[] = []
  let columns = 1
  let filled = false
  let quoted = false
  for (let at = 0; at < head.length && counts.length < IMPORT_HEADER_SCAN_ROWS; at++) {
    const sign = head[at]
    if (sign === '"') quoted = !quoted
    else if (quoted) continue
    else if (sign === delimiter) columns++
    else if (sign === '\n' || sign === '\r') {
      if (filled) counts.push(columns)
      columns = 1
      filled = false
      continue
    }
    filled = true
  }
  if (counts.length === 0 && filled) counts.push(columns)
  return counts
}

import { pipeline, Readable } from 'node:stream'
import { stringify } from 'csv-stringify'

export type CsvValue = string | number | boolean | null | undefined

/**
 * Rows as delimited text: comma, CRLF, UTF-8 with the mark Excel needs to see it. Text that begins like a formula
 * gets an apostrophe in front; booleans become true or false.
 */
export function writeCsv(rows: Iterable<readonly CsvValue[]> | AsyncIterable<readonly CsvValue[]>): Readable {
  const formatter = stringify({
    bom: true,
    escape_formulas: true,
    record_delimiter: 'windows',
    quoted_match: /[\r\n]/,
    cast: { boolean: (value) => String(value) },
  })
  pipeline(Readable.from(rows), formatter, () => undefined)
  return formatter
}

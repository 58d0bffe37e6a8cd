import { buffer, text } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import type { SheetValue } from './cell-xml.ts'
import { writeCsv } from './write-csv.ts'

const columns = ['Name', 'Value'].map((header) => ({ header, width: 10, kind: 'text' as const }))
const written = async (...rows: SheetValue[][]) => (await text(writeCsv({ columns, rows }))).split('\r\n').slice(1, -1)

describe('a CSV file', () => {
  it('begins with a byte order mark and the headers, and ends each line with CR and LF', async () => {
    // The consumer removes the mark.
    expect((await buffer(writeCsv({ columns, rows: [['a', 1]] }))).toString()).toBe('\uFEFFName,Value\r\na,1\r\n')
  })

  it('has numbers, dates and booleans as they are, and nothing for what is missing', async () => {
    expect(await written([-1_234.5, '2026-03-04'], [true, null], [undefined, Number.NaN])).toEqual(['-1234.5,2026-03-04', 'TRUE,', ','])
  })

  it('has texts of digits as numbers in a column of digits, and nothing for other texts', async () => {
    const digits = [{ header: 'Longitude', width: 10, kind: 'number' as const, digits: true }]
    const rows = [['-80.064'], ['1e+20'], [-3], ['NaN'], ['-Infinity'], ['']]
    expect(await text(writeCsv({ columns: digits, rows }))).toBe('Longitude\r\n-80.064\r\n1e+20\r\n-3\r\n\r\n\r\n\r\n')
  })

  it('quotes commas, quotes, line breaks and outer spaces', async () => {
    expect(await written(['a,b', 'say "x"'], [' a', 'b\nc'])).toEqual(['"a,b","say ""x"""', '" a","b\nc"'])
  })

  it.each(['=1+1', '+1', '-1', '@SUM(A1)', '\tx', "=cmd|' /C calc'!A0", ' =1+1', '＝1+1', '\n=1'])(
    'has %j as text that a spreadsheet program does not compute',
    async (value) => {
      const [line = ''] = await written([value, { text: value, href: 'https://example.test' }])
      expect(line.replaceAll('"', '').split(',')).toEqual([`'${value}`, `'${value}`])
    },
  )

  it('fails when the source of its rows fails', async () => {
    async function* rows() {
      yield [['a', 1]]
      throw new Error('The connection broke')
    }
    await expect(text(writeCsv({ columns, rows: rows() }))).rejects.toThrow('The connection broke')
  })
})

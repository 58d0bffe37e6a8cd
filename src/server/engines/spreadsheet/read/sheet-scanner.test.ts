import { describe, expect, it } from 'vitest'
import type { Row } from '../sheet.ts'
import type { CellContext } from './cell-value.ts'
import { createSheetScanner } from './sheet-scanner.ts'

const CONTEXT: CellContext = {
  strings: ['shared'],
  formats: [{ date: false }, { date: true }],
  struck: new Set(),
  literal: new Set(),
  date1904: false,
}
const SHEET =
  '<worksheet><!-- a <c r="Z9"><v>1</v></c> that does not count --><sheetData><row r="1" hidden="1"><c r="A1" t="s"><v>0</v></c><c r="B1" s="1"><v>45672</v></c>' +
  '<c r="C1" t="inlineStr"><is><t>a &amp; b</t></is></c><c r="D1" t="inlineStr"><is><t xml:space="preserve"> é </t></is></c><c r="E1" s="1"/><c r="F1" s="1" />' +
  '<c r="G1"></c><c r="H1" t="str"><v>x&gt;y</v></c><c s="1" r="I1" t="b"><v>1</v></c></row><row r="2"><c r="AA2"><f>SUM(B1:B1)</f><v>7</v></c>' +
  '<c r="AB2" cm="1"><v>8</v></c><c><v>9</v></c><c t="n"><v>10</v></c><c r="AF2"><v/></c><c r="AG2" t="e"><v>#N/A</v></c></row></sheetData></worksheet>'

function scan(chunks: Iterable<string>): Row[] {
  const rows: Row[] = []
  const scanner = createSheetScanner(CONTEXT, { add: (row) => rows.push(row), layout: { merges: [], hiddenColumns: [], struckRows: [] } })
  for (const chunk of chunks) scanner.push(chunk)
  scanner.end()
  return rows
}

describe('the sheet scanner', () => {
  it('reads plain cells like all others', () => {
    const rows = scan([SHEET])
    expect(rows.map(({ number, hidden, cells }) => [number, hidden, cells.map(({ column, text }) => `${column} ${text}`)])).toEqual([
      [1, true, ['1 shared', '2 2025-01-15', '3 a & b', '4  é ', '8 x>y', '9 TRUE']],
      [2, false, ['27 7', '28 8', '29 9', '30 10', '33 #N/A']],
    ])
    expect(scan([SHEET.replaceAll('"', "'")])).toEqual(rows)
    expect(scan([SHEET.replaceAll('<c ', '<c  ').replaceAll('</c>', '</c >')])).toEqual(rows)
  })

  it('yields the same rows for every division of the text into chunks', () => {
    const whole = scan([SHEET])
    expect(scan(SHEET)).toEqual(whole)
    for (let at = 1; at < SHEET.length; at++) expect(scan([SHEET.slice(0, at), SHEET.slice(at)])).toEqual(whole)
  })
})

import { expect, test } from 'vitest'
import { columnLetters } from '#server/engines/spreadsheet/sheet.ts'
import { workbookParts, zip } from '#server/engines/spreadsheet/spreadsheet.fixture.ts'
import { deskForEachTest } from '#server/testing/desk.fixture.ts'
import { begin, put } from '#server/testing/factories/import-flow.ts'

const desk = deskForEachTest()

const HEADERS =
  'Loc #,Bldg #,Location Name,Street Address,City,ST,Zip,Construction,Year Built,Stories,Sq. Ft.,Sprinklered,Interest,' +
  'Building Value,Contents,BI / Rents,Debris Removal,TIV'
const LAST_ROW = 7
const buildingValue = (row: number) => 1_000_000 + row * 12_345
/** A formula, as a program writes it that stores no results. */
type SheetCell = string | number | { formula: string }

const cellXml = (cell: SheetCell, column: number, row: number): string => {
  const reference = `r="${columnLetters(column)}${row}"`
  if (typeof cell === 'object') return `<c ${reference}><f>${cell.formula}</f></c>`
  return typeof cell === 'number' ? `<c ${reference}><v>${cell}</v></c>` : `<c ${reference} t="inlineStr"><is><t>${cell}</t></is></c>`
}

/** A schedule of 18 columns with six locations and a totals row. Column Q has the formula and no field, column R is the sum of N to Q. */
function schedule(formula: (row: number) => string, header = 'Debris Removal'): Promise<Buffer> {
  const rows = Array.from({ length: LAST_ROW - 1 }, (_, index): SheetCell[] => {
    const row = index + 2
    const place = [index + 1, 1, `Site ${index + 1}`, `${index + 1} Main St`, 'Fresno', 'CA', '93721']
    const amounts = [buildingValue(row), 100_000, 50_000, { formula: formula(row) }, { formula: `SUM(N${row}:Q${row})` }]
    return [...place, 'Frame', 1990, 2, 10_000 + index, 'Yes', 'Owned', ...amounts]
  })
  const totals = ['N', 'O', 'P', 'Q', 'R'].map((column) => ({ formula: `SUM(${column}2:${column}${LAST_ROW})` }))
  const total: SheetCell[] = ['TOTAL', ...Array.from({ length: 12 }, () => ''), ...totals]
  const lines = [HEADERS.replace('Debris Removal', header).split(','), ...rows, total]
  const data = lines.map((cells, row) => `<row r="${row + 1}">${cells.map((cell, at) => cellXml(cell, at + 1, row + 1)).join('')}</row>`)
  return zip(workbookParts({ sheets: [`<sheetData>${data.join('')}</sheetData>`] }))
}

test('a column of money that formulas compute is announced with its sum when the totals row adds it up', async () => {
  const data = await begin(desk, await schedule((row) => `N${row}*0.1513`), 'sov.xlsx')
  const values = Array.from({ length: LAST_ROW - 1 }, (_, index) => buildingValue(index + 2)).reduce((sum, value) => sum + value, 0)
  const announced = [{ letter: 'Q', header: 'Debris Removal', total: Math.round(values * 0.1513), currency: null }]
  expect(data.unmapped_money).toEqual(announced)
  expect(data.sums).toMatchObject({ stated: Math.round(values * 1.1513 + 900_000), stated_rows: values + 900_000 })
  const edited = (await put(desk, data.id, { edits: [{ row: 2, column: 'Q', value: '0' }] })).body.data
  // It is next to the values, so that it is money also if the totals row has another sum.
  expect(edited.unmapped_money).toMatchObject([{ letter: 'Q', header: 'Debris Removal' }])
})

test('formulas without a result are announced below the name of a value, and no total is made without them', async () => {
  const data = await begin(desk, await schedule((row) => `ROUND(N${row}*0.1513,0)`, 'Fine Art Value'), 'sov.xlsx')
  expect(data.unmapped_money).toEqual([{ letter: 'Q', header: 'Fine Art Value', total: null, currency: null }])
  // The total of each row contains column Q, so it has no result either: only the other three columns are compared.
  expect(data.sums).toMatchObject({ stated_parts: ['building_value', 'contents_value', 'bi_value'] })
  expect(data.columns[17]).toMatchObject({ header: 'TIV', samples: [] })
})

import { join } from 'node:path'
import { expect, it } from 'vitest'
import { readAll, type ReadSheet } from '../spreadsheet.fixture.ts'
import { SAMPLES_FOLDER, describeNeeding } from '#server/testing/needs.ts'

const readSample = async (name: string, index = 0): Promise<ReadSheet> => {
  const sheet = (await readAll(join(SAMPLES_FOLDER, name))).sheets[index]
  if (!sheet) throw new Error(`${name} has no sheet ${index}`)
  return sheet
}
const rowTexts = (sheet: ReadSheet, row: number) => sheet.rows.find(({ number }) => number === row)?.cells.map(({ text }) => text)
const sum = (sheet: ReadSheet, column: number) =>
  sheet.rows.slice(1).reduce((total, { number }) => total + Number(sheet.at(number, column)?.text ?? 0), 0)

describeNeeding('sample files')('readAll reads the sample file', () => {
  it('oed_location_771.csv with 72 columns, 771 rows and known sums', async () => {
    const sheet = await readSample('oed_location_771.csv')
    expect(sheet.layout).toMatchObject({ filledRows: 772, lastRow: 772, lastColumn: 72 })
    const column = (header: string) => sheet.rows[0]?.cells.find(({ text }) => text === header)?.column ?? 0
    expect(Math.round(sum(sheet, column('BuildingTIV')))).toBe(5_100_144_295)
    expect(Math.round(sum(sheet, column('ContentsTIV')))).toBe(2_244_938_510)
    expect(Math.round(sum(sheet, column('BITIV')))).toBe(1_904_746_539)
  })

  it('hazus_structures_minot.csv with 12 columns, 12,534 rows and a known sum', async () => {
    const sheet = await readSample('hazus_structures_minot.csv')
    expect(sheet.layout).toMatchObject({ filledRows: 12_535, lastColumn: 12 })
    const cost = sheet.rows[0]?.cells.find(({ text }) => text === 'Cost')?.column ?? 0
    expect(Math.round(sum(sheet, cost))).toBe(2_224_303_991)
  })

  it('gsa_buildings_2025_06.xlsx with 18 columns, 8,645 rows, unique keys and NA as text', async () => {
    const sheet = await readSample('gsa_buildings_2025_06.xlsx')
    expect(sheet.layout).toMatchObject({ filledRows: 8_646, lastRow: 8_646, lastColumn: 18 })
    expect(sheet.at(1, 1)?.text).toBe('Location Code')
    expect(new Set(sheet.rows.map(({ cells }) => cells[0]?.value)).size).toBe(8_646)
    const installation = sheet.rows[0]?.cells.find(({ text }) => text === 'Installation Name')?.column ?? 0
    expect(sheet.rows.some(({ cells }) => cells.some(({ column, value }) => column === installation && value === 'NA'))).toBe(true)
  })

  it('sov_multi_year_messy.xlsx with four sheets, a header in row 3 and words between numbers', async () => {
    const { workbook, sheets } = await readAll(join(SAMPLES_FOLDER, 'sov_multi_year_messy.xlsx'))
    expect(workbook.sheets.map(({ name }) => name)).toEqual(['Cover', 'SOV 2024', 'SOV 2025', 'Summary'])
    expect(sheets[1]?.layout).toMatchObject({ filledRows: 3, lastColumn: 17 })
    const sov = sheets[2]
    if (!sov) throw new Error('SOV 2025 was not read')
    expect(sov.rows.map(({ number }) => number)).toEqual([1, 3, 4, 5, 6, 7, 8, 9, 10, 11, 13])
    expect(rowTexts(sov, 3)).toHaveLength(24)
    const shown = sov.rows.flatMap(({ cells }) => cells.map(({ text }) => text))
    expect(shown).toEqual(expect.arrayContaining(['250,000', '$20,000,000', 'circa 1995', 'one', 'TBD', 'N/A', '(5000)', '-', 'Partial']))
    expect(rowTexts(sov, 13)?.[0]).toMatch(/TOTAL/)
  })

  it('sov_formulas_blank_rows.xlsx with one row, a stored formula result and its blanks, without blank rows', async () => {
    const sheet = await readSample('sov_formulas_blank_rows.xlsx')
    expect(sheet.rows.map(({ number }) => number)).toEqual([1, 2])
    expect(sheet.at(1, 11)?.value).toBe('TIV ')
    expect(sheet.at(2, 11)).toEqual({ column: 11, kind: 'formula', value: 30_000_000, text: '30000000', formula: 'SUM(H2:J2)' })
    expect(sheet.at(2, 5)).toBeUndefined()
    expect(sheet.rows[1]?.cells.map(({ value }) => value)).toEqual(expect.arrayContaining(['Washington ', 'stone']))
  })

  it('derived_messy_sov_office.xlsx with merged titles, a header in row 6 and formulas without results', async () => {
    const { workbook, sheets } = await readAll(join(SAMPLES_FOLDER, 'derived_messy_sov_office.xlsx'))
    expect(workbook.sheets.map(({ name }) => name)).toEqual(['Cover', 'SOV 25-26', 'Sold - Deleted', 'Notes'])
    const sov = sheets[1]
    if (!sov) throw new Error('SOV 25-26 was not read')
    expect(sov.layout.merges).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ top: 1, bottom: 1 }),
        expect.objectContaining({ top: 5, left: 1 }),
        expect.objectContaining({ top: 78 }),
      ]),
    )
    expect(rowTexts(sov, 6)?.slice(0, 3)).toEqual(['Loc\n#', 'Bldg\n#', 'Location Name'])
    expect([16, 45, 48, 51, 59, 72, 76].map((row) => rowTexts(sov, row)?.[0])).toEqual(
      Array.from({ length: 7 }, () => expect.stringMatching(/^Subtotal/)),
    )
    const locations = sov.rows.filter(
      ({ number, cells }) =>
        number >= 7 && number <= 81 && cells.length > 8 && cells[0]?.column === 1 && !cells[0].text.startsWith('Subtotal'),
    )
    expect(locations).toHaveLength(60)
    const formulas = sov.rows.flatMap(({ cells }) => cells.filter(({ kind }) => kind === 'formula'))
    expect(formulas.length).toBeGreaterThan(60)
    expect(formulas.every(({ value, computed }) => (value === null ? computed === undefined : computed))).toBe(true)
    expect(sov.at(7, 18)?.formula).toBe('SUM(O7:Q7)')
    const value = (row: number, column: number) =>
      Number(
        sov
          .at(row, column)
          ?.text.replace(/[$,]/g, '')
          .replace(/^(-|Included)$/, '0') ?? 0,
      )
    const columnSum = (column: number) => locations.reduce((total, { number }) => total + value(number, column), 0)
    expect([15, 16, 17].map(columnSum)).toEqual([1_078_924_900, 7_595_400, 103_487_800])
    const wrongTotals = locations.filter(({ number }) => value(number, 18) !== value(number, 15) + value(number, 16) + value(number, 17))
    expect(wrongTotals.map(({ number }) => number)).toEqual([26])
    expect([15, 16, 17].map((column) => sov.at(83, column)?.value)).toEqual([1_078_924_900, 7_595_400, 103_487_800])
    expect(
      sov.rows
        .filter(({ number }) => number < 82)
        .flatMap(({ cells }) => cells)
        .filter(({ kind, value }) => kind === 'formula' && value === null),
    ).toEqual([])
  })
})

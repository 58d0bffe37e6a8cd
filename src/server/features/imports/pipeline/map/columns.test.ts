import { describe, expect, test } from 'vitest'
import { IMPORT_SAMPLE_CELLS } from '#contract/limits.ts'
import { SETTINGS } from '#server/features/imports/imports.fixture.ts'
import { columnOf } from '#server/engines/spreadsheet/sheet.ts'
import { AppError } from '#server/kernel/errors.ts'
import { sampleColumn, sampleOf, type Cell } from '#server/features/imports/pipeline/read/cells.ts'
import { normalizeHeader } from '#server/features/imports/pipeline/read/headers.ts'
import { readCell } from '#server/features/imports/pipeline/validate/read-cell.ts'
import { columnStyle, columnsWithFactor } from './column-style.ts'
import { fileSettings } from './file-settings.ts'
import { changeMapping } from './change-mapping.ts'
import { checkedMapping, sheetColumns, type Mapping } from './propose-mapping.ts'
import { constantFields, observeReadPlan } from './read-plan.ts'

const NOW = new Date('2026-11-21T23:00:00Z')
/** The errors by field that a call throws. */
function errorsOf(call: () => unknown): unknown {
  try {
    return call()
  } catch (error) {
    return error instanceof AppError ? error.details.fields : error
  }
}
const style = (header: string, cells: Cell[], settings = SETTINGS) => columnStyle(normalizeHeader(header), cells, settings)

describe('the settings of a file', () => {
  test('are the constants that are possible', () => {
    const constants = { factor: '1000', area_unit: 'm2', date_order: 'dmy', construction_scheme: 'oed', occupancy_scheme: 'hazus' }
    const settings = { factor: 1000, areaUnit: 'm2', dateOrder: 'dmy', constructionScheme: 'oed', occupancyScheme: 'hazus' }
    expect(fileSettings(constants, NOW)).toEqual({ ...settings, columnFactors: new Map(), today: '2026-11-21' })
    const impossible = Object.fromEntries(Object.keys(constants).map((name) => [name, 'zorp']))
    expect(fileSettings(impossible, NOW)).toEqual({ ...SETTINGS, today: '2026-11-21' })
    expect(fileSettings({ factor_G: '1000', factor_H_2: '1000' }, NOW).columnFactors).toEqual(new Map([['G', 1000]]))
    expect(fileSettings({ currency: 'CAD', repeated_locations: 'sum' }, NOW)).toMatchObject({ currency: 'CAD', repeats: 'sum' })
  })
  test('override what the cells of a column suggest', () => {
    const settings = fileSettings({ area_unit: 'm2', date_order: 'mdy', construction_scheme: 'iso', occupancy_scheme: 'words' }, NOW)
    expect(style('Occupancy', [1104, 31], settings).occupancyScheme).toBe('words')
    expect(style('Construction', [111, 119], settings).constructionScheme).toBe('iso')
    expect(style('Date', ['3/4/2025'], fileSettings({ date_order: 'dmy' }, NOW))).toMatchObject({ dayFirst: true, unclearDates: false })
    expect(style('Area', [5], settings).squareMeters).toBe(true)
    expect(style('Date', ['3/4/2025'], settings).unclearDates).toBe(false)
    expect(style('Area (m2)', [5], fileSettings({ area_unit: 'sqft' }, NOW)).squareMeters).toBe(false)
    expect(style('Value', [5], fileSettings({ factor: '1000' }, NOW)).factor).toBe(1000)
  })
})

describe('the style of a column', () => {
  const construction = (header: string, ...cells: Cell[]) => style(header, cells).constructionScheme
  const occupancy = (header: string, ...cells: Cell[]) => style(header, cells).occupancyScheme
  test('has the construction scheme whose codes its cells are', () => {
    expect([construction('C', 5000, 5999), construction('C', 4999, 6000)]).toEqual(['oed', 'words'])
    expect([construction('C', 100, 199), construction('C', 99, 200)]).toEqual(['air', 'words'])
    expect([construction('RMS', 0, 9), construction('RMS', -1, 10)]).toEqual(['rms', 'words'])
    expect([construction('C', 1, 6), construction('C', 0, 7), construction('C', 1.5, 2.5)]).toEqual(['iso', 'words', 'words'])
    expect(construction('C')).toBe('words')
  })
  test('has the occupancy scheme whose codes at least three of five cells are', () => {
    expect([occupancy('O', 1000, 1399), occupancy('O', 999, 1400)]).toEqual(['oed', 'words'])
    expect([occupancy('O', 300, 399), occupancy('O', 299, 400)]).toEqual(['air', 'words'])
    expect([occupancy('ATC', 0, 30), occupancy('ATC', -1, 31), occupancy('O', 5, 6)]).toEqual(['atc', 'words', 'words'])
    expect(occupancy('O', 'RES1', 'com4', 'IND2', 'x', 'y')).toBe('hazus')
    expect(occupancy('O', 'RES1', 'com4', 'x', 'y')).toBe('words')
  })
  test('ignores empty cells', () => expect(construction('C', null, ' ', null, 1, 6)).toBe('iso'))
  test('contains shares if no number is above 1', () => {
    expect(style('%', ['TBD', 0.2]).share).toBe(true)
    expect([style('%', [0.2, 1]).share, style('%', [0.2, 1.1]).share, style('%', ['x']).share]).toEqual([true, false, false])
    expect(style('%', ['1.200,50', '1.234.000,00']).share).toBe(false)
    expect([style('%', ['0,5', '0,25', 0.125]).share, style('%', ['0,5', '12,5']).share]).toEqual([true, false])
  })
  test('is European if a cell is, and none is American', () => {
    expect([style('V', ['1.234,50']).european, style('V', ['1.234,50', '1,234.50']).european, style('V', ['5']).european]).toEqual([
      true,
      false,
      false,
    ])
  })
  test('is European if decimal commas are as frequent as groups of three digits, which are decimals then, too', () => {
    const read = (header: string, ...cells: string[]) => {
      const own = style(header, cells)
      return [own.european, ...cells.map((cell) => readCell(cell, 'building_value', own).value)]
    }
    expect(read('Building Value', '1234567,5', '987654,75', '500,125')).toEqual([true, 1_234_568, 987_655, 500])
    expect(read('Bâtiment (k€)', '1234,5', '12500', '987,654')).toEqual([true, 1_235, 12_500, 988])
    expect(read('Building Value', '1,125', '2,250', '12,5')).toEqual([false, 1_125, 2_250, null])
    expect(read('Building Value', '1,234.50', '500,125', '12,5')[0]).toBe(false)
    expect(read('Building Value', '€ 1.200.000', '€ 2.450.000,50', '€ 1,200')).toEqual([false, 1_200_000, 2_450_001, 1_200])
  })
  test.each([
    [['€ 1.200.000', '€ 2.450.000,50', '€ 300.000']],
    [['1.200.000', '12.50', '300.000']],
    [['$2.450,00', '1,250.50', '$300.000']],
  ])('has dots for thousands in all of %j, since some cells show it', (cells) => {
    for (const header of ['Building Value', 'Building Value ($000)']) {
      const own = style(header, cells)
      const last = cells.at(-1) ?? ''
      expect([own.dots, readCell(last, 'building_value', own)]).toEqual(['thousands', { value: 300_000 }])
    }
  })
  test('does not show what dots separate if cells contradict each other, or none has two', () => {
    expect(style('Building Value', ['1.200.000', '0.125', '300.000', '12.50']).dots).toBe('decimals')
    expect(style('Building Value', ['31.12.2024', '300.000', '1.200.0000', '12.50']).dots).toBe(null)
  })
  test('contains days if the header says so or a number is above 36', () => {
    expect([style('BI', [36]).days, style('BI', [37]).days, style('BI days', [5]).days]).toEqual([false, true, true])
    expect([style('BI', ['12,5']).days, style('BI', ['12,5', '1.095,00', '12,5']).days]).toEqual([false, true])
  })
  test('takes 1900 for a placeholder if three cells contain it', () => {
    expect([style('Y', [1900, 1900, 1985, 1985]).repeats1900, style('Y', [1900, 1900, 1900]).repeats1900]).toEqual([false, true])
  })
  test('has the order of dates that a day above 12 shows', () => {
    const order = (...cells: Cell[]) => style('D', cells)
    expect(order('1/2/2024', '1/13/2024')).toMatchObject({ dayFirst: false, unclearDates: false })
    expect(order('13/1/2024')).toMatchObject({ dayFirst: true, unclearDates: false })
    for (const date of ['1/12/2024', '12/1/2024']) expect(order(date)).toMatchObject({ dayFirst: false, unclearDates: true })
    expect(order('1/1/2024', '5/5/2024', '46023', '01-Feb-2024', '2024')).toMatchObject({ dayFirst: false, unclearDates: false })
    expect(order('1/1/2024', '2/9/2024', '3/4/2024')).toMatchObject({ unclearDates: true, examples: { date: '2/9/2024' } })
    expect(order('12/13/2024')).toMatchObject({ dayFirst: false, unclearDates: false })
    expect(order('2024-01-02')).toMatchObject({ dayFirst: false, unclearDates: false })
  })
  test('has the meaning that the words of its header give it', () => {
    expect(style('Roof Age', []).age).toBe(true)
    expect(style('Vacancy %', []).inverted).toBe(true)
    expect(style('Area (m2)', []).squareMeters).toBe(true)
    expect(style('Garage', [])).toMatchObject({ age: false, inverted: false, squareMeters: false, thisYear: 2026 })
  })
})

describe('a sample of a column', () => {
  test('has a bounded number of filled cells from its whole length', () => {
    const sample = sampleColumn()
    for (let number = 0; number < 5_000; number += 1) sample.add(number)
    for (const empty of [undefined, null, ' ']) sample.add(empty)
    const cells = sample.cells()
    expect(sample.filled()).toBe(5_000)
    expect([cells.length > 400, cells.length < 800, cells[0], Number(cells.at(-1)) > 4_900]).toEqual([true, true, 0, true])
    expect(cells.filter((cell) => Number(cell) < 2_500).length / cells.length).toBeCloseTo(0.5, 1)
  })
  test('of cells in memory is spread over its whole length', () => {
    const all = Array.from({ length: 10 * IMPORT_SAMPLE_CELLS }, (_, index) => index)
    const cells = sampleOf(all)
    expect([cells.length, cells[0], cells[1], cells.at(-1)]).toEqual([IMPORT_SAMPLE_CELLS, 0, 10, all.length - 10])
    expect(sampleOf([1, 2])).toEqual([1, 2])
  })
  test('has all cells of a short column', () => {
    const sample = sampleColumn()
    for (const cell of ['a', null, 'b']) sample.add(cell)
    expect([sample.cells(), sample.filled()]).toEqual([['a', 'b'], 2])
  })
})

test('the columns of a sheet have letter, header and all cells', () =>
  expect(sheetColumns(['Name', 'City'], [['Mill', 'Fresno'], ['Barn']])).toEqual([
    { column: 'A', header: 'Name', cells: ['Mill', 'Barn'] },
    { column: 'B', header: 'City', cells: ['Fresno', null] },
  ]))

describe('a change of the mapping', () => {
  const change = (mapping: Record<string, string>, changes: Record<string, string | null>) =>
    changeMapping({ mapping, columns: ['A', 'B', 'C'].map((column) => ({ column, status: 'confirm', note: 'sum_of' })) }, changes)
  test('moves a field from its former column and confirms the changed column', () => {
    const changed = change({ A: 'city', B: 'county' }, { C: 'city' })
    expect(changed.mapping).toEqual({ B: 'county', C: 'city' })
    expect(changed.columns.map(({ status, note }) => [status, note])).toEqual([
      ['confirm', 'sum_of'],
      ['confirm', 'sum_of'],
      ['mapped', null],
    ])
  })
  test.each(['ignore', 'custom', 'bi_value', 'contents_value'])('may map several columns to %s', (target) =>
    expect(change({ A: target }, { B: target }).mapping).toEqual({ A: target, B: target }),
  )
  test('may leave a column without a target', () => expect(change({ A: 'city' }, { A: null }).mapping).toEqual({}))
  test('is rejected for an unknown column or target', () => {
    expect(errorsOf(() => change({}, { D: 'city' }))).toEqual({ mapping: ['The sheet has no column D.'] })
    for (const target of ['zorp', 'status', 'tiv'])
      expect(errorsOf(() => change({}, { A: target }))).toEqual({ mapping: [`A column cannot be mapped to “${target}”.`] })
  })
})

test('a stored mapping is read without columns that have no valid target', () =>
  expect(checkedMapping({ A: 'city', B: null, C: 'zorp', D: 'custom', E: 'full_address', F: 'ignore' })).toEqual({
    A: 'city',
    D: 'custom',
    E: 'full_address',
    F: 'ignore',
  }))

describe('the constants of an import', () => {
  const errors = (constants: Record<string, string>) => errorsOf(() => constantFields(constants, NOW))
  test('are values of fields, read like cells', () => {
    expect(constantFields({ city: 'Fresno', state: 'California', country: 'USA', year_built: '', factor: '1000' }, NOW)).toEqual({
      city: 'Fresno',
      state: 'CA',
      country: 'US',
    })
    expect(constantFields({ state: 'Ontario' }, NOW)).toEqual({ state: 'ON' })
    expect(constantFields({ state: 'ON', country: 'Canada' }, NOW)).toEqual({ state: 'ON', country: 'CA' })
    expect(constantFields({ floor_area: '1,200' }, NOW)).toEqual({ floor_area: 1200 })
  })
  test('are rejected if they are unknown or cannot be read', () => {
    expect(errors({ factor: '7' })).toEqual({ factor: ['“7” is not possible here.'] })
    expect(errors({ zorp: '7' })).toEqual({ zorp: ['There is no such field.'] })
    expect(errors({ state: 'Zorp' })).toEqual({ state: ['“Zorp” is not a state or province. Type its two-letter code.'] })
    expect(errors({ year_built: 'soon' })).toEqual({
      year_built: ['“soon” is not a year. Type four digits such as 1985.'],
    })
    expect(errors({ city: 'none' })).toEqual({ city: ['“none” is not understood.'] })
  })
})

describe('the read plan', () => {
  async function* rows(...cells: Cell[][]) {
    yield cells.map((row) => ({ cells: row }))
  }
  const observe = (mapping: Mapping, headers: string[], ...cells: Cell[][]) =>
    observeReadPlan(
      rows(...cells),
      mapping,
      (letter) => headers[columnOf(letter) - 1] ?? '',
      { city: 'Fresno', address: '1 Elm' },
      SETTINGS,
      async () => {},
    )
  test('reads every column as all of its cells are written, in the order of the file', async () => {
    const plan = await observe(
      { B: 'building_value', A: 'floor_area', C: 'ignore' },
      ['Area (m2)', 'Value', 'X'],
      [5, '7', ''],
      [6, '1.234,50', 'x'],
    )
    expect(plan.columns.map(({ column, index, header, target }) => [column, index, header, target])).toEqual([
      ['A', 0, 'Area (m2)', 'floor_area'],
      ['B', 1, 'Value', 'building_value'],
    ])
    expect(plan.columns.map(({ style: { european, squareMeters } }) => [european, squareMeters])).toEqual([
      [false, true],
      [true, false],
    ])
  })
  test('questions what a single dot separates in most amounts below the name of a value, and elsewhere only if it repeats', async () => {
    const unclear = async (...cells: Cell[][]) =>
      (await observe({ A: 'building_value', B: 'stories' }, ['Building Value', 'Stories'], ...cells)).columns.map(
        ({ style }) => style.unclearDots,
      )
    expect(await unclear(['50.000', '1.500'], ['75.500', '2'])).toEqual([true, false])
    expect(await unclear(['50.000', '1.500'], ['75500', '1.250'], ['9000', '2.125'])).toEqual([false, true])
  })
  test('fills in constants, except for the identity of a property that has a column', async () => {
    expect((await observe({ A: 'address', B: 'city' }, ['Address', 'City'])).constants).toEqual({ city: 'Fresno' })
    expect((await observe({ B: 'city' }, ['', 'City'])).constants).toEqual({ city: 'Fresno', address: '1 Elm' })
  })
})

test('a factor that only some headers announce multiplies only their columns', () => {
  const settings = { ...SETTINGS, factor: 1000, factorByHeader: true }
  const factors = ["Building Value ('000)", 'BI', 'Stock $mm'].map((header) => style(header, [], settings).factor)
  expect(factors).toEqual([1000, 1, 1000])
  const columns = [
    { header: "Building Value ('000)", target: 'building_value' },
    { header: 'BI', target: 'bi_value' },
    { header: 'Total ($000)', target: 'stated_tiv' },
  ]
  expect(columnsWithFactor(columns, []).map(({ header }) => header)).toEqual(["Building Value ('000)"])
  expect(columnsWithFactor(columns, ['Statement of values'])).toHaveLength(1)
  expect(columnsWithFactor(columns, ['Values in thousands'])).toEqual([])
  expect(columnsWithFactor(columns.slice(1), [])).toEqual([])
})

describe('the order of dates', () => {
  const dmy = fileSettings({ date_order: 'dmy' }, NOW)
  const mdy = fileSettings({ date_order: 'mdy' }, NOW)
  test('that the cells of a column show counts before an answer, which may be that of another file', () => {
    expect(style('Date', ['31/1/2024', '3/4/2024'], mdy)).toMatchObject({ dayFirst: true, unclearDates: false })
    expect(style('Date', ['1/31/2024', '3/4/2024'], dmy)).toMatchObject({ dayFirst: false, unclearDates: false })
  })
  test('is not known if cells of a column show both', () => {
    const both = ['31/1/2024', '1/31/2024', '3/4/2024']
    expect(style('Date', both)).toMatchObject({ unclearDates: true })
    expect(style('Date', both, dmy)).toMatchObject({ dayFirst: true, unclearDates: false })
  })
})

import { describe, expect, test } from 'vitest'
import { NO_CODE } from '#contract/import-words.ts'
import { PROPERTY_FIELD_NAMES, propertyField, type PropertyFieldName } from '#contract/property-fields.ts'
import { SETTINGS } from '#server/features/imports/imports.fixture.ts'
import { columnStyle } from '#server/features/imports/pipeline/map/column-style.ts'
import { normalizeHeader } from '#server/features/imports/pipeline/read/headers.ts'
import { readCell, readChosen } from './read-cell.ts'
import type { ColumnStyle } from './results.ts'

const style = (over: Partial<ColumnStyle> = {}, header = '', cells: string[] = []): ColumnStyle => ({
  ...columnStyle(normalizeHeader(header), cells, SETTINGS),
  ...over,
})
const read = (field: PropertyFieldName, cell: string | number | boolean, over: Partial<ColumnStyle> = {}) => {
  const { value, problem, derived } = readCell(cell, field, style(over))
  return { value, ...(problem ? { problem: `${problem.severity} ${problem.code}` } : {}), ...(derived ? { derived } : {}) }
}

describe('money', () => {
  test.each<[string | number, number]>([
    [1234, 1234],
    ['1,234,567', 1_234_567],
    ['$1.2M', 1_200_000],
    ['1.2 mm', 1_200_000],
    ['850K', 850_000],
    ['USD 5,000', 5_000],
    [' $7,276,000 ', 7_276_000],
    ['7319660.0', 7_319_660],
    [10.5, 11],
    ['-', 0],
    ['nil', 0],
    ['None', 0],
  ])('%j is %d', (cell, value) => expect(read('building_value', cell)).toEqual({ value }))
  test('European notation is read in a European column', () =>
    expect(read('building_value', '1.234.567,00', { european: true })).toEqual({ value: 1_234_567 }))
  test.each(['Included', 'incl.', 'in bldg', 'Included in Bldg'])('%s means included elsewhere', (cell) =>
    expect(read('bi_value', cell)).toEqual({ value: null, problem: 'warning included_elsewhere' }),
  )
  test.each(['TBD', 'N/A', '?', 'unk'])('%s is a placeholder', (cell) =>
    expect(read('bi_value', cell)).toEqual({ value: null, problem: 'warning placeholder_value' }),
  )
  test.each([
    ['a lot', 'not_a_number'],
    ['50%', 'not_a_number'],
    ['(5,000)', 'out_of_range'],
  ])('%s is a warning', (cell, code) => expect(read('bi_value', cell)).toEqual({ value: null, problem: `warning ${code}` }))
  test('amounts are multiplied by the factor', () => expect(read('bi_value', '1.5', { factor: 1_000 })).toEqual({ value: 1_500 }))
})

describe('years', () => {
  test.each<[string | number, number]>([
    [1985, 1985],
    ['1985.0', 1985],
    ['c. 1985', 1985],
    ['circa 1995', 1995],
    ['2010-05-01', 2010],
  ])('%j is %d', (cell, value) => expect(read('year_built', cell)).toEqual({ value }))
  test('two years are the year built and the year renovated', () =>
    expect(read('year_built', '1985/2015')).toEqual({ value: 1985, derived: { year_upgraded: 2015 } }))
  test.each<[string | number, number]>([
    ['1960s', 1965],
    [85, 1985],
    ['12', 2012],
  ])('%j is read as %d with a warning', (cell, value) =>
    expect(read('year_built', cell)).toEqual({ value, problem: 'warning placeholder_value' }),
  )
  test.each([0, 1111, 9999, 'Unk'])('%j is unknown', (cell) =>
    expect(read('year_built', cell)).toEqual({ value: null, problem: 'warning placeholder_value' }),
  )
  test('the number of a day is its year', () =>
    expect(read('year_built', 31_413)).toEqual({ value: 1986, problem: 'warning placeholder_value' }))
  test('a year is allowed up to three years ahead', () => {
    expect(read('year_built', 2031)).toEqual({ value: null, problem: 'warning out_of_range' })
    expect(read('year_built', 2029)).toEqual({ value: 2029 })
  })
  test('1900 in several rows is a placeholder', () => {
    const many = columnStyle(normalizeHeader('Year Built'), [1900, 1900, 1900, 1985], SETTINGS)
    expect(readCell(1900, 'year_built', many).problem?.code).toBe('placeholder_value')
    expect(readCell(1985, 'year_built', many)).toEqual({ value: 1985 })
    expect(read('year_built', 1900)).toEqual({ value: 1900 })
  })
  test('an age is converted to a year', () => expect(readCell(12, 'roof_year', style({}, 'Roof Age', ['12'])).value).toBe(2014))
})

describe('stories, areas, shares', () => {
  test.each<[string | number, object]>([
    ['two', { value: 2 }],
    ['2.0', { value: 2 }],
    ['2 + bsmt', { value: 2, derived: { basement_levels: 1 } }],
    ['G+3', { value: 4 }],
    ['1-3', { value: 3, problem: 'warning placeholder_value' }],
    ['low rise', { value: null, problem: 'warning placeholder_value' }],
    [1.5, { value: 1.5, problem: 'warning not_an_integer' }],
    [151, { value: null, problem: 'warning out_of_range' }],
    ['tall', { value: null, problem: 'warning not_a_number' }],
  ])('stories %j is read', (cell, expected) => expect(read('stories', cell)).toEqual(expected))
  test.each<[string | number, object]>([
    ['24,039 sf', { value: 24_039 }],
    ['24039 SQFT', { value: 24_039 }],
    ['2,233 m2', { value: 24_036 }],
    [0, { value: null, problem: 'warning placeholder_value' }],
    ['3.2 acres', { value: null, problem: 'warning unit' }],
  ])('area %j is read', (cell, expected) => expect(read('floor_area', cell)).toEqual(expected))
  test('a column with a maximum of 1 contains shares', () => {
    const shares = columnStyle(normalizeHeader('% Occupied'), [0.5, 1, '100%'], SETTINGS)
    expect([0.5, 1, '100%'].map((cell) => readCell(cell, 'percent_occupied', shares).value)).toEqual([50, 100, 100])
    const percents = columnStyle(normalizeHeader('% Occupied'), [50, 1], SETTINGS)
    expect([50, 1].map((cell) => readCell(cell, 'percent_occupied', percents).value)).toEqual([50, 1])
  })
  test('vacancy is converted to occupancy', () => expect(readCell('10%', 'percent_occupied', style({}, 'Vacancy %')).value).toBe(90))
  test('a number with three decimals is not European notation', () =>
    expect(columnStyle(normalizeHeader('ffh'), ['1.125', '1.14'], SETTINGS).european).toBe(false))
})

describe('sprinklers', () => {
  test.each<[string | number | boolean, string]>([
    ['Y', 'full'],
    ['true', 'full'],
    ['100%', 'full'],
    ['No', 'none'],
    ['0', 'none'],
    ['wet', 'full'],
    ['NFPA 13', 'full'],
    ['13R', 'full'],
  ])('%j is %s', (cell, value) => expect(read('sprinklered', cell)).toMatchObject({ value }))
  test('13R is a sprinkler system', () => expect(read('sprinklered', 'NFPA 13R').derived).toEqual({ sprinkler_system: 'nfpa13r' }))
  test.each(['Partial', 'mixed', 'varies', 'office only'])('%s must be confirmed', (cell) =>
    expect(read('sprinklered', cell)).toMatchObject({ value: 'partial', problem: 'warning word_to_confirm' }),
  )
  test('a question mark is empty', () => expect(read('sprinklered', '?')).toEqual({ value: null }))
  test('a share of sprinkler cover is read as partial', () =>
    expect(read('percent_sprinklered', 0.5, { share: true })).toMatchObject({ value: 'partial', derived: { percent_sprinklered: 50 } }))
})

describe('dates, places, lists', () => {
  test.each([
    ['06/30/2025', '2025-06-30'],
    ['2025-03-15', '2025-03-15'],
    ['5/1/25', '2025-05-01'],
    ['1-Mar-25', '2025-03-01'],
    ['45658', '2025-01-01'],
    ['31/12/2022', '2022-12-31'],
  ])('%s is %s', (cell, value) => expect(read('valuation_date', cell)).toEqual({ value }))
  test('a day above 12 decides the order of dates in a column', () => {
    const european = columnStyle(normalizeHeader('Date'), ['01/02/2024', '31/01/2024'], SETTINGS)
    expect(readCell('01/02/2024', 'valuation_date', european).value).toBe('2024-02-01')
  })
  test('a year alone is January 1, with a warning', () =>
    expect(read('valuation_date', '2025')).toEqual({ value: '2025-01-01', problem: 'warning bad_date' }))
  test.each(['02/30/2024', '2027-01-01', 'soon'])('%s is an error', (cell) =>
    expect(read('valuation_date', cell)).toEqual({ value: null, problem: 'warning bad_date' }),
  )
  test.each([
    [`40° 42' 46" N`, 40.7127778],
    [`74°0'21.6"W`, -74.006],
    ['40.7128', 40.7128],
    ['74.006 W', -74.006],
  ])('%s is %d', (cell, value) => expect(read('latitude', cell).value).toBeCloseTo(value, 5))
  test.each<[PropertyFieldName, string | number, string]>([
    ['interest', 'F', 'owned'],
    ['interest', 'Leased', 'leased'],
    ['roof_cover', 'TPO', 'single_ply'],
    ['roof_cover', 4, 'light_metal'],
    ['foundation', 'SLAB ON GRADE', 'slab'],
    ['flood_zone', 'Zone AE', 'AE'],
    ['valuation_basis', 'Replacement Cost', 'rcv'],
    ['currency', 'US$', 'USD'],
    ['country', 'USA', 'US'],
  ])('%s %j is %s', (field, cell, value) => expect(read(field, cell)).toEqual({ value }))
  test('365 days are twelve months', () => expect(readCell('365', 'bi_months', style({}, 'BIPOI', ['365'])).value).toBe(12))
  test('a text that is too long is an error with a suggestion', () => {
    const { problem } = readCell('7'.repeat(30), 'location_number', style())
    expect(problem).toMatchObject({ code: 'too_long', severity: 'warning', suggestion: '7'.repeat(20) })
  })
})

describe('a code that a user chose for a word', () => {
  test.each<[PropertyFieldName, string, object]>([
    ['property_type', 'office', { value: 'office', derived: { occupancy_original: 'Zorp' } }],
    ['construction_class', '4', { value: '4', derived: { construction_original: 'Zorp' } }],
    ['roof_cover', 'tile', { value: 'tile' }],
    ['roof_cover', NO_CODE, { value: null }],
  ])('for %s, %j, is its value', (field, code, result) => expect(readChosen('Zorp', field, code)).toEqual(result))
})

test.each<[PropertyFieldName, string]>([
  ['country', 'Atlantis'],
  ['currency', 'gold'],
  ['sprinklered', 'Zorp'],
  ['construction_class', 'Zorp'],
  ['roof_cover', 'Zorp'],
])('an unknown word for %s is a warning', (field, cell) =>
  expect(read(field, cell)).toMatchObject({ value: null, problem: 'warning unknown_code' }),
)

describe('a list', () => {
  const lists = PROPERTY_FIELD_NAMES.flatMap((field) => {
    const definition = propertyField(field)
    const hasOwnReader = ['construction_class', 'property_type', 'sprinklered'].includes(field)
    return definition.kind === 'choice' && definition.importable && !hasOwnReader ? [[field, definition.choices] as const] : []
  })
  test.each(lists)('of %s is read by its codes and labels, and by no other word', (field, choices) => {
    for (const [code, label] of Object.entries(choices)) {
      for (const cell of [code, label, label.toUpperCase()])
        expect([cell, read(field, cell).value]).toEqual([cell, /^(unknown|unk|0)$/i.test(cell) ? null : code])
    }
    expect(read(field, 'Zorp')).toEqual({ value: null, problem: 'warning unknown_code' })
  })
})

describe('invisible characters', () => {
  test('are not part of a text, and a cell of nothing else is empty', () => {
    expect(read('property_name', 'Har\u200Bbor\u2060 \u202EView\uFEFF')).toEqual({ value: 'Harbor View' })
    expect(read('property_name', '\u200B\uFEFF')).toEqual({ value: null })
  })
})

import { describe, expect, test } from 'vitest'
import type { PropertyFieldName } from '#contract/property-fields.ts'
import { SETTINGS } from '#server/features/imports/imports.fixture.ts'
import { columnStyle } from '#server/features/imports/pipeline/map/column-style.ts'
import type { FileSettings } from '#server/features/imports/pipeline/map/file-settings.ts'
import { proposeMapping, type MappingTarget } from '#server/features/imports/pipeline/map/propose-mapping.ts'
import { createReadPlan } from '#server/features/imports/pipeline/map/read-plan.ts'
import { openQuestions } from '#server/features/imports/pipeline/plan/open-questions.ts'
import type { Cell } from '#server/features/imports/pipeline/read/cells.ts'
import { normalizeHeader } from '#server/features/imports/pipeline/read/headers.ts'
import { numberOfDate } from './ambiguous-texts.ts'
import { readCell } from './read-cell.ts'
import { splitSamples } from './read-parts.ts'
import { readRow } from './read-row.ts'

/** The rows and questions of a file with one column. */
function readColumn(target: MappingTarget, header: string, cells: readonly Cell[], settings: Partial<FileSettings> = {}) {
  const styleOf = () => columnStyle(normalizeHeader(header), cells, { ...SETTINGS, ...settings })
  const plan = createReadPlan({ A: target }, () => header, styleOf, {})
  const rows = cells.map((cell) => readRow([cell], plan))
  const questions = openQuestions({ constants: {}, plan, titles: [], tally: {}, issues: [], rows: { hidden: 0, tables: [], sheets: [] } })
  return { rows, questions: questions.map(({ constant, suggestion }) => `${constant}: ${suggestion}`) }
}
const valuesOf = ({ rows }: ReturnType<typeof readColumn>, ...fields: PropertyFieldName[]) =>
  rows.map((row) => fields.map((field) => row.fields[field] ?? null).join(' | '))
const codesOf = ({ rows }: ReturnType<typeof readColumn>, field: PropertyFieldName) =>
  rows.flatMap(({ issues }) => issues.filter((issue) => issue.field === field).map(({ code }) => code))

describe('a location number that became a date', () => {
  const CELLS = ['2026-01-02', '2026-02-01', '14-3']
  test('is not imported before one question for the file is answered', () => {
    const open = readColumn('location_building', 'Loc-Bldg', CELLS)
    expect(open.questions).toEqual(['number_dates: month_day'])
    expect(valuesOf(open, 'location_number', 'building_number')).toEqual([' | ', ' | ', '14 | 3'])
    expect(codesOf(open, 'location_number')).toEqual(['bad_date', 'bad_date'])
    expect(open.rows[0]?.issues[0]).toMatchObject({ severity: 'warning', suggestion: '1-2', value: '2026-01-02' })
  })
  test('is the number that was typed, in the order of the answer', () => {
    const byMonth = readColumn('location_building', 'Loc-Bldg', CELLS, { numberDates: 'month_day' })
    expect(byMonth.questions).toEqual([])
    expect(valuesOf(byMonth, 'location_number', 'building_number')).toEqual(['1 | 2', '2 | 1', '14 | 3'])
    const byDay = readColumn('location_building', 'Loc-Bldg', CELLS, { numberDates: 'day_month' })
    expect(valuesOf(byDay, 'location_number', 'building_number')).toEqual(['2 | 1', '1 | 2', '14 | 3'])
  })
  test('stays a date, not split, if the user says so', () => {
    const text = readColumn('location_building', 'Loc-Bldg', CELLS, { numberDates: 'text' })
    expect([text.questions, valuesOf(text, 'location_number', 'building_number')[0]]).toEqual([[], '2026-01-02 | '])
  })
  test('is recognized as the short text of a date, with two digits of a year, and in other columns of numbers', () => {
    expect(
      ['2-Jan', 'Jan-95', '1995-03-01', '1932-01-01', '2000-03-01', '2026-01-01', 'DEC-01', '1-2'].map((text) =>
        numberOfDate(text, 'month_day'),
      ),
    ).toEqual(['1-2', '1-95', '3-95', '1-32', '3-00', '1-1', undefined, undefined])
    for (const target of ['location_number', 'building_number', 'external_id', 'protection_class', 'address_2'] as const) {
      const read = readColumn(target, target, ['2-Jan', '2026-04-09'])
      expect([target, valuesOf(read, target), read.questions.length]).toEqual([target, ['', ''], 1])
      expect(valuesOf(readColumn(target, target, ['2-Jan', '2026-04-09'], { numberDates: 'month_day' }), target)).toEqual(['1-2', '4-9'])
    }
  })
  test('is shown in the sample of the split as it is read', () => {
    expect(splitSamples('location_building', ['2026-01-02', '3-1'])).toEqual(['2026-01-02', '3 | 1'])
    expect(splitSamples('location_building', ['2026-01-02', '3-1'], 'month_day')).toEqual(['1 | 2', '3 | 1'])
  })
  test('is still proposed as a number for the column', async () => {
    const [column] = await proposeMapping(
      [{ column: 'A', header: 'Protection Class', cells: ['2026-04-09', '2026-03-04'] }],
      new Map(),
      SETTINGS,
    )
    expect(column).toMatchObject({ target: 'protection_class' })
  })
  test('is not suspected in a column of dates or a description', () => {
    expect(readColumn('valuation_date', 'Valuation Date', ['2026-01-02']).questions).toEqual([])
    expect(valuesOf(readColumn('description', 'Description', ['2026-01-02']), 'description')).toEqual(['2026-01-02'])
  })
})

describe('a number with one dot and three digits', () => {
  const AREAS = ['12.000', '8.500', '24.250 sf', 'n/a']
  test('is not imported before one question for the file is answered', () => {
    const open = readColumn('floor_area', 'Sq Ft', AREAS)
    expect([open.questions, valuesOf(open, 'floor_area')]).toEqual([['dots: thousands'], ['', '', '', '']])
    expect(open.rows[0]?.issues[0]).toMatchObject({ severity: 'warning', suggestion: '12000' })
  })
  test('has thousands or decimals, as answered', () => {
    expect(valuesOf(readColumn('floor_area', 'Sq Ft', AREAS, { dots: 'thousands' }), 'floor_area')).toEqual(['12000', '8500', '24250', ''])
    expect(valuesOf(readColumn('floor_area', 'Sq Ft', AREAS, { dots: 'decimals' }), 'floor_area')).toEqual(['12', '8.5', '24.25', ''])
  })
  test('is a warning without a question in few cells, also of an amount', () => {
    const few = readColumn('contents_value', 'Contents', ['$12.000', '45,000', '8,500'])
    expect([few.questions, valuesOf(few, 'contents_value'), codesOf(few, 'contents_value')]).toEqual([
      [],
      ['', '45000', '8500'],
      ['not_a_number'],
    ])
  })
  test('is understood where the column shows how numbers are written', () => {
    expect(valuesOf(readColumn('building_value', 'Value', ['850.000', '1.200.000', '8.500']), 'building_value')).toEqual([
      '850000',
      '1200000',
      '8500',
    ])
    expect(valuesOf(readColumn('building_value', 'Value', ['850.000', '12500.125', '8.500']), 'building_value')).toEqual([
      '850',
      '12500',
      '9',
    ])
    expect(
      valuesOf(readColumn('building_value', 'Value ($M)', ['1.125', '2.250', '3.375'], { factor: 1_000_000 }), 'building_value'),
    ).toEqual(['1125000', '2250000', '3375000'])
  })
  test('is a question of amounts in thousands, too: 12.500 may be 12.5 thousand', () => {
    const open = readColumn('building_value', 'Gebäudewert TEUR', ['12.500', '850', '1.250'], { factor: 1_000 })
    expect([open.questions, valuesOf(open, 'building_value')]).toEqual([
      ['factor: 1000', 'dots: thousands'],
      ['', '850000', ''],
    ])
    const answered = readColumn('building_value', 'Gebäudewert TEUR', ['12.500', '850'], { factor: 1_000, dots: 'thousands' })
    expect(valuesOf(answered, 'building_value')).toEqual(['12500000', '850000'])
  })
  test('is no amount with a comma behind it and three more digits', () => {
    const read = readColumn('building_value', 'Building', ['850,000', '1.000,000', '~900,000', '750,000'])
    expect([valuesOf(read, 'building_value'), codesOf(read, 'building_value')]).toEqual([
      ['850000', '', '900000', '750000'],
      ['not_a_number', 'estimate'],
    ])
  })
  test('has a decimal comma after a zero, which the other amounts in millions have, too', () => {
    const valuesIn = (header: string, factor: number, ...cells: string[]) =>
      valuesOf(readColumn('contents_value', header, cells, { factor }), 'contents_value')
    expect(valuesIn('Inhalt (Mio. EUR)', 1_000_000, '3,250', '0,850')).toEqual(['3250000', '850000'])
    expect(valuesIn('Inhalt (Mio. EUR)', 1_000_000, '0,500', '0,250')).toEqual(['500000', '250000'])
    expect(valuesIn('Contents', 1, '3,250,000', '1,125,000', '0,850')).toEqual(['3250000', '1125000', ''])
  })
  test('has decimals in millions, also with a comma', () =>
    expect(
      valuesOf(readColumn('building_value', 'Value (Mio. EUR)', ['12,500', '1,850'], { factor: 1_000_000 }), 'building_value'),
    ).toEqual(['12500000', '1850000']))
  test('is no question with a multiple, or as a number of the spreadsheet program', () => {
    const resultOf = (...cells: Cell[]) => {
      const read = readColumn('building_value', 'Value', cells)
      return [read.questions, valuesOf(read, 'building_value')]
    }
    expect(resultOf('1.125M', '$2.250 mm')).toEqual([[], ['1125000', '2250000']])
    expect(resultOf(12.125, 13.125, 14.125)).toEqual([[], ['12', '13', '14']])
  })
  test('is not a problem in a column of other numbers', () => {
    const style = columnStyle(normalizeHeader('Latitude'), ['40.712', '41.123', '42.333'], SETTINGS)
    expect(readCell('40.712', 'latitude', style)).toEqual({ value: 40.712 })
  })
})

describe('a ditto mark', () => {
  test('leaves the row out where the property needs the value, and leaves other fields empty', () => {
    for (const text of ['"', 'ditto', 'Same as above', '″', 'see above', 'same'])
      for (const field of ['address', 'city', 'state'] as const)
        expect([
          text,
          ...readColumn(field, field, [text]).rows.flatMap(({ fields, issues }) => [
            fields[field],
            issues.find((issue) => issue.field === field),
          ]),
        ]).toEqual([text, undefined, expect.objectContaining({ code: 'placeholder_value', severity: 'error' })])
    const style = columnStyle(normalizeHeader(''), [], SETTINGS)
    for (const field of ['property_name', 'postal_code', 'building_value', 'year_built', 'construction_class'] as const)
      expect([field, readCell('"', field, style)]).toMatchObject([
        field,
        { value: null, problem: { code: 'placeholder_value', severity: 'warning' } },
      ])
  })
  test('is not suspected in a text that contains its words', () => {
    const style = columnStyle(normalizeHeader(''), [], SETTINGS)
    expect(['12 Above St', 'Ditto Landing', '5" Pipe Yard'].map((text) => readCell(text, 'address', style).value)).toEqual([
      '12 Above St',
      'Ditto Landing',
      '5" Pipe Yard',
    ])
  })
})

import { describe, expect, test } from 'vitest'
import { columnLetters, columnOf } from '#server/engines/spreadsheet/sheet.ts'
import type { Cell, SheetRow } from './cells.ts'
import { classifyRows } from './classify-rows.ts'
import { findHeader } from './find-header.ts'
import { normalizeHeader } from './headers.ts'
import { sheetFacts, type SheetHead } from './sheet-head.ts'
import { sheetYear } from './sheet-year.ts'
import { surveySheets } from './survey-sheets.ts'

const sheet = (...rows: Cell[][]): SheetRow[] => rows.map((cells, index) => ({ number: index + 1, hidden: false, cells }))
const HEADER = ['Loc #', 'Name', 'Street Address', 'City', 'ST', 'Bldg Value', 'Contents']
const location = (number: number, city = 'Fresno', building = 100, contents = 10): Cell[] => [
  number,
  `Site ${number}`,
  `${number} Main St`,
  city,
  'CA',
  building,
  contents,
]
const kindsOf = (...rows: Cell[][]) => classifyRows(sheet(HEADER, ...rows), 1, HEADER).slice(1)

describe('the header row', () => {
  test('is found below titles and notes', () => {
    const rows = sheet(['STATEMENT OF VALUES'], ['Values 100 % replacement cost, USD'], [null], HEADER, location(1), location(2))
    expect(findHeader(rows, [{ top: 1, left: 1, bottom: 1, right: 7 }])).toMatchObject({ row: 4, labels: HEADER })
  })
  test('is the first of two equal rows', () => expect(findHeader(sheet(HEADER, location(1), HEADER, location(2)), [])?.row).toBe(1))
  test('is not found if no row contains a known header', () => expect(findHeader(sheet(['a', 'b'], [1, 2]), [])).toBeUndefined())
  test('uses the group label where a label alone is ambiguous', () => {
    const groups: Cell[] = [null, null, 'Building', null, 'Contents', null]
    const labels: Cell[] = ['Loc #', 'Address', '2026 RCV', '2025 RCV', '2026 RCV', '2025 RCV']
    const merges = [
      { top: 1, left: 3, bottom: 1, right: 4 },
      { top: 1, left: 5, bottom: 1, right: 6 },
    ]
    expect(findHeader(sheet(groups, labels, [1, '1 Main St', 5, 4, 3, 2]), merges)?.labels).toEqual([
      'Loc #',
      'Address',
      'Building 2026 RCV',
      'Building 2025 RCV',
      'Contents 2026 RCV',
      'Contents 2025 RCV',
    ])
  })
  const LABELS: Cell[] = ['Loc #', 'Address', '2026 RCV', '2025 RCV', '2026 RCV', '2025 RCV', 'Comments']
  const JOINED = ['Loc #', 'Address', 'Building 2026 RCV', 'Building 2025 RCV', 'Contents 2026 RCV', 'Contents 2025 RCV', 'Comments']
  const values = (number: number): Cell[] => [number, `${number} Main St`, 5, 4, 3, 2, 'x']
  test('uses a group label that is not merged for the blank cells on its right', () =>
    expect(findHeader(sheet(['Location', null, 'Building', null, 'Contents'], LABELS, values(1), values(2)), [])?.labels).toEqual(JOINED))
  test('uses a group label in the cell above a single column', () => {
    const labels: Cell[] = ['Loc #', 'Address', '2026', 'RCV', 'RCV']
    expect(findHeader(sheet([null, null, 'Building', 'Building', 'Contents'], labels, [1, '1 Main St', 5, 4, 3]), [])?.labels).toEqual([
      'Loc #',
      'Address',
      'Building 2026',
      'Building RCV',
      'Contents RCV',
    ])
  })
  test('does not use a title above the first column as a group label', () =>
    expect(findHeader(sheet(['Building values'], ['RCV', 'Loc #', 'City', '2026'], [5, 1, 'Fresno', 4]), [])?.labels).toEqual([
      'RCV',
      'Loc #',
      'City',
      '2026',
    ]))
  test('uses the term of a group of values for each of its columns', () => {
    const groups: Cell[] = ['Location', null, '2026-27 Insured values (USD)', null, '2025-26 Insured values (USD)', null]
    const labels: Cell[] = ['Loc #', 'Address', 'Bldg', 'Contents', 'Bldg', 'Contents']
    const found = findHeader(sheet(groups, labels, [1, '1 Main St', '$5M', 4, '$4M', 3]), [])?.labels
    expect(found).toEqual([
      'Loc #',
      'Address',
      '2026-27 Insured values (USD) Bldg',
      '2026-27 Insured values (USD) Contents',
      '2025-26 Insured values (USD) Bldg',
      '2025-26 Insured values (USD) Contents',
    ])
  })
  test('may be split over two rows', () => {
    const upper: Cell[] = ['Loc #', 'Address', 'Building', null, 'Contents', null, 'Comments']
    const lower: Cell[] = [null, null, '2026 RCV', '2025 RCV', '2026 RCV', '2025 RCV']
    expect(findHeader(sheet(['SOV'], upper, lower, values(1), values(2)), [])).toMatchObject({ row: 3, labels: JOINED })
    const years: Cell[] = [null, null, 2026, 2025, 2026, 2025]
    expect(findHeader(sheet(upper, years, values(1), values(2)), [])?.labels.slice(2, 4)).toEqual(['Building 2026', 'Building 2025'])
  })
  test('does not use the group label where the label is clear', () => {
    const merges = [{ top: 1, left: 1, bottom: 1, right: 5 }]
    expect(findHeader(sheet(['LOCATION'], HEADER, location(1)), merges)?.labels).toEqual(HEADER)
  })
})

describe('the kind of a row', () => {
  test('locations whose city or street starts like a total are locations', () =>
    expect(
      kindsOf(location(1, 'Grand Prairie'), [2, 'Total Wine', '9 Rio Grande Blvd', 'Grand Prairie', 'TX', 5, 6], location(3, 'Summit')),
    ).toEqual(['data', 'data', 'data']))
  test('a total starts with the word total', () => {
    expect(kindsOf(location(1), location(2), [null, 'TOTAL', null, null, null, 200, 20])).toEqual(['data', 'data', 'total'])
    expect(kindsOf(location(1), location(2), ['Grand Total:', null, null, null, null, 999, 20])[2]).toBe('total')
  })
  test('a total without a name is recognized by two sums', () => {
    expect(kindsOf(location(1), location(2), [null, null, null, null, null, 200, 20])[2]).toBe('total')
    expect(kindsOf(location(1), location(2), [null, null, null, null, null, 200, 21])[2]).toBe('data')
  })
  test('subtotals end their section', () =>
    expect(
      kindsOf(location(1), location(2), [null, 'Subtotal Fresno County', null, null, null, 200, 20], location(3), location(4), [
        'Total',
        null,
        null,
        null,
        null,
        400,
        40,
      ]),
    ).toEqual(['data', 'data', 'subtotal', 'data', 'data', 'total']))
  test('a total of formulas without results is recognized by its name', () =>
    expect(kindsOf(location(1), [null, 'Subtotal', null, null, null, { formula: '=SUM(F2:F2)' }, null])[1]).toBe('subtotal'))
  test('a total with decimal commas is a total', () => {
    const european = (number: number, building: string): Cell[] => [...location(number).slice(0, 5), building, 'x']
    const total = ['Summe', null, null, null, null, '3.500.000,75', null]
    expect(kindsOf(european(1, '1.000.000,50'), european(2, '2.500.000,25'), ['Total', ...total.slice(1)])[2]).toBe('total')
    expect(kindsOf(location(1, 'x', 100, 10), ['Sous-total', null, null, null, null, { formula: '=SUM(F2:F2)' }, null])[1]).toBe('subtotal')
    expect(kindsOf(european(1, '€1.000.000,50'), european(2, '€2.500.000,25'), ['x', 'Totaux généraux', ...total.slice(2)])[2]).toBe('data')
    const twoSums = european(3, '3.500.000,75')
      .with(6, 20)
      .map((cell, column) => (column < 5 ? null : cell))
    const total3 = ['Total', null, null, null, null, '2222722,375', null]
    expect(kindsOf(european(1, '1234567,5'), european(2, '987654,75'), european(3, '500,125'), total3)[3]).toBe('total')
    expect(kindsOf(european(1, '1.000.000,50').with(6, 10), european(2, '2.500.000,25').with(6, 10), twoSums)[2]).toBe('total')
  })
  test('two equal locations are not a total', () => expect(kindsOf(location(1), location(1))).toEqual(['data', 'data']))
  test('blank rows, repeated headers, sections and notes are recognized', () =>
    expect(
      kindsOf(['NORTHERN REGION'], location(1), [null, ' '], HEADER, location(2), ['* Values trended 7 %'], ['See the appraisal of 2024']),
    ).toEqual(['section', 'data', 'blank', 'repeated_header', 'data', 'note', 'note']))
  const UNITS = [null, 'text', 'text', null, 'code', '($)', '$000']
  test('a row of units below the header is not a location', () => {
    expect(kindsOf(UNITS, location(1))).toEqual(['note', 'data'])
    expect(kindsOf(location(1), UNITS)).toEqual(['data', 'data'])
    expect(kindsOf([1, 'Text', 'Code', 'Iso'])).toEqual(['data'])
    expect(kindsOf([null, 'text', 'code', '($)', 'Zorp', 'Zap'], location(1))[0]).toBe('note')
    expect(kindsOf([null, '($)'], location(1))[0]).toBe('section')
    expect(kindsOf([null, 'text', '55', null, 'code', '($)', '$000'], location(1))[0]).toBe('data')
    expect(kindsOf([null, 'text', { formula: '=A1' }, null, 'code', '($)', '$000'], location(1))[0]).toBe('data')
    expect(kindsOf([null, '2,5 m', '3 units', null, 'code', '($)', 'text'], location(1))[0]).toBe('note')
  })
  test.each(['USD 000', 'EUR 000', 'GBP (000)', "$'000", '$K', 'TEUR', '£ k', 'in k', 'x1000', 'in USD thousands'])(
    'a row with many signs of numbers and %s is one of units',
    (unit) => {
      for (const signs of [1, 2, 5]) {
        const units = HEADER.map((_, column) => (column < signs ? '#' : column > 4 ? unit : null))
        expect(kindsOf(units, location(1), location(2))).toEqual(['note', 'data', 'data'])
        const labels = findHeader(sheet(HEADER, units, location(1)), [])?.labels
        expect(labels?.at(-1)).toBe(`Contents (${unit})`)
        expect(normalizeHeader(labels?.at(-1) ?? '')).toMatchObject({ words: 'contents', factor: 1_000 })
      }
    },
  )
  test('a unit that changes the meaning of the values becomes a part of the header', () => {
    for (const unit of ['$000', '( $000 )', '[$000]'])
      expect(findHeader(sheet(HEADER, UNITS.with(-1, unit), location(1)), [])?.labels.slice(-2)).toEqual(['Bldg Value', 'Contents ($000)'])
  })
  test('a row of measures below complete names is not the header, although two of them are names, too', () => {
    const names = [...HEADER, 'Area', 'Stories']
    const units = [...HEADER.map((name) => (/Value|Contents/.test(name) ? 'USD' : null)), 'sq ft', 'no.']
    expect(findHeader(sheet(names, units, [...location(1), 8_000, 2]), [])).toMatchObject({ row: 1, labels: names })
  })
  test('rows above the header are titles', () =>
    expect(classifyRows(sheet(['SOV'], HEADER, location(1)), 2, HEADER)).toEqual(['title', 'header', 'data']))
})

describe('sheets of one schedule', () => {
  const head = (name: string, first: number, hidden = false, header: Cell[] = HEADER) => ({
    name,
    hidden,
    rows: 3,
    head: sheet(header, location(first), location(first + 1)),
    merges: [],
  })
  const joined = (...heads: ReturnType<typeof head>[]) =>
    surveySheets(heads.map((own, index) => ({ ...own, index }))).joined.map(({ name }) => name)
  test('sheets with the same columns are joined in the order of the file', () =>
    expect(joined(head('Texas', 20), head('SOV', 1), head('Built before 1980', 40))).toEqual(['Texas', 'SOV', 'Built before 1980']))
  test('hidden sheets, unlikely names and other columns are not joined', () =>
    expect(
      joined(head('Texas', 20), head('Ohio', 30, true), head('Sold', 40), head('Utah', 50, false, [...HEADER.slice(0, -1), 'Widgets'])),
    ).toEqual(['Texas']))
  test.each(['DO NOT USE', 'Pending acquisitions', 'Draft', 'SOV (old)', 'Not insured', 'Template', 'Prior_term', 'Archived 2019'])(
    'sheet %s is not joined, as its name says that it is not current',
    (name) => expect(joined(head('Texas', 1), head(name, 40))).toEqual(['Texas']),
  )
  test.each(['Old Town', 'Testament Hall', 'Acquired 2019'])('sheet %s is joined', (name) =>
    expect(joined(head('Texas', 1), head(name, 40))).toContain(name),
  )
  test('sheets with values of different years are not joined', () => {
    const of = (year: number) => HEADER.map((label) => (label === 'Contents' ? `Contents ${year}` : label))
    expect(joined(head('Texas', 20, false, of(2025)), head('Utah', 50, false, of(2026)))).toHaveLength(1)
  })
  test('sheets of one year, and sheets of which only one has a year, are joined', () => {
    expect(joined(head('Texas 2025', 20), head('Ohio 2025', 30))).toEqual(['Texas 2025', 'Ohio 2025'])
    expect(joined(head('Texas 2025', 20), head('Ohio', 30))).toEqual(['Texas 2025', 'Ohio'])
    expect(joined(head('Texas 2025', 20), { ...head('Ohio', 30), rows: 900 })).toEqual(['Texas 2025', 'Ohio'])
  })
  test('sheets with the same sections, but other locations, are joined', () => {
    const sections = [['NORTH'], ['SOUTH'], ['EAST']]
    const of = (name: string, first: number) => ({
      ...head(name, first),
      head: sheet(HEADER, ...sections, location(first), location(first + 1)),
    })
    expect(joined(of('Texas', 20), of('Ohio', 30))).toEqual(['Texas', 'Ohio'])
  })
  test.each(['Contents ($000)', 'Contents (EUR)', 'Contents m2'])('sheets with %s are not joined with others', (label) =>
    expect(joined(head('Texas', 20), head('Utah', 50, false, HEADER.with(-1, label)))).toHaveLength(1),
  )
  test('the same locations by number and city are not joined', () => {
    const short = (name: string) => ({
      ...head(name, 1),
      head: sheet(['Loc #', 'City', 'Bldg Value', 'Contents'], [1, 'Fresno', 5, 6], [2, 'Selma', 7, 8]),
    })
    expect(joined({ ...short('SOV'), rows: 900 }, short('Texas'))).toEqual(['SOV'])
  })
  test('another version of the same locations is not joined', () => {
    const draft = { ...head('Draft', 1), head: sheet(HEADER, location(1, 'Fresno', 7), location(2, 'Fresno', 8)) }
    expect(joined(head('Final', 1), draft)).toEqual(['Final'])
  })
})

describe('the proposed sheet', () => {
  const head = (name: string, hidden = false) => ({
    index: 0,
    name,
    hidden,
    rows: 3,
    head: sheet(HEADER, location(1), location(2)),
    merges: [],
  })
  const proposed = (...names: string[]) => surveySheets(names.map((name, index) => ({ ...head(name), index }))).proposed?.name
  test('is not one for divested properties, vehicles, equipment or a summary', () =>
    expect(proposed('Sold - Deleted', 'Auto Schedule', 'Equipment', 'Summary', 'Sheet5')).toBe('Sheet5'))
  test('is the one of the newest year', () => expect(proposed('SOV 2024', 'SOV 2025')).toBe('SOV 2025'))
  test.each([
    ['SOV 2025', 2025],
    ['SOV 25-26', 2026],
    ['2025/26 Values', 2026],
    ['Schedule_2024', 2024],
    ['Built 2020', undefined],
    ['Built_2020', undefined],
    ['2000-2019', undefined],
    ['2010s', undefined],
    ['2020+', undefined],
    ['California', undefined],
  ])('sheet %s is of the year %s', (name, year) => expect(sheetYear(name)).toBe(year))
  const of = (name: string, ...rows: Cell[][]): SheetHead => ({
    index: 0,
    name,
    hidden: false,
    rows: rows.length,
    head: sheet(...rows),
    merges: [],
  })
  const choice = (...sheets: SheetHead[]) => surveySheets(sheets.map((own, index) => ({ ...own, index }))).proposed?.name
  const rows = (count: number, first = 1) => Array.from({ length: count }, (_, index) => location(first + index))
  test('is not one whose known headers have empty columns', () => {
    const wide = [...HEADER, 'Zip', 'County', 'Year Built', 'Stories', 'Construction', 'Occupancy', 'Sprinklered']
    const template = rows(4, 50).map((cells) => cells.slice(0, 4))
    expect(choice(of('Sheet1', HEADER, ...rows(4)), of('Sheet2', wide, ...template))).toBe('Sheet1')
  })
  test('is not one whose cells refer to another sheet', () => {
    const wide = [...HEADER, 'Zip', 'County']
    const derived = of('Sheet2', wide, ...rows(4, 50).map((cells) => [...cells, '93721', 'Fresno']))
    expect(choice(of('Sheet1', HEADER, ...rows(4)), derived)).toBe('Sheet2')
    expect(choice(of('Sheet1', HEADER, ...rows(4)), { ...derived, references: 0.2 })).toBe('Sheet2')
    expect(choice(of('Sheet1', HEADER, ...rows(4)), { ...derived, references: 0.9 })).toBe('Sheet1')
  })
  test('is not one that repeats a part of the rows of another, or its rows with fewer columns', () => {
    const wide = [...HEADER, 'Zip', 'County']
    const extract = rows(3).map((cells) => [...cells, '93721', 'Fresno'])
    expect(choice(of('Sheet1', wide, ...extract), of('Sheet2', HEADER, ...rows(9)))).toBe('Sheet2')
    const original = rows(4).map((cells) => [...cells, 'a', 'b', 'c'])
    expect(choice(of('Sheet1', HEADER, ...rows(4)), of('Sheet2', [...HEADER, 'P', 'Q', 'R'], ...original))).toBe('Sheet2')
  })
  test('is the one with more columns of a name, also if they have few values', () => {
    const unnamed = rows(4).map((cells) => [...cells, 'a', 'b', 'c', 'd'])
    const original = rows(4).map((cells, at) => (at === 0 ? [...cells, 'a', 'b'] : cells))
    expect(choice(of('Sheet1', HEADER, ...unnamed), of('Sheet2', [...HEADER, 'P', 'Q'], ...original))).toBe('Sheet2')
  })
  test('is the one with more known columns', () => {
    const unknown = ['Loc #', 'City', 'ST', 'Zip', 'P', 'Q', 'R', 'S', 'T', 'U', 'V', 'W']
    const other = Array.from({ length: 4 }, (_, index) => [90 + index, 'Selma', 'CA', '93662', ...'abcdefgh'])
    expect(choice(of('Sheet1', HEADER, ...rows(4)), of('Sheet2', unknown, ...other))).toBe('Sheet1')
  })
  test('is one of two equal copies, not a smaller schedule', () => {
    const small = rows(4, 50).map((cells) => cells.slice(0, 5))
    expect(choice(of('Sheet1', HEADER, ...rows(4)), of('Sheet2', HEADER, ...rows(4)), of('Sheet3', HEADER.slice(0, 5), ...small))).toBe(
      'Sheet1',
    )
  })
  test('has the share of its cells that refer to other sheets', () => {
    const layout = {
      lastRow: 9,
      lastColumn: 2,
      filledRows: 5,
      lastFilledRow: 5,
      merges: [],
      hiddenColumns: [2],
      struckRows: [4],
      widths: [],
    }
    expect(sheetFacts({ ...layout, cells: 10, references: 4 })).toEqual({
      rows: 5,
      lastFilledRow: 5,
      merges: [],
      hiddenColumns: [2],
      struckRows: [4],
      widths: [],
      references: 0.4,
    })
    expect(sheetFacts({ ...layout, cells: 0, references: 0 }).references).toBe(0)
  })
  test('is an extract if the sheet with all rows only refers to others', () => {
    const whole = { ...of('Sheet2', HEADER, ...rows(9)), references: 0.9 }
    expect(choice(of('Sheet1', HEADER, ...rows(3)), whole)).toBe('Sheet1')
  })
  test('a hidden sheet is not proposed', () => {
    const { proposed: chosen } = surveySheets([{ ...head('SOV', true) }, { ...head('Old'), index: 1 }])
    expect(chosen?.name).toBe('Old')
  })
  test('a sheet without a header has a score of 0', () => expect(surveySheets([{ ...head('SOV'), head: [] }]).sheets[0]?.score).toBe(0))
})

test('columns are numbered by letters', () => {
  expect([1, 26, 27, 72, 300].map(columnLetters)).toEqual(['A', 'Z', 'AA', 'BT', 'KN'])
  expect(['A', 'Z', 'AA', 'BT', 'KN'].map(columnOf)).toEqual([1, 26, 27, 72, 300])
})

import { describe, expect, test } from 'vitest'
import type { Cell as EngineCell } from '#server/engines/spreadsheet/sheet.ts'
import {
  cellText,
  hasUnclearComma,
  isFilled,
  isNumeric,
  looksAmerican,
  looksEuropean,
  parseRowText,
  toRowText,
  type Cell,
  type SheetRow,
} from './cells.ts'
import { classifyRows, classifySchedule, type ScheduleRow } from './classify-rows.ts'
import { findHeader, headerLabels } from './find-header.ts'
import type { SheetHead } from './sheet-head.ts'
import { surveySheets } from './survey-sheets.ts'

const sheet = (...rows: Cell[][]): SheetRow[] => rows.map((cells, index) => ({ number: index + 1, hidden: false, cells }))
const HEADER = ['Loc #', 'Name', 'Street Address', 'City', 'ST', 'Bldg Value', 'Contents']
const location = (number: number, building: Cell = 100, contents: Cell = 10): Cell[] => [
  number,
  `Site ${number}`,
  `${number} Main St`,
  'Fresno',
  'CA',
  building,
  contents,
]

describe('a cell', () => {
  test('is compared by its text with single spaces', () =>
    expect([' a  b ', 'a\nb', 'a b', 5, true, null, undefined, { formula: '=A1' }].map(cellText)).toEqual([
      'a b',
      'a b',
      'a b',
      '5',
      'true',
      '',
      '',
      '',
    ]))
  test('is filled unless it is blank', () =>
    expect(['a', ' ', '', 0, false, null, undefined].map(isFilled)).toEqual([true, false, false, true, true, false, false]))
  test('is numeric if it is a number or a formula', () =>
    expect([5, { formula: '=A1' }, '5', null, true].map(isNumeric)).toEqual([true, true, false, false, false]))
  test('shows the notation of its number', () => {
    expect(['1.234.567', '1.234,5', '12,5', '$ 1.234,50', '1.234', '1,234'].map(looksEuropean)).toEqual([
      true,
      true,
      true,
      true,
      false,
      false,
    ])
    expect(['1234567,125', '-1234,5', '1234,', '12,345,678'].map(looksEuropean)).toEqual([true, true, false, false])
    expect(['500,125', '€ 12,500', '-1,250', '1,250,000', '0,125', '1250,125', '12,50'].map(hasUnclearComma)).toEqual([
      true,
      true,
      true,
      false,
      false,
      false,
      false,
    ])
    expect(['1,234', '1,234.5', '12.5', '€ 12.50', '1234', '12.555'].map(looksAmerican)).toEqual([true, true, true, true, false, false])
  })
})

describe('a row of a spreadsheet', () => {
  const cell = (column: number, value: EngineCell['value'], over: Partial<EngineCell> = {}): EngineCell => ({
    column,
    kind: typeof value === 'number' ? 'number' : 'text',
    value,
    text: String(value ?? ''),
    ...over,
  })
  const stage = (...cells: EngineCell[]) => parseRowText(toRowText({ number: 4, hidden: true, cells }))
  test('is staged with a value for every column, the empty ones null', () =>
    expect(stage(cell(2, 'Mill'), cell(4, 5))).toEqual({ number: 4, hidden: true, cells: [null, 'Mill', null, 5] }))
  test('is staged with the result of a formula without one, where the formula needs only its own row', () => {
    const formula = (text: string) => cell(3, null, { kind: 'formula', formula: text })
    expect(stage(cell(1, 5), cell(2, '$1,000'), formula('A4+B4')).cells[2]).toBe(1_005)
    expect(stage(cell(1, 5), cell(2, 'x'), formula('=A4+B4')).cells[2]).toBe(5)
    expect(stage(cell(2, 5), formula('=A4+B4')).cells[2]).toBe(5)
    expect(stage(cell(1, null, { kind: 'formula', formula: 'X9' }), formula('=A4+B4')).cells[2]).toEqual({ formula: '=A4+B4' })
    for (const failed of [cell(1, '#REF!'), cell(1, null, { kind: 'error', text: '#REF!' })])
      expect(stage(failed, cell(2, 5), formula('SUM(A4:B4)')).cells[2]).toEqual({ formula: '=SUM(A4:B4)' })
    expect(stage(cell(1, 5), formula('=A9+A4')).cells[2]).toEqual({ formula: '=A9+A4' })
    expect(stage(cell(1, 5), formula('A9+A4')).cells[2]).toEqual({ formula: '=A9+A4' })
  })
  test('is blank without a filled cell', () => {
    expect(toRowText({ number: 1, hidden: false, cells: [cell(1, ' ')] }).isBlank).toBe(true)
    expect(toRowText({ number: 1, hidden: false, cells: [cell(1, 'a')] }).isBlank).toBe(false)
    expect(toRowText({ number: 1, hidden: false, cells: [cell(1, ' '), cell(2, 'a')] }).isBlank).toBe(false)
    const staged = { number: 1, hidden: false, isBlank: false, json: '["a"]' }
    expect(toRowText(staged)).toBe(staged)
  })
})

describe('the header row', () => {
  test('is the row with the most known headers, and counts them once', () => {
    expect(findHeader(sheet(['City', 'State', 'Zorp'], HEADER, location(1)), [])).toMatchObject({ row: 2, matches: 7 })
    expect(findHeader(sheet(['City', 'City', 'Zorp'], location(1)), [])).toBeUndefined()
    expect(findHeader(sheet(['City', 'State'], location(1)), [])).toMatchObject({ row: 1, matches: 2 })
  })
  test('is not a row below the fortieth that follows filled rows', () => {
    const rows = sheet(...Array.from({ length: 40 }, () => ['x', 'x', 'x', 'x']), HEADER, location(1))
    expect(findHeader(rows, [])).toBeUndefined()
    expect(
      findHeader(
        rows.slice(1).map((row) => ({ ...row, number: row.number - 1 })),
        [],
      )?.row,
    ).toBe(40)
  })
  test('is not the row with numbers or under a wide title, if another one has the same headers', () => {
    expect(findHeader(sheet(['City', 'State', 5], ['City', 'State', 'Zorp']), [])?.row).toBe(2)
    const title = [{ top: 1, bottom: 1, left: 1, right: 4 }]
    const rows = sheet(['City', 'State', 'Zorp'], ['City', 'State', 'Zorp'])
    expect([findHeader(rows, title)?.row, findHeader(rows, [])?.row]).toEqual([2, 1])
    expect(findHeader(rows, [{ top: 1, bottom: 1, left: 2, right: 3 }])?.row).toBe(1)
    expect(findHeader(sheet(['City', 'State'], ['City', 'State', 'a', 'b', 'c'], [5, 6]), [])?.row).toBe(1)
  })
  test('is the one above the values', () => {
    const rows = sheet(
      ['City', 'State', 'Zorp'],
      ...Array.from({ length: 12 }, () => ['aa', 'bb', 'cc']),
      ['City', 'State', 'Zorp'],
      ['a', 'b', 5],
    )
    expect(findHeader(rows, [])?.row).toBe(14)
  })
  test('names every column, also those beyond its own cells', () => {
    expect(headerLabels(1, sheet([' Loc  # ', 'City'], [1, 'Fresno', 'x']), [])).toEqual(['Loc #', 'City', ''])
    expect(headerLabels(9, sheet(['City']), [])).toEqual([''])
  })
  test('has the group label above it, which ends at a column without a name', () => {
    const merges = [{ top: 1, bottom: 1, left: 2, right: 3 }]
    const rows = sheet(['Contents', 'Building', null, null], ['2026 RCV', '2026 RCV', '', '2026 RCV'], [1, 2, 3, 4])
    expect(headerLabels(2, rows, merges)).toEqual(['Contents 2026 RCV', 'Building 2026 RCV', '', '2026 RCV'])
    expect(headerLabels(2, rows, [])).toEqual(['Contents 2026 RCV', 'Building 2026 RCV', '', '2026 RCV'])
  })
  test('has a single label above it only for the columns that the label is merged over, or for the years below it', () => {
    const rows = sheet([null, null, 'Building'], ['Loc #', 'City', '2026', '2025', '2024'])
    const merges = [{ top: 1, bottom: 1, left: 3, right: 4 }]
    expect(headerLabels(2, rows, merges)).toEqual(['Loc #', 'City', 'Building 2026', 'Building 2025', '2024'])
    expect(headerLabels(2, rows, [])).toEqual(['Loc #', 'City', 'Building 2026', 'Building 2025', 'Building 2024'])
    const years = sheet([null, 'Building'], ['City', 2026, 2025, 'Notes', 2024])
    expect(headerLabels(2, years, [])).toEqual(['City', 'Building 2026', 'Building 2025', 'Notes', '2024'])
    expect(headerLabels(2, sheet([null, 'Building'], ['City', '2026 RCV', '2025 RCV']), [])).toEqual(['City', '2026 RCV', '2025 RCV'])
    expect(headerLabels(2, sheet(['Building'], ['City', '2026', '2025']), [])).toEqual(['City', '2026', '2025'])
  })
  test.each([
    ['text', ['2024', null, '2025', null]],
    ['numbers', [2024, null, 2025, null]],
  ])('has the single years above it as group labels, written as %s', (_kind, years) =>
    expect(headerLabels(2, sheet(years, ['Building', 'Contents', 'Building', 'Contents']), [])).toEqual([
      '2024 Building',
      '2024 Contents',
      '2025 Building',
      '2025 Contents',
    ]),
  )
  test.each([
    ['the middle', [null, null, 2025, null, null, 2026, null]],
    ['the end', [null, null, null, 2025, null, null, 2026]],
    ['the start', [null, 2025, null, null, 2026, null, null]],
  ])('has the label of its block above it, also in %s of the block', (_place, years) => {
    const names = ['City', 'Building', 'Contents', 'BI', 'Building', 'Contents', 'BI']
    expect(headerLabels(2, sheet(years, names), [])).toEqual([
      'City',
      ...['Building', 'Contents', 'BI'].map((name) => `2025 ${name}`),
      ...['Building', 'Contents', 'BI'].map((name) => `2026 ${name}`),
    ])
  })
  test('has a group label until a name repeats', () =>
    expect(headerLabels(2, sheet(['Building', null, null, 'Contents'], ['2026', '2025', '2026', '2026']), [])).toEqual([
      'Building 2026',
      'Building 2025',
      '2026',
      'Contents 2026',
    ]))
  test('has no group labels from a row with numbers, but from one with blanks', () => {
    const labels = ['2026 RCV', '2025 RCV', '2026 RCV', '2025 RCV']
    expect(headerLabels(2, sheet(['Building', null, 'Contents', 5], labels), [])).toEqual(labels)
    expect(headerLabels(2, sheet(['Building', null, 'Contents', ' '], labels), [])[3]).toBe('Contents 2025 RCV')
  })
  test('names columns that it leaves empty by known headers in the row above', () => {
    const labels = (...above: Cell[]) => headerLabels(2, sheet(above, ['', '', '', 'City', 'ST']), [])
    expect(labels('Zorp')).toEqual(['', '', '', 'City', 'ST'])
    expect(labels('Loc #', 'Zorp')).toEqual(['Loc #', '', '', 'City', 'ST'])
    expect(labels('Loc #', 'Zorp', 'Zip')).toEqual(['Loc #', 'Zorp', 'Zip', 'City', 'ST'])
  })
  test('is not continued by a row that repeats it', () => expect(findHeader(sheet(HEADER, HEADER, location(1)), [])?.row).toBe(1))
})

describe('the kind of a row', () => {
  const kinds = (...rows: Cell[][]) => classifyRows(sheet(HEADER, ...rows), 1, HEADER).slice(1)
  const total = (label: Cell, building: Cell, contents: Cell, more: Cell = null): Cell[] => [
    null,
    label,
    more,
    null,
    null,
    building,
    contents,
  ]
  test('is a total by its word alone, or by its sums if it has other texts', () => {
    expect(kinds(location(1), location(2), total('Totals', 5, 6))[2]).toBe('total')
    expect(kinds(location(1), location(2), total('Sum', 5, 6, 'of all'))[2]).toBe('data')
    expect(kinds(location(1), location(2), total('Sum', 200, 6, 'of all'))[2]).toBe('total')
    expect(kinds(location(1), location(2), total('Summary', '$200', '$20'))[2]).toBe('total')
    expect(kinds(location(1), total(null, 100, 10))[1]).toBe('data')
    expect(kinds(location(1, '$1,000', '5'), location(2, 500, 5), total(null, 1_500.4, '10'))[2]).toBe('total')
    expect(kinds(location(1, 0, 0), location(2, 0, 0), total(null, 0, 0))[2]).toBe('data')
    expect(kinds(location(1, 'TBD'), location(2, 500), location(3, 500), total(null, 1_000, 30))[3]).toBe('total')
  })
  test('is a subtotal by its word or if it is the sum of its section only', () => {
    expect(kinds(location(1), location(2), total('* Sub-total', 7, 7))[2]).toBe('subtotal')
    expect(kinds(location(1), location(2), total('Sub total', 200, 20))[2]).toBe('subtotal')
    const rows = kinds(
      location(1),
      location(2),
      total('Total', 200, 20),
      location(3),
      location(4, 50),
      total('Total', 150, 20),
      total('Grand total', 9, 9),
    )
    expect([rows[2], rows[5], rows[6]]).toEqual(['subtotal', 'subtotal', 'total'])
    expect(kinds(location(1), location(2), total('Total', 200, 20), location(3), location(4), total('Grand Total', 200, 20))[5]).toBe(
      'total',
    )
  })
  test.each([
    ['Total', 'subtotal'],
    ['Total Grand Prairie', 'subtotal'],
    ['* Grand total', 'total'],
    ['Total général', 'total'],
    ['TOTAL GENERAL', 'total'],
    [null, 'subtotal'],
  ])('of a section with the label %s is %s', (label, kind) => {
    const first = [location(1), location(2), total('Total', 200, 20)]
    expect(kinds(...first, location(3), location(4, 50), total(label, 150, 20))[5]).toBe(kind)
    expect(kinds(location(1), location(2), total('Total of subsidiaries', 200, 20))[2]).toBe('total')
  })
  test('is a header if three of five cells repeat the header and none is a number, and a repeated one if no cell differs', () => {
    expect(kinds(['Loc #', 'NAME', 'Street Address', null, 'State'])).toEqual(['repeated_header'])
    expect(kinds(['Loc #', 'NAME', 'Street Address', 'x', 'y'])).toEqual(['header'])
    expect(kinds(['Loc #', 'NAME', 'x', 'y', 'z'])).toEqual(['data'])
    expect(kinds(['Loc #', 'NAME', 'Street Address', 'City', 'ST', 5])).toEqual(['data'])
    expect(kinds([null, 'Name'], location(1))).toEqual(['section', 'data'])
    expect(classifyRows(sheet(['City', 'ST'], ['a', 'b'], ['City', 'ST']), 1, ['City', 'ST'])[2]).toBe('repeated_header')
  })
  test('is a note or a section if it has a single text', () => {
    const long = 'x'.repeat(81)
    expect(kinds(['(Note: a)'], ['notes b'], [long], ['x'.repeat(80)], ['Notebook'], ['5'], [5], location(1))).toEqual([
      'note',
      'note',
      'note',
      'section',
      'section',
      'data',
      'data',
      'data',
    ])
    expect(kinds(['North (notes)'], ['North *'], location(1))).toEqual(['section', 'section', 'data'])
    expect(kinds([null, { formula: '=A9' }], [true])).toEqual(['data', 'data'])
    expect(classifyRows(sheet(['City', 'ST'], ['North']), 1, ['City', 'ST'])).toEqual(['header', 'data'])
    expect(classifyRows(sheet(['City', 'ST', 'Zip'], ['North'], ['x', 'y']), 1, ['City', 'ST', 'Zip'])).toEqual([
      'header',
      'section',
      'data',
    ])
  })
  test('is found for each sheet of a schedule by itself', async () => {
    const rows = (index: number, first: number, ...cells: Cell[][]): ScheduleRow[] =>
      sheet(...cells).map((row) => ({ ...row, number: first + row.number, sheet: index, sheetRow: row.number }))
    async function* batches() {
      yield rows(0, 0, HEADER, location(1), location(2), total('Total', 200, 20), ['See below'])
      yield rows(1, 10, ['Title'], HEADER, ['North'], location(3), ['x', 'y'])
      yield rows(7, 20, HEADER)
    }
    const found: Cell[] = []
    const sheets = [
      { index: 0, headerRow: 1 },
      { index: 1, headerRow: 2 },
    ]
    const others = await classifySchedule(
      batches(),
      sheets,
      HEADER,
      (cells) => found.push(cells[0] ?? null),
      async () => {},
    )
    expect(others.map(({ row, kind }) => `${row} ${kind}`)).toEqual([
      '1 header',
      '4 total',
      '5 note',
      '11 title',
      '12 header',
      '13 section',
    ])
    expect(found).toEqual([1, 2, 3, 'x'])
  })
})

describe('the survey of sheets', () => {
  const head = (index: number, name: string, over: Partial<SheetHead> = {}): SheetHead => ({
    index,
    name,
    hidden: false,
    rows: 3,
    head: sheet(HEADER, location(10 * index + 1), location(10 * index + 2)),
    merges: [],
    ...over,
  })
  const proposed = (...sheets: SheetHead[]) => surveySheets(sheets).proposed?.name
  test('prefers more known headers, then more rows, a likely name and a later year', () => {
    const few = sheet(['City', 'ST', 'Zip'], ['Fresno', 'CA', 93721])
    expect(proposed(head(0, 'A', { rows: 5 }), head(1, 'B', { rows: 500 }))).toBe('B')
    expect(proposed(head(0, 'A', { rows: 20_000 }), head(1, 'my_sov_data', { rows: 20_000 }))).toBe('my_sov_data')
    expect(proposed(head(0, '2024', { rows: 90 }), head(1, '2026', { rows: 90 }))).toBe('2026')
    expect(proposed(head(0, 'Locations 2026', { head: few, rows: 1 }), head(1, 'A', { rows: 2 }))).toBe('A')
    expect(proposed(head(0, 'A', { rows: 1 }), head(1, '2026', { rows: 1 }), head(2, 'SOV', { rows: 1 }))).toBe('SOV')
    expect(proposed(head(0, 'A', { head: few, rows: 100_000_000 }), head(1, 'B', { rows: 10_000 }))).toBe('B')
  })
  test('does not propose hidden sheets or unlikely names', () => {
    expect(surveySheets([head(0, 'old_notes')]).sheets[0]?.score).toBe(0)
    expect(proposed(head(0, 'SOV', { hidden: true }))).toBeUndefined()
  })
  test('proposes no sheet if none looks like a schedule', () => {
    expect(proposed(head(0, 'A', { head: sheet(['City', 'ST', 'x'], ['Fresno', 'CA', 5]), rows: 1 }))).toBeUndefined()
    expect(surveySheets([]).joined).toEqual([])
    expect(proposed(head(1, 'B'), head(0, 'A'))).toBe('A')
  })
  test('marks sheets of divested properties and sheets with the same locations', () => {
    const { sheets } = surveySheets([
      head(0, 'SOV'),
      head(1, 'Dropped'),
      head(2, 'Copy', { head: head(0, '').head }),
      head(3, 'Empty', { head: [] }),
    ])
    expect(sheets.map(({ sold, alike }) => [sold, alike])).toEqual([
      [false, [2]],
      [true, []],
      [false, [0]],
      [false, []],
    ])
  })
  test('takes two sheets for the same if half of the locations are', () => {
    const half = head(1, 'B', { head: sheet(HEADER, location(1), location(99)) })
    const third = head(1, 'B', { head: sheet(HEADER, location(1), location(98), location(99)) })
    const many = head(0, 'A', { head: sheet(HEADER, location(1), location(2), location(3)) })
    expect([surveySheets([many, half]).sheets[0]?.alike, surveySheets([many, third]).sheets[0]?.alike]).toEqual([[1], []])
  })
  test('joins sheets up to the largest number of rows, also with empty columns after the last header', () => {
    const joined = (...sheets: SheetHead[]) => surveySheets(sheets).joined.map(({ name }) => name)
    expect(joined(head(0, 'A', { rows: 25_000 }), head(1, 'B', { rows: 25_000 }))).toEqual(['A', 'B'])
    expect(joined(head(0, 'A', { rows: 25_001 }), head(1, 'B', { rows: 25_000 }))).toEqual(['A'])
    const wider = head(1, 'B', { head: sheet(HEADER, [...location(20), 'x'], location(21)) })
    expect(joined(head(0, 'A'), wider)).toEqual(['A', 'B'])
    expect(joined(head(0, 'SOV 2024'), head(1, 'B 2025'))).toEqual(['B 2025'])
    expect(joined(head(0, 'B 2024'), head(1, 'B 2025'))).toEqual(['B 2025'])
  })
})

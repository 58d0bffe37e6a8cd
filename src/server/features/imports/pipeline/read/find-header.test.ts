import { describe, expect, test } from 'vitest'
import { sumUnmapped } from '#server/features/imports/pipeline/plan/unmapped-money.ts'
import type { Cell, SheetRow } from './cells.ts'
import { findHeader, headerLabels } from './find-header.ts'

const sheet = (...rows: Cell[][]): SheetRow[] => rows.map((cells, index) => ({ number: index + 1, hidden: false, cells }))
const across = (row: number, left: number, right: number) => ({ top: row, bottom: row, left, right })
const down = (column: number, top: number, bottom: number) => ({ top, bottom, left: column, right: column })

describe('a header in three rows', () => {
  const HEADER: Cell[][] = [
    ['Loc #', 'Address', 'City', 'State', 'Insured Values (USD)'],
    [null, null, null, null, 'Real Property', null, null, 'Time Element'],
    [null, null, null, null, 'Building', 'Paving', 'Total', 'Rents', 'Wages', 'Total'],
  ]
  const location = (number: number): Cell[] => [number, `${number} Oak St`, 'Tulsa', 'OK', 900_000, 5_000, 905_000, 7_000, 1_500, 8_500]
  const rows = sheet(...HEADER, location(1), location(2))
  const merges = [across(1, 5, 10), across(2, 5, 7), across(2, 8, 10), ...[1, 2, 3, 4].map((column) => down(column, 1, 3))]
  const found = findHeader(rows, merges)
  test('is read as one, with the groups of its columns', () => {
    expect(found?.row).toBe(3)
    expect(found?.labels).toEqual([
      'Loc #',
      'Address',
      'City',
      'State',
      'Building',
      ...['Paving', 'Total'].map((label) => `Insured Values (USD) Real Property ${label}`),
      'Rents',
      ...['Wages', 'Total'].map((label) => `Insured Values (USD) Time Element ${label}`),
    ])
    expect(headerLabels(3, rows, merges)).toEqual(found?.labels)
  })
  test('makes money of the columns that are not recognized, except of sums', () => {
    const columns = [5, 6, 8, 9].map((index) => ({ index, column: String(index), header: found?.labels[index] ?? '' }))
    const sums = sumUnmapped(columns, { amounts: [4, 7] })
    for (const { cells } of rows.slice(3)) sums.add(cells)
    expect(sums.found().map(({ letter, total }) => [letter, total])).toEqual([
      ['5', 10_000],
      ['8', 3_000],
    ])
  })
  test('is read as one without merged cells, if half of the last names are known headers', () =>
    expect(
      findHeader(sheet(...HEADER.slice(0, 2), [null, null, null, null, 'Building', 'Contents', null, 'Rents', 'Zorp'], location(1)), []),
    ).toMatchObject({
      row: 3,
      labels: expect.arrayContaining(['Loc #', 'Building', 'Contents']) as string[],
    }))
})

describe('the header row', () => {
  const HEADER = ['Loc #', 'Name', 'Address', 'City', 'State', 'Building Value']
  const location = (number: number): Cell[] => [number, `Site ${number}`, `${number} Oak St`, 'Tulsa', 'OK', 500_000]
  const WIDE = [...HEADER.slice(0, 5), 'Zip', 'County', 'Tenant Improvements', 'Contents', 'Year Built']
  test('is the one of the first schedule, although another schedule below it has more columns', () =>
    expect(findHeader(sheet(['OWNED'], HEADER, location(1), ['LEASED'], WIDE, location(2)), [])?.row).toBe(2))
  test('is not one above figures without locations', () => {
    const summary = ['Locations', 'State', 'Building Value', 'Contents']
    expect(findHeader(sheet(summary, [12, 'OK', 5, 6], WIDE, location(1)), [])?.row).toBe(3)
  })
  test('continues in the next row where its cells are merged down, also with unknown names', () => {
    const rows = sheet(
      ['Loc #', 'Address', 'City', 'State', 'Values'],
      [null, null, null, null, 'Zorp', 'Blip'],
      [1, '1 Oak St', 'Tulsa', 'OK', 5, 6],
    )
    expect(findHeader(rows, [down(1, 1, 2), down(2, 1, 2), across(1, 5, 6)])).toMatchObject({
      row: 2,
      labels: ['Loc #', 'Address', 'City', 'State', 'Values Zorp', 'Values Blip'],
    })
  })
  test('is not continued by a location without numbers', () =>
    expect(findHeader(sheet(HEADER, ['A', 'Depot', 'Main St', 'Tulsa', 'OK', null], location(2)), [])?.row).toBe(1))
  test('passes the currency of a group on to its columns', () => {
    const rows = sheet([null, null, null, 'Values (EUR)'], ['Loc #', 'Address', 'City', 'Building', 'Contents'], [1, 'Weg 1', 'Ulm', 5, 6])
    expect(findHeader(rows, [across(1, 4, 5)])?.labels.slice(3)).toEqual(['Building (EUR)', 'Contents (EUR)'])
  })
})

describe('a header far below the top', () => {
  const HEADER = ['Loc #', 'Name', 'Address', 'City', 'State', 'Building Value']
  const location = (number: number): Cell[] => [number, `Site ${number}`, `${number} Oak St`, 'Tulsa', 'OK', 500_000]
  const notes = (count: number): Cell[][] => Array.from({ length: count }, (_, at) => [`Condition ${at}: lorem ipsum`])
  test.each([
    ['notes', 60, []],
    [
      'two totals',
      60,
      [
        ['TOTALS', 5, 900_000, 5_000, 6_000],
        ['TOTALS', 5, 900_000, 5_000, 6_000],
      ],
    ],
    ['notes and a total', 39, [['TOTALS', null, null, null, null, 900_000, 5_000]]],
    ['a form of the insured', 100, [['Name', 'Zed Holdings'], ['Address', '1 Elm St'], []]],
  ])('is found below %s', (_, count, above) => {
    const rows = sheet(...notes(count), ...above, HEADER, location(1), location(2))
    expect(findHeader(rows, [])).toMatchObject({ row: count + above.length + 1, labels: expect.arrayContaining(HEADER) as string[] })
  })
  test('is found with all of its rows', () => {
    const upper = ['Loc #', 'Address', 'City', 'Building', null]
    const rows = sheet(...notes(80), upper, [null, null, null, '2026 RCV', '2025 RCV'], [1, '1 Oak St', 'Tulsa', 5, 6])
    expect(findHeader(rows, [])?.row).toBe(82)
  })
  test('is not searched below row 500, nor below rows with locations', () => {
    expect(findHeader(sheet(...notes(500), HEADER, location(1)), [])).toBeUndefined()
    const locations = Array.from({ length: 50 }, (_, at) => location(at))
    expect(findHeader(sheet(...locations, HEADER, location(51)), [])).toBeUndefined()
  })
})

import { describe, expect, test } from 'vitest'
import type { Cell, SheetRow } from './cells.ts'
import { findHeader } from './find-header.ts'
import { isTransposed } from './transposed.ts'

const sheet = (...rows: Cell[][]): SheetRow[] => rows.map((cells, index) => ({ number: index + 1, hidden: false, cells }))
const FIELDS: Cell[][] = [
  ['Location #', 1, 2, 3],
  ['Name', 'Depot', 'Mill', 'Store'],
  ['Address', '1 Oak St', '2 Oak St', '3 Oak St'],
  ['City', 'Tulsa', 'Omaha', 'Fargo'],
  ['State', 'OK', 'NE', 'ND'],
  ['Building Value', 500_000, 600_000, 700_000],
]

describe('a sheet with the locations in columns', () => {
  test.each([
    ['alone', FIELDS],
    ['below a title', [['Statement of values'], [], ...FIELDS]],
    ['with groups before the names', FIELDS.map((cells, at) => [at === 0 ? 'Location' : null, ...cells])],
    ['with the names of the locations as a header', [['Building', 'Depot', 'Mill', 'Store'], ...FIELDS.slice(2)]],
  ])('has no header row: %s', (_, rows) =>
    expect([isTransposed(sheet(...rows)), findHeader(sheet(...rows), [])]).toEqual([true, undefined]),
  )
  test.each([
    ['a schedule', FIELDS[0]?.map((_, at) => FIELDS.map((cells) => cells[at] ?? null)) ?? []],
    [
      'a schedule below a form of the insured',
      [
        ['Name', 'Zed Holdings'],
        ['Address', '1 Elm St'],
        ['City', 'Tulsa'],
        ['State', 'OK'],
        ['Loc #', 'Address', 'City', 'State', 'Building Value'],
        [1, '1 Oak St', 'Tulsa', 'OK', 500_000],
      ],
    ],
    ['a list of fields', FIELDS.map(([name]): Cell[] => [name ?? null, 'Text, at most 80 characters', 'Required'])],
    [
      'amounts by coverage',
      [['Coverage', 'Limit', 'Premium'], ...['Building', 'Contents', 'BI', 'Rents'].map((name): Cell[] => [name, 5_000_000, 9_000])],
    ],
  ])('is not %s', (_, rows) => expect(isTransposed(sheet(...rows))).toBe(false))
})

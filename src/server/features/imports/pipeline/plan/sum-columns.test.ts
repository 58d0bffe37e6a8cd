import { describe, expect, test } from 'vitest'
import type { Cell } from '#server/features/imports/pipeline/read/cells.ts'
import { sumUnmapped } from './unmapped-money.ts'

/** The headers of the columns that are reported; those of `imported` are mapped. */
function reported(headers: readonly string[], imported: readonly string[], rows: readonly Cell[][]) {
  const columns = headers.map((header, index) => ({ index, column: String.fromCharCode(65 + index), header }))
  const amounts = columns.flatMap(({ index, header }) => (imported.includes(header) ? [index] : []))
  const sums = sumUnmapped(
    columns.filter(({ index }) => !amounts.includes(index)),
    { amounts },
  )
  for (const cells of rows) sums.add(cells)
  return sums.found().map(({ header, total }) => `${header} ${total}`)
}

const GROUPS = ['Building', 'Fences', 'Property Total', 'Rents', 'Extra Exp.', 'Time Total', 'Grand Total']
const row = (building: number, fences: number, rents: number, expense: number) => {
  const [property, time] = [building + fences, rents + expense]
  return [building, fences, property, rents, expense, time, property + time]
}
const ROWS = [row(1_137_000, 5_000, 70_001, 1_000), row(1_274_000, 0, 70_002, 2_000), row(1_411_000, 15_000, 0, 3_000)]

describe('a column that adds up its neighbors', () => {
  test('is not reported, but its parts without a mapping are', () => {
    expect(reported(GROUPS, ['Building', 'Fences', 'Rents', 'Extra Exp.'], ROWS)).toEqual([])
    expect(reported(GROUPS, ['Building', 'Rents'], ROWS)).toEqual(['Fences 20000', 'Extra Exp. 6000'])
  })
  test('may precede them, be a text, or be blank', () => {
    const rows: Cell[][] = [
      ['$1,500.50', 1_000.25, 500.25],
      ['-', 0, 0],
      [null, 2_000, 'TBD'],
      ['3,000', 2_000, 1_000],
    ]
    expect(reported(['Total Values', 'Building', 'Contents'], ['Building', 'Contents'], rows)).toEqual([])
  })
  test('leaves out other columns between its parts', () => {
    const sums = sumUnmapped([{ index: 3, column: 'D', header: 'Total Values' }], { amounts: [0, 2] })
    for (const cells of [
      [900_000, 45_000, 100_000, 1_000_000],
      [500_000, 12_000, 60_000, 560_000],
    ])
      sums.add(cells)
    expect(sums.found()).toEqual([])
  })
  test('in millions is one only with the same decimals', () => {
    const headers = ['Building ($M)', 'Contents ($M)', 'Total ($M)']
    const found = (total: number) => reported(headers, headers.slice(0, 2), [[4.5, 1.25, total]])
    expect([found(5.75), found(5.9)]).toEqual([[], ['Total ($M) 5900000']])
  })
})

describe('a column is reported', () => {
  const HEADERS = ['Building', 'Contents', 'Total Values']
  test.each<[string, Cell[][]]>([
    [
      'with another amount in one row',
      [
        [900_000, 100_000, 1_000_000],
        [500_000, 60_000, 600_000],
      ],
    ],
    [
      'that only repeats another',
      [
        [900_000, 0, 900_000],
        [500_000, 0, 500_000],
      ],
    ],
    ['with a part that is not known', [[900_000, { formula: '=A1*0.1' }, 1_000_000]]],
  ])('%s', (_, rows) => expect(reported(HEADERS, HEADERS.slice(0, 2), rows)).toHaveLength(1))
})

test('a part of a sum is money, although its amounts are not round', () =>
  expect(
    reported(
      ['Building', 'Zorp', 'Total'],
      ['Building'],
      [
        [900_000, 1_237, 901_237],
        [500_000, 811, 500_811],
      ],
    ),
  ).toEqual(['Zorp 2048']))

test('codes that add up by chance are no money', () => {
  const headers = ['OtherTIV', 'PortNumber', 'Pounding', 'Retrofit', 'RoofAnchorage']
  const rows = [
    [0, 1, 4, 0, 5],
    [0, 1, 0, 6, 7],
  ]
  expect(reported(headers, ['OtherTIV'], rows)).toEqual([])
  const thousands = [[450, 0, 25, 0, 475]]
  expect(reported(headers, ['OtherTIV'], thousands)).toEqual(['Pounding 25'])
})

test('the parts of an imported sum are not missing', () => {
  const headers = ['Net Income', 'Continuing Expenses', 'Extra Expense', 'Total BI/EE', 'Signs Value']
  const rows = [
    [300_000, 100_000, 25_000, 425_000, 5_000],
    [310_000, 100_000, 0, 410_000, 5_000],
  ]
  expect(reported(headers, ['Total BI/EE'], rows)).toEqual(['Signs Value 10000'])
  expect(reported(headers, ['Extra Expense'], rows)).toEqual(['Net Income 610000', 'Continuing Expenses 200000', 'Signs Value 10000'])
})

import { describe, expect, test } from 'vitest'
import { SETTINGS } from '#server/features/imports/imports.fixture.ts'
import { sumUnmapped } from '#server/features/imports/pipeline/plan/unmapped-money.ts'
import { proposeMapping, sheetColumns } from './propose-mapping.ts'
import { addendReader, findSums, saysTotal } from './sum-columns.ts'

/** The targets of columns of values, with the state of those to confirm. */
async function mapped(headers: readonly string[], rows: readonly (readonly number[])[]) {
  const sums = findSums(
    headers.map((_, index) => index),
    [],
    (index) => saysTotal(headers[index] ?? ''),
  )
  for (const row of rows) sums.add(addendReader(row))
  const proposals = await proposeMapping(sheetColumns(headers, rows), new Map(), SETTINGS, async () => {}, { sums: sums.found() })
  return proposals.map(({ target, status }) => (status === 'confirm' ? `${target}?` : target))
}
const repeated = (...row: number[]) => Array.from({ length: 9 }, () => row)

describe('a column that names a value is imported, although it has the sum of others', () => {
  test('in constant columns', async () => {
    expect(
      await mapped(['Building', 'Contents', 'EDP', 'Stock', 'Loss of Rents'], repeated(1_000_000, 200_000, 10_000, 30_000, 40_000)),
    ).toEqual(['building_value', 'contents_value', 'edp_value', 'stock_value', 'bi_value'])
    const years = ['Bldg 25/26', 'Bldg 24/25', 'Cont 25/26', 'Cont 24/25', 'BI 25/26', 'BI 24/25']
    expect(await mapped(years, repeated(2_345_678, 2_295_678, 100_000, 90_000, 10_000, 9_000))).toEqual([
      'building_value',
      'ignore',
      'contents_value',
      'ignore',
      'bi_value',
      'ignore',
    ])
  })
  test('to be confirmed in columns that vary, and not if it says that it is a total', async () => {
    const rows = [1, 2, 3, 4, 5].map((at) => [at * 1_000_000, at * 7_001, at * at * 311, at * 7_001 + at * at * 311])
    expect(await mapped(['Building', 'M&E', 'Stock', 'Contents'], rows)).toEqual([
      'building_value',
      'machinery_value',
      'stock_value',
      'contents_value?',
    ])
    expect(await mapped(['Building', 'M&E', 'Stock', 'Total Contents'], rows)).toEqual([
      'building_value',
      'machinery_value',
      'stock_value',
      null,
    ])
  })
})

describe('a column without a mapping is reported', () => {
  const reported = (headers: readonly string[], rows: readonly (readonly number[])[]) => {
    const sums = sumUnmapped([{ index: 2, column: 'C', header: headers[2] ?? '' }], { amounts: [0, 1], headers })
    for (const row of rows) sums.add(row)
    return sums.found().map(({ header, total }) => [header, total])
  }
  test('although its constant amounts are the sum of others', () =>
    expect(reported(['EDP', 'Stock', 'Art Values'], repeated(10_000, 30_000, 40_000))).toEqual([['Art Values', 360_000]]))
  test('although a constant column that is imported adds it up', () => {
    const sums = sumUnmapped([{ index: 1, column: 'B', header: 'Fine Arts' }], {
      amounts: [0, 2],
      headers: ['EDP', 'Fine Arts', 'Loss of Rents'],
    })
    for (const row of repeated(10_000, 30_000, 40_000)) sums.add(row)
    expect(sums.found()).toMatchObject([{ header: 'Fine Arts', total: 270_000 }])
  })
  test('if it names a value, also in columns that vary', () => {
    const rows = [1, 2, 3, 4].map((at) => [at * 7_001, at * at * 311, at * 7_001 + at * at * 311])
    expect(reported(['M&E', 'Stock', 'Contents'], rows)).toHaveLength(1)
    expect(reported(['M&E', 'Stock', 'Total Contents'], rows)).toEqual([])
  })
  test('but not if it has numbers of buildings', () => {
    const sums = sumUnmapped([{ index: 0, column: 'A', header: 'Bldgs' }])
    for (const count of [1, 1, 2]) sums.add([count])
    expect(sums.found()).toEqual([])
  })
})

test('a header that can be a value field has the values, although many of its cells cannot be read', async () => {
  const cells = ['1.2E6', '$1.2M', '850K', 'USD 5,000', '(5,000)', 'TBD', '1,234,567.89', '1.234.567', 'see below', '#REF!']
  const rows = cells.map((cell, at) => [at + 1, `${at + 1} Main St`, cell, 100_000])
  const [, , building] = await proposeMapping(sheetColumns(['Loc', 'Address', 'Building', 'Contents'], rows), new Map(), SETTINGS)
  expect(building).toMatchObject({ target: 'building_value', status: 'confirm' })
  const names = ['Annex', 'Main Hall', '12', 'Gym 2', 'Tower']
  const named = await proposeMapping(
    sheetColumns(
      ['Building', 'Value'],
      names.map((name) => [name, 2_000_000]),
    ),
    new Map(),
    SETTINGS,
  )
  expect(named[0]?.target).toBe('property_name')
})

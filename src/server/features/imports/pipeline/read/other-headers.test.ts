import { describe, expect, test } from 'vitest'
import type { Cell, SheetRow } from './cells.ts'
import { classifyRows, classifySchedule } from './classify-rows.ts'
import { otherColumns } from './other-headers.ts'

const sheet = (...rows: Cell[][]): SheetRow[] => rows.map((cells, index) => ({ number: index + 1, hidden: false, cells }))
const HEADER = ['Loc #', 'Name', 'Address', 'City', 'State', 'Building Value', 'Contents']
const location = (number: number): Cell[] => [number, `Site ${number}`, `${number} Oak St`, 'Tulsa', 'OK', 500_000, 1_000]
const kindsOf = (...rows: Cell[][]) => classifyRows(sheet(HEADER, ...rows), 1, HEADER).slice(1)

describe('a header below the header row', () => {
  test('repeats it if it names the same columns, also in other words or with fewer of them', () => {
    expect(kindsOf(location(1), HEADER, location(2))[1]).toBe('repeated_header')
    expect(kindsOf(location(1), ['LOC #', 'Name', 'Street Address', 'City', 'ST', 'Bldg Value'], location(2))[1]).toBe('repeated_header')
  })
  test.each([
    ['another name in one column', ['Loc #', 'Name', 'Address', 'City', 'State', 'Tenant Improvements', 'Contents']],
    ['an unknown name in one column', ['Loc #', 'Name', 'Address', 'City', 'State', 'Widget Worth', 'Contents']],
    ['the same names in another order', ['Loc #', 'Name', 'Address', 'City', 'State', 'Contents', 'Building Value']],
    ['names shifted by one column', ['Bldg #', 'Loc #', 'Name', 'Address', 'City', 'State', 'Building Value']],
    ['one more column', [...HEADER, 'Business Income']],
    ['another year', ['Loc #', 'Name', 'Address', 'City', 'State', 'Building Value 2024', 'Contents']],
    ['another unit', ['Loc #', 'Name', 'Address', 'City', 'State', 'Building Value ($000)', 'Contents']],
    ['another currency', ['Loc #', 'Name', 'Address', 'City', 'State', 'Building Value (EUR)', 'Contents']],
  ])('is another header if it has %s', (_, other) => expect(kindsOf(location(1), other, location(2))).toEqual(['data', 'header', 'data']))
  test('is not a location whose texts are names of columns', () =>
    expect(kindsOf([1, 'Building', 'State', 'City', 'OK', 5, 6], ['7', 'Office', 'State St', 'City', 'OK', '', ''])).toEqual([
      'data',
      'data',
    ]))
  test('repeats each row of a header with two rows', () => {
    const upper: Cell[] = ['Loc #', 'Address', 'Building', null, 'Contents']
    const lower: Cell[] = [null, null, '2026 RCV', '2025 RCV', '2026 RCV']
    const labels = ['Loc #', 'Address', 'Building 2026 RCV', 'Building 2025 RCV', 'Contents 2026 RCV']
    const values: Cell[] = [1, '1 Oak St', 3, 2, 1]
    expect(classifyRows(sheet(upper, lower, values, upper, lower, values), 2, labels).slice(3)).toEqual([
      'repeated_header',
      'repeated_header',
      'data',
    ])
  })
  test('leaves its rows out of the samples of the columns, and its total out of the totals, until the first header is repeated', async () => {
    const sampled: Cell[] = []
    const leased = ['Loc #', 'Name', 'Address', 'City', 'State', 'Tenant Improvements', 'Contents']
    const total: Cell[] = [null, 'Total', null, null, null, 1_000_000, 2_000]
    const rows = sheet(HEADER, location(1), leased, location(2), location(3), total, HEADER, location(4))
    const batch = rows.map((row) => ({ ...row, sheet: 0, sheetRow: row.number }))
    const others = await classifySchedule(
      (async function* () {
        yield batch
      })(),
      [{ index: 0, headerRow: 1 }],
      HEADER,
      (cells) => sampled.push(cells[0] ?? null),
      async () => {},
    )
    expect(sampled).toEqual([1, 4])
    expect(others.map(({ row, kind }) => `${row} ${kind}`)).toEqual(['1 header', '3 header', '6 subtotal', '7 repeated_header'])
  })
  test('says which columns it names differently', () =>
    expect(otherColumns(['Loc #', 'Name', 'Address', 'City', 'State', 'Rents', 'Contents Value', 'page 2'], HEADER)).toEqual([5]))
})

import { describe, expect, test } from 'vitest'
import type { Cell } from './cells.ts'
import { classifyRows } from './classify-rows.ts'
import { isOfOtherTerm } from './other-terms.ts'

const HEADER = ['Loc #', 'Address', 'City', 'State', 'Building', 'Contents', 'TIV']
const location = (number: number): Cell[] => [number, `${number} Main St`, 'Dayton', 'OH', 1_000_000, 10_000, 1_010_000]
const TOTAL: Cell[] = ['Total', null, null, null, 2_000_000, 20_000, 2_020_000]
const only = (label: string, tiv: number): Cell[] => [label, null, null, null, null, null, tiv]
const kindsBelow = (...rows: Cell[][]) =>
  classifyRows(
    [HEADER, location(1), location(2), ...rows].map((cells, index) => ({ number: index + 1, hidden: false, cells })),
    1,
    HEADER,
  ).slice(3)

describe('below the total of the locations', () => {
  test.each(['Total + 5% margin', 'Total incl. margin clause', 'Prior Year Total', 'Expiring Total', 'Total 2025'])(
    '“%s” with other amounts is a note, not the total of the file',
    (label) => expect(kindsBelow(TOTAL, only(label, 1_900_000))).toEqual(['total', 'note']),
  )
  test('a grand total stays one', () => expect(kindsBelow(TOTAL, only('Grand Total', 2_500_000))).toEqual(['total', 'total']))
  test('a total of more locations stays one', () =>
    expect(kindsBelow(TOTAL, location(3), ['Total', null, null, null, 3_500_000, 30_000, 3_530_000])).toEqual([
      'subtotal',
      'data',
      'total',
    ]))
})

describe('the amounts of another term', () => {
  test.each([['Last year'], ['Expiring'], ['Prior Year Total']])('“%s” are not a location', (label) => {
    const row: Cell[] = [label, null, null, null, 1_900_000, 20_000, 1_920_000]
    expect(kindsBelow(row)).toEqual(['note'])
    expect(kindsBelow(row, TOTAL)).toEqual(['note', 'total'])
  })
  test.each([
    'Last year',
    'Last Year’s Total',
    'Total prior year',
    'Expiring 2025',
    'Previous SOV (2025)',
    'Change %',
    '% change',
    'Net change from expiring',
  ])('“%s” names one, or the change since', (label) => expect(isOfOtherTerm(label)).toBe(true))
  test.each([
    'Last Chance Saloon',
    'Prior Lake, MN',
    'Old Mill',
    'Exchange Place',
    'Changewater Warehouse',
    'Delta Marina',
    'Total Wine',
    'Total',
  ])('“%s” does not', (label) => expect(isOfOtherTerm(label)).toBe(false))
})

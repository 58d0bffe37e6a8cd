import { describe, expect, test } from 'vitest'
import { SETTINGS } from '#server/features/imports/imports.fixture.ts'
import { factorOf } from '#server/features/imports/pipeline/read/amount-notation.ts'
import { normalizeHeader } from '#server/features/imports/pipeline/read/headers.ts'
import { isUnitsRow, withUnit } from '#server/features/imports/pipeline/read/units-row.ts'
import { proposeMapping, sheetColumns } from './propose-mapping.ts'

const targetOf = async (header: string, cells: readonly number[]) => {
  const columns = sheetColumns(
    [header],
    cells.map((cell) => [cell]),
  )
  return (await proposeMapping(columns, new Map(), SETTINGS))[0]?.target
}

describe('the unit in a header', () => {
  const THOUSANDS = (
    ' (thsd.)| [thsd]|, thous.|, tsd|, k| – thousands|: thousand| in thds| (K USD)| ($1,000)| ($1000)| (in $1,000s)| (in 1,000)| ($1,000’s)|' +
    ' 1000s| in 1,000s| (CHF 1’000)| (in 1,000 USD)| (x 1,000)| (x $1,000)| (x10^3)| (x10³)| ×1000| * 1000| (× 1 000)| x 1e3| thousand| tausend| 10^3'
  ).split('|')
  const MILLIONS =
    ', mio| (mio.)| (Mio. CHF)| - millions| (M USD)| (m USD)| (m$)|, M EUR| (x 1,000,000)| (x10^6)| (x10⁶)| ($1,000,000)| * 1000000| in 1,000,000s| mio| Mn| million| in mill.| 10^6'.split(
      '|',
    )
  test.each([
    ...THOUSANDS.map((unit) => [`Building${unit}`, 1_000, [1_210, 840]] as const),
    ...MILLIONS.map((unit) => [`Building${unit}`, 1_000_000, [1.2, 3.4]] as const),
  ])('of “%s” is the factor %d, and its amounts are values', async (header, factor, cells) => {
    const { factor: announced, words } = normalizeHeader(header)
    expect([announced, words, await targetOf(header, cells)]).toEqual([factor, 'building', 'building_value'])
  })
  test.each([
    'Building 1000',
    'Suite 1000',
    'Limit $1,000,000',
    'Deductible ($10,000)',
    'Size 20x1000',
    'Warehouse 20 x 1000 sq ft',
    'Thousand Oaks',
    'Rancho Mio Apartments',
    'BI (12 m)',
    'Location M',
    'Building K',
  ])('is not in “%s”', (header) => expect(factorOf(header)).toBe(1))
})

test('the units in a row below the header are those of headers', () => {
  const units = ['mio', '(1,000s)', 'thsd.', 'x 1,000']
  expect(isUnitsRow({ cells: units })).toBe(true)
  expect(units.map((unit) => normalizeHeader(withUnit('Contents', unit)).factor)).toEqual([1_000_000, 1_000, 1_000, 1_000])
  expect(isUnitsRow({ cells: ['Hall', '$1,000,000', '$1,000', '($1,000)'] })).toBe(false)
})

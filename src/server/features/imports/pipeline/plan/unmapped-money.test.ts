import { expect, test } from 'vitest'
import { sumUnmapped } from './unmapped-money.ts'

test('columns without a mapping are reported with their total if they contain money', () => {
  const headers = ['Stock Value', 'Tooling', 'Year of Value', 'Phone', 'Value Code', 'Insured Fine Art', 'Notes']
  const sums = sumUnmapped(headers.map((header, index) => ({ index, column: 'ABCDEFG'[index] ?? '', header })))
  sums.add([500_000, '$1,000', 2025, 5_551_234, 12, null, '3'])
  sums.add(['1,500,000', '$2,500', 2025, 5_551_235, 3, 7_000, 'TBD'])
  expect(sums.found()).toEqual([
    { letter: 'A', header: 'Stock Value', total: 2_000_000 },
    { letter: 'B', header: 'Tooling', total: 3_500 },
    { letter: 'F', header: 'Insured Fine Art', total: 7_000 },
  ])
})

test('columns that name property damage or abbreviate a value are reported without a currency sign', () => {
  const sums = sumUnmapped(['Property damage', 'Bldg amt'].map((header, index) => ({ index, column: 'AB'[index] ?? '', header })))
  sums.add([250_000, 40_000])
  expect(sums.found().map(({ header }) => header)).toEqual(['Property damage', 'Bldg amt'])
})

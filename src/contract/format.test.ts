import { expect, test } from 'vitest'
import { formatExact, formatExactMoney, formatExportProgress, formatMoney, maskPhone } from './format.ts'

test('an exact number has every digit that was stored and no other, so that different values look different', () => {
  expect([1_234_567, 1_234_567.89, 0.1, 1_000.25].map(formatExact)).toEqual(['1,234,567', '1,234,567.89', '0.1', '1,000.25'])
  expect(formatExact(12_000.004)).not.toBe(formatExact(12_000))
})

test('the progress of an export shows 0 as 1 and 100 or more as 100', () => {
  expect([0, 0.4, 42.4, 99.7, 100, 130].map(formatExportProgress)).toEqual([1, 1, 42, 99, 100, 100])
})

test('an exact amount has its cents, if there are any, and a sum has whole units', () => {
  expect([1_500, 1_500.5, 1_234_567.89].map((value) => formatExactMoney(value))).toEqual(['$1,500', '$1,500.50', '$1,234,567.89'])
  expect(formatExactMoney(900.5, 'CAD')).toBe('CA$900.50')
  expect(formatExactMoney(1_234_567.89)).not.toBe(formatExactMoney(1_234_567.88))
  expect(formatMoney(1_234_567.89)).toBe('$1,234,568')
})

test.each([
  ['', ''],
  ['2', '+1 (2'],
  ['214', '+1 (214'],
  ['+1 (2145', '+1 (214) 5'],
  ['+1 (214) 5550', '+1 (214) 555-0'],
  ['214.555.0123 ext. 9', '+1 (214) 555-0123'],
  ['none', ''],
])('the mask of a phone number makes %j into %j', (typed, masked) => {
  expect(maskPhone(typed)).toBe(masked)
})

import { expect, test } from 'vitest'
import { SETTINGS, targetOf } from '#server/features/imports/imports.fixture.ts'
import { proposeMapping, sheetColumns } from './propose-mapping.ts'

const incomeOf = async (header: string, known = new Map<string, string>()) => {
  const rows = [1, 2, 3].map((number) => [number, `${number} Main St`, 1_000_000, 12_000 + number])
  return targetOf(await proposeMapping(sheetColumns(['Loc #', 'Address', 'Building Value', header], rows), known, SETTINGS), header)
}

test.each([
  'BI Monthly',
  'Monthly Rents',
  'MonthlyRents',
  'Rents/mo',
  'Rents per month',
  'Annual Rents / 12',
  'BI (6 months)',
  'BI 18 mo',
  'Weekly BI',
  'Quarterly Business Income',
])('a column “%s” is not proposed as the business income of twelve months', async (header) => {
  expect(await incomeOf(header)).toBeNull()
})

test.each(['BI', 'BI 12 mo', 'BI (12 months)', 'Annual Rents', 'BI / Rents'])('a column “%s” is', async (header) => {
  expect(await incomeOf(header)).toBe('bi_value')
})

test('a column for some months is not proposed because of one with the same words for twelve', async () => {
  expect(await incomeOf('BI (6 months)', new Map([['bi', 'bi_value']]))).toBeNull()
})

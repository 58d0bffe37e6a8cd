import { expect, test } from 'vitest'
import { SETTINGS, targetOf } from '#server/features/imports/imports.fixture.ts'
import { partOfYear, withoutSpan } from '#server/features/imports/pipeline/read/part-of-year.ts'
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
  'Rental Income (Qtrly)',
  'Rental Income Q1',
  'RentalIncome_Q3',
  'Rental Income - Qtr',
  'Rental Income - 2nd Quarter',
  'Rental Income - Half Year',
  'Business Income (Quarter)',
  'BI (Qtr.)',
  'Gross Rentals (Qtr)',
  'Rents (semi-annual)',
  'Rents 6 mos',
])('a column “%s” is not proposed as the business income of twelve months', async (header) => {
  expect(await incomeOf(header)).toBeNull()
})

test.each(['BI', 'BI 12 mo', 'BI (12 months)', 'Annual Rents', 'BI / Rents', 'BI Annual', 'Headquarters Rents'])(
  'a column “%s” is',
  async (header) => {
    expect(await incomeOf(header)).toBe('bi_value')
  },
)

test('a column for some months is not proposed because of one with the same words for twelve', async () => {
  expect(await incomeOf('BI (6 months)', new Map([['bi', 'bi_value']]))).toBeNull()
})

test('the part of a year that a header names has a factor', () => {
  expect(['BI (Qtr.)', 'Rents (semi-annual)', 'Rental Income Q1', 'Rents 6 mos'].map(partOfYear)).toEqual([
    { name: 'a quarter', factor: 4 },
    { name: 'a half year', factor: 2 },
    { name: 'one quarter', factor: 4 },
    { name: '6 months', factor: 2 },
  ])
})

test.each([
  'Quarters',
  'Living Quarters',
  'Building Q1',
  'Headquarters',
  'French Quarter',
  'Annualized Q1 Rents',
  'Rents as of Q1',
  'BI Annual',
])('“%s” names no part of a year', (header) => {
  expect(partOfYear(header)).toBeUndefined()
  expect(withoutSpan(header)).toBe(header)
})

import { describe, expect, test } from 'vitest'
import { unitsOf } from './title-units.ts'

const currency = (...titles: string[]) => unitsOf(titles.map((title) => [title, null])).currency

describe('the titles of a sheet', () => {
  test.each([
    ['Statement of values - all amounts in Canadian dollars', 'CAD'],
    ['All values CAD', 'CAD'],
    ['Acme Ltd. Statement of Values (CAD)', 'CAD'],
    ['Acme – SOV 2026 – CAD', 'CAD'],
    ['Currency: GBP', 'GBP'],
    ['CAD', 'CAD'],
    ['Values in CAD 000s', 'CAD'],
    ['Values in C$', 'CAD'],
    ['All figures in pounds sterling', 'GBP'],
    ['Sums insured in £', 'GBP'],
    ['Amounts are stated in euros', 'EUR'],
    ['Werte in EUR', 'EUR'],
    ['Werte in TEUR', 'EUR'],
    ['Values in kGBP', 'GBP'],
    ['Values in thousands of EUR', 'EUR'],
    ["in '000 EUR", 'EUR'],
    ["EUR '000", 'EUR'],
    ['Amounts in millions of CHF', 'CHF'],
    ['Werte in Tausend Euro', 'EUR'],
    ['Beträge in Mio. EUR', 'EUR'],
    ["Montants en milliers d'euros", 'EUR'],
    ['All figures in 000s CAD', 'CAD'],
    ['Beträge in T€', 'EUR'],
    ['Values in Australian Dollars', 'AUD'],
    ['Valores en pesos mexicanos', 'MXN'],
    ['Values in pesos', 'MXN'],
    ['Values in Colombian pesos', 'COP'],
    ['Montants en dollars canadiens', 'CAD'],
    ['All figures expressed in thousands of U.S. dollars', 'USD'],
    ['Converted from CAD to USD', undefined],
    ['All values in US dollars, converted from Canadian dollars', 'USD'],
  ])('“%s” name the currency %s', (title, code) => expect(currency('Acme Holdings', title)).toBe(code))

  test.each([
    'Euro Hotels Group – Statement of Values',
    'CAD Systems Inc. Schedule',
    'Sterling Properties LLC',
    'Pound Ridge Estates',
    'CAD Millions Club LLC',
    'Statement of Values ($ in 000s)',
    'Exchange rate: 1 USD = 1.37 CAD',
    'Live load in pounds per sq ft',
    'Values in USD and CAD',
    'Locations in all states',
    'Prepared by Cad Miller, as of 1/1/2026',
  ])('“%s” name no currency', (title) => expect(currency(title)).toBeUndefined())

  test('come before the name of the sheet, which names the currency only where they do not', () => {
    expect(unitsOf([], [], 'SOV GBP').currency).toBe('GBP')
    expect(unitsOf([['Acme Holdings']], [], 'Canada (CAD)').currency).toBe('CAD')
    expect(unitsOf([['All values USD']], [], 'Canada (CAD)').currency).toBe('USD')
    expect(unitsOf([], [], 'CAD drawings').currency).toBeUndefined()
  })
  test.each(['GBP values', 'EUR 2025', '2026 EUR', 'Schedule EUR', 'SOV_CAD_2026', 'Total Insured Values CHF'])(
    'name the currency next to words for a schedule: “%s”',
    (text) => expect([currency(text), unitsOf([], [], text).currency].map((code) => text.includes(String(code)))).toEqual([true, true]),
  )
  test.each(['CAD Systems Values', 'Values of EUR Holdings', 'PHP Agency 2026', 'USD and EUR 2026'])(
    'name no currency with the name of a company, or with two codes: “%s”',
    (text) => expect(unitsOf([], [], text).currency).toBeUndefined(),
  )
  test('come before notes below the rows, and these before the name of the sheet', () => {
    expect(unitsOf([], [], 'SOV GBP', ['Note: all amounts in euros']).currency).toBe('EUR')
    expect(unitsOf([['All values USD']], [], '', ['Note: all amounts in euros']).currency).toBe('USD')
    for (const note of [
      'All values in EUR.',
      'Values are stated in EUR',
      'Currency: EUR',
      'Unless otherwise stated, all amounts are shown in euros',
    ])
      expect(unitsOf([], [], 'SOV GBP', [note]).currency).toBe('EUR')
  })
  test.each([
    'Premium is payable in GBP.',
    'The 2019 appraisal (CHF) was replaced.',
    'Canadian locations in CAD',
    'Loan currency: JPY',
    'Policy limit EUR 50,000,000 any one occurrence',
    'Contents values are stated in GBP',
    'Toronto and Montreal locations are reported in CAD',
    'All values in EUR except locations in Canada',
  ])('are not all amounts of the file below the rows: “%s”', (note) => {
    expect(unitsOf([], [], '', [note]).currency).toBeUndefined()
  })
  test.each([
    'Premium quoted in GBP',
    'Loan in EUR',
    'Loan (EUR)',
    'Quote in GBP',
    'Purchase price in EUR',
    'Excess in GBP',
    'Premium – quoted in GBP',
    'Premium: GBP',
    'Deductible 50,000 EUR',
    'Policy limit EUR 50,000,000',
    'Limits: CAD 5,000,000 per occurrence',
    'Premiums, taxes and fees are payable in GBP',
    'Statement of values (premium in GBP)',
    'Mortgage amounts in CAD',
    'Prämie in CHF',
    'Sublimits and retentions in €',
  ])('name no currency of the values: “%s”', (title) => {
    expect(currency(title)).toBeUndefined()
    expect(unitsOf([], [], title).currency).toBeUndefined()
  })
  test.each([
    ['Values in USD, premium in GBP', 'USD'],
    ['Premium in GBP; all values in EUR', 'EUR'],
    ['Sums insured and premium in EUR', 'EUR'],
    // Schedules call their values limits, too.
    ['All limits in CHF', 'CHF'],
    ['Values in EUR (policy limit in USD)', 'EUR'],
    ['Loan schedule – amounts in CAD', 'CAD'],
  ])('name the one of the values next to another one: “%s”', (title, code) => expect(currency(title)).toBe(code))
  test('name none next to the label of another amount', () =>
    expect(unitsOf([['Premium currency', null, 'GBP'], ['Acme']]).currency).toBeUndefined())
  test('name the currency next to its label', () => expect(unitsOf([['Currency', null, 'EUR']]).currency).toBe('EUR'))
  test('do not include a row with names of columns', () =>
    expect(unitsOf([['Building (CAD)', 'Contents', 'Stock', 'Rents']]).currency).toBeUndefined())
})

test.each([
  ['Werte in Tausend Euro', 1_000],
  ["Montants en milliers d'euros", 1_000],
  ['Valores en miles de pesos', 1_000],
  ['Beträge in Millionen EUR', 1_000_000],
  ['Montants en millions de dollars', 1_000_000],
  ["in '000 EUR", 1_000],
  ['Bldg (in 000)', 1_000],
  ['Building (k)', 1_000],
  ['Building, 000 USD', 1_000],
  ['Contents, 000', 1_000],
  ['Building x 1000', 1_000],
  ['Contents [000]', 1_000],
  ['Building (000 omitted)', 1_000],
  ['Building Value /1000', 1_000],
  ['Contents in M', 1_000_000],
  ['Distance in m', 1],
  ['Contents (M$)', 1_000_000],
  ['Building Value ($ mil)', 1_000_000],
  ['Building Value in thousand', 1_000],
  ['Values of 5,000 USD and more', 1],
  ['Unit 1,000', 1],
  ['Warehouse 20 x 10000 sq ft', 1],
  ["Limit CHF 5'000 per item", 1],
  ['Distance in miles', 1],
])('“%s” announces the factor %i', (title, factor) => expect(unitsOf([[title]]).factor).toBe(factor))

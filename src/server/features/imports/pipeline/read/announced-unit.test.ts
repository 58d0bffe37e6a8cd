import { describe, expect, test } from 'vitest'
import { announcesUnit, isDoubtfulUnit, unitInFileName } from './announced-unit.ts'
import { factorOf } from './amount-notation.ts'
import { unclearUnits } from './unit-notes.ts'

describe('texts that announce a unit', () => {
  test.each([
    'Amounts in $1,000',
    'in 1000 USD',
    'Values in 1,000 USD',
    'Unit: USD 1,000',
    'Einheit: 1.000 EUR',
    'in 10^3 USD',
    'in 10³ USD',
    'k USD',
    'Values k USD',
    'thousand $',
    'Values in thousand dollars',
    'tausend Euro',
    'Multiply values by 1,000',
    'Values: scale: 1000',
    'Values: factor 1000',
    'Add three zeros to all amounts',
    'Three zeroes omitted from all values',
    'Miles de USD',
    '* in thousands',
    'in thousands',
    'Valores en miles',
    'Montants en milliers',
    'Beträge in Tausend',
    'Importi in migliaia',
    'Valores em milhares',
    'Bedragen in duizenden',
    'Wartości w tys. PLN',
  ])('“%s” of thousands', (text) => expect([factorOf(text), announcesUnit(text)]).toEqual([1_000, true]))

  test.each(['in $1,000,000', 'Unit = USD 1,000,000', 'Amounts in million dollars', 'Multiply all values by 1,000,000'])(
    '“%s” of millions',
    (text) => expect([factorOf(text), announcesUnit(text)]).toEqual([1_000_000, true]),
  )

  test.each([
    'Deductible in $1,000 increments',
    'Two hundred thousand dollars per occurrence',
    'Limit: one million dollars',
    'Deductible $1,000',
    'Minimum premium of $1,000',
    '1,000 USD',
    'Thousand Oaks, CA',
    'Thousands separator: comma',
    'All values in US dollars; thousands separators are commas',
    '1000 Euro Street',
    'Units: 1000',
    'Number of units: 1000',
    'Price per unit: $1,000',
    'Fire hydrant in 1,000 ft',
    'Insured for ten million dollars',
    'miles de visitantes',
  ])('are not such as “%s”', (text) => expect(factorOf(text)).toBe(1))

  test.each(['SOV ($000s).xlsx', 'SOV in thousands.xlsx', 'SOV_000s_except_BI.xlsx', 'SOV-USDk.xlsx', 'Values (in $M).csv'])(
    'may be the name of a file: “%s”',
    (name) => expect(unitInFileName(name)).not.toBe(''),
  )
  test.each(['SOV 2026 MM.xlsx', 'Thousand Oaks SOV.xlsx', '1000 Main St values.xlsx', 'SOV.xlsx', 'Values 2026-10-00.csv'])(
    'are not the name of the file “%s”',
    (name) => expect(unitInFileName(name)).toBe(''),
  )
})

test.each([
  'Some values in thousands',
  'Locations 5-8 in thousands',
  'Last year’s values in thousands',
  'Formerly in thousands, now in dollars',
  'Values may be in thousands',
  'Values in ten thousands',
])('“%s” may not be about all amounts', (text) => expect(isDoubtfulUnit(text)).toBe(true))

test.each(['All amounts in $000s', 'Statement of values 2026 (in thousands)', 'Values in thousands unless otherwise stated'])(
  '“%s” is about all amounts',
  (text) => expect(isDoubtfulUnit(text)).toBe(false),
)

test('a unit that another text denies is unclear', () => {
  const texts = ['Values in thousands', 'Values are in whole dollars, not thousands']
  expect(unclearUnits(texts)).toEqual(texts.map((text) => ({ text, factors: [1_000] })))
  expect(unclearUnits(['Values in thousands', 'Thousands separator: comma'])).toEqual([])
})
test('full amounts contradict a unit, unless they are those of single columns or only name the currency', () => {
  const texts = ['Values in thousands', 'Note: all values are in whole dollars']
  expect(unclearUnits(texts)).toEqual([
    { text: 'Values in thousands', factors: [1_000] },
    { text: 'Note: all values are in whole dollars', factors: [] },
  ])
  for (const text of ['Values in US dollars', 'Full building replacement cost', 'BI in whole dollars', 'Exact address required'])
    expect(unclearUnits(['Values in thousands', text])).toEqual([])
})

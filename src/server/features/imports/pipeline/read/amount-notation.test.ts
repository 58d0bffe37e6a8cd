import { expect, test } from 'vitest'
import { LINEAR_AT_MOST, growth } from '#contract/growth.fixture.ts'
import { parseMoney } from '#server/features/imports/pipeline/validate/read-numbers.ts'
import { factorOf, withoutCurrency } from './amount-notation.ts'
import { classifyRows } from './classify-rows.ts'
import { currencyIn } from './currency-signs.ts'
import { normalizeHeader } from './headers.ts'

test.each([
  ["CHF 1'137'000", 1_137_000],
  ["284'250.-", 284_250],
  ['Fr. 1’137’000.–', 1_137_000],
  ["1'137'000.50 CHF", 1_137_000.5],
  ['SEK 1 200 000', 1_200_000],
  ['1,250,000 AUD', 1_250_000],
  ['kr 900 000,-', 900_000],
  ['20.000 EUR', 20_000],
  ['$1.125M', 1_125_000],
  ['A$1,250,000', 1_250_000],
  ['CHF 1.2 Mio', 1_200_000],
])('%s is an amount', (text, amount) => expect(parseMoney(text, false)).toBe(amount))

test('the currency of a text with many spaces is searched in a time that grows with their number', () => {
  expect(withoutCurrency(`5${' '.repeat(30_000)}m`)).toHaveLength(30_002)
  const search = (spaces: number) => withoutCurrency(`5${' '.repeat(spaces)}m`)
  expect(growth(search, 100_000)).toBeLessThan(LINEAR_AT_MOST)
})

test('three digits after a dot are thousands of a currency that is written so, unless amounts have a factor', () => {
  expect(['€ 1.137', '1.137 CHF', '$1.137', '1.137'].map((text) => parseMoney(text, false))).toEqual([1_137, 1_137, 1.137, 1.137])
  expect(parseMoney('€ 1.137', false, 1_000_000)).toBe(1.137)
})

test.each(['CHF', 'CHFX 5', 'Fritz 5', '5-', 'USDA 5'])('%s is no amount', (text) => expect(parseMoney(text, false)).toBeUndefined())

test.each([
  ['Bldg ($M)', 1_000_000],
  ['Contents €m', 1_000_000],
  ['TIV (USD mn)', 1_000_000],
  ['Gebäude (Mio. €)', 1_000_000],
  ['BI £k', 1_000],
  ['Inhalt TEUR', 1_000],
  ['Building $000', 1_000],
  ['Building (kUSD)', 1_000],
  ['Byggnadsvärde (kSEK)', 1_000],
  ['Gebouw kEUR', 1_000],
  ['Building (tkr)', 1_000],
  ['TPLN', 1_000],
  ['Building (MSEK)', 1_000_000],
  ['Byggnad mkr', 1_000_000],
  ['Maud Street 12', 1],
  ['Kr 5', 1],
  ['Limit: $5M per occurrence', 1],
  ['Moved to Memphis', 1],
  ['CAD Model', 1],
  ['Amounts have thousands separated by commas', 1],
  ['Values in full (no thousands)', 1],
])('%s announces the factor %d', (text, factor) => expect(factorOf(text)).toBe(factor))

test.each([
  ['Byggnad (kSEK)', 'SEK'],
  ['Byggnad MSEK', 'SEK'],
  ['Bygning (tkr)', 'SEK or NOK or DKK'],
  ['Maud Street', undefined],
])('%s names the currency %s', (text, currency) => expect(currencyIn(text)).toBe(currency))

test.each(['Bldg ($M)', 'Bldg $K', 'BLDG (USDm)', 'Bldg (CHF Mio.)', 'TEUR Bldg', 'Bldg (kUSD)', 'Bldg tkr', 'Bldg MSEK'])(
  'the factor and the currency of %s are not words',
  (header) => expect(normalizeHeader(header).words).toBe('building'),
)

test('a totals row in another notation is not a location', () => {
  const row = (number: number, ...cells: string[]) => ({ number, hidden: false, cells })
  const rows = [
    row(1, 'Loc #', 'Building Value', 'Contents'),
    row(2, '1', "CHF 1'000'000", "200'000.-"),
    row(3, '2', "CHF 500'000", "100'000.-"),
    row(4, 'Total', "CHF 1'500'000", "300'000.-"),
  ]
  expect(classifyRows(rows, 1, ['Loc #', 'Building Value', 'Contents'])).toEqual(['header', 'data', 'data', 'total'])
})

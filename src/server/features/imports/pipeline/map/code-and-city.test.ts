import { describe, expect, test } from 'vitest'
import { splitCodeAndCity } from '#server/engines/address/split-full-address.ts'
import { readTable, sumOf } from '#server/features/imports/imports.fixture.ts'
import { currencyIn } from '#server/features/imports/pipeline/read/currency-signs.ts'
import { multipleIn, parseMoney } from '#server/features/imports/pipeline/validate/read-numbers.ts'

const BERN = [
  ['Nr.', 'Objekt', 'Strasse / Nr.', 'PLZ/Ort', 'Land', 'Baujahr', 'Gebäude', 'Fahrhabe'],
  [1, 'Schulhaus', 'Länggassstrasse 12', '3012 Bern', 'CH', 1962, '12500 TCHF', '350 TCHF'],
  [2, 'Werkhof', 'Industriestrasse 4a', '3053 Münchenbuchsee', 'CH', 1988, '2800 TCHF', '900 TCHF'],
  [3, 'Mietshaus', 'Seestrasse 101', 'CH-2502 Biel/Bienne', 'CH', 1951, '7400 TCHF', '50 TCHF'],
  ['', 'Total', '', '', '', '', '22700 TCHF', '1300 TCHF'],
]

test('postal codes and cities in one column, and amounts in thousands of a currency, are read', async () => {
  const { proposals = [], read = [], kinds } = await readTable(BERN)
  expect(proposals.slice(3).map(({ target }) => target)).toEqual([
    'city_state_zip',
    'country',
    'year_built',
    'building_value',
    'contents_value',
  ])
  expect(read.map(({ fields, issues }) => [fields.postal_code, fields.city, fields.currency, issues.length])).toEqual([
    ['3012', 'Bern', 'CHF', 0],
    ['3053', 'Münchenbuchsee', 'CHF', 0],
    ['2502', 'Biel/Bienne', 'CHF', 0],
  ])
  expect([sumOf(read, 'building_value'), sumOf(read, 'contents_value')]).toEqual([22_700_000, 1_300_000])
  expect(kinds).toEqual(['header', 'data', 'data', 'data', 'total'])
})

test('a column of cities with their postal codes is split below a header for cities, and not below one for streets', async () => {
  const targetsBelow = async (header: string) => {
    const rows = BERN.slice(1, 4).map((cells, at) => [`${at + 1} Main St`, cells[3] ?? '', '2000000'])
    return (await readTable([['Address', header, 'Building Value'], ...rows])).proposals?.map(({ target }) => target)
  }
  expect(await targetsBelow('City')).toEqual(['address', 'city_state_zip', 'building_value'])
  expect((await targetsBelow('Address 2'))?.[1]).not.toBe('city_state_zip')
})

describe('a postal code before a city', () => {
  test.each([
    ['3011 Bern', ['3011', 'Bern']],
    ['D-20095 Hamburg', ['20095', 'Hamburg']],
    ['1000 Lausanne', ['1000', 'Lausanne']],
  ])('is in “%s”', (text, [postal_code, city]) => expect(splitCodeAndCity(text)).toEqual({ postal_code, city }))
  test.each(['Bern', '12345 Main St', '3011', '100 Main Street', '1200 Level 3', '1012 NX'])('is not in “%s”', (text) =>
    expect(splitCodeAndCity(text)).toBeUndefined(),
  )
})

describe('thousands of a currency in one word', () => {
  test.each([
    ['350 TEUR', 350_000, 'EUR'],
    ["12'500 TCHF", 12_500_000, 'CHF'],
    ['TEUR 350', 350_000, 'EUR'],
    ['T€ 350', 350_000, 'EUR'],
    ['80kEUR', 80_000, 'EUR'],
    ['350 EUR', 350, 'EUR'],
  ])('%s is %i', (text, amount, currency) => {
    expect([parseMoney(text, false), currencyIn(text)]).toEqual([amount, currency])
    expect(multipleIn(text).multiple).toBe(amount % 1_000 === 0 ? 1_000 : 1)
  })
})

test('a Japanese postal code is one with its sign, which is left out', async () => {
  const rows = [
    ['1', '1-8-2 Marunouchi', 'Chiyoda-ku', '〒100-0005', 'Japan', '9800000000'],
    ['2', '3-1-1 Umeda', 'Osaka-shi', '〒 530-0001', 'Japan', '6100000000'],
  ]
  const { proposals, read } = await readTable([['No', 'Address', 'City', 'Postal Code', 'Country', 'Building Value'], ...rows])
  expect(proposals?.[3]).toMatchObject({ target: 'postal_code', status: 'mapped' })
  expect(read?.map(({ fields }) => fields.postal_code)).toEqual(['100-0005', '530-0001'])
})

import { describe, expect, test } from 'vitest'
import { partCurrency } from '#server/features/imports/pipeline/map/column-currency.ts'
import { partCurrencyQuestion } from './part-currency-question.ts'
import type { Tally } from './tally.ts'

const TARGETS: Readonly<Record<string, string>> = {
  G: 'building_value',
  H: 'contents_value',
  I: 'bi_value',
  J: 'stated_tiv',
  K: 'currency',
}

/** The columns from G on, as a header and a sample. */
const partOf = (...columns: readonly (readonly [header: string, sample?: string])[]) =>
  partCurrency(
    columns.map(([header, sample], at) => ({ column: 'GHIJK'.charAt(at), header, samples: sample === undefined ? [] : [sample] })),
    (letter) => TARGETS[letter],
  )
const PART = partOf(['Building Value', '500'], ['Contents Value (€)', '40'], ['Business Income', '30'])
const DALLAS: Tally = { 'file in EUR': 5, 'named currency in US': 5 }

const ask = (tally: Tally, part = PART) => (part === undefined ? [] : partCurrencyQuestion(tally, part))

describe('the currency of some columns', () => {
  test('is found in a header or in the cells', () => {
    const part = {
      currency: 'EUR',
      named: [{ column: 'H', target: 'contents_value' }],
      unnamed: [{ column: 'G', target: 'building_value' }],
    }
    expect(partOf(['Building', '5'], ['Contents (€)', '4'])).toEqual(part)
    expect(partOf(['Building', '5'], ['Contents', '€ 4'])).toEqual(part)
  })
  test.each([
    [
      'all columns name it',
      [
        ['Building (€)', '5'],
        ['Contents (EUR)', '4'],
      ],
    ],
    ['the others have no amounts', [['Building', '0'], ['Contents (€)', '4'], ['BI']]],
    [
      'some cells of the others name one',
      [
        ['Building', '€ 5'],
        ['Contents (€)', '4'],
        ['BI', '5 EUR'],
      ],
    ],
    [
      'only dollar signs are named',
      [
        ['Building ($)', '$5'],
        ['Contents', '4'],
      ],
    ],
    [
      'another column names a further one',
      [
        ['Building (£)', '5'],
        ['Contents (€)', '4'],
        ['BI', '3'],
      ],
    ],
    [
      'only the stated total has none',
      [
        ['Building (€)', '5'],
        ['Contents (€)', '4'],
        ['BI (€)', '3'],
        ['TIV', '12'],
      ],
    ],
    [
      'a column names that of each row',
      [
        ['Building', '5'],
        ['Contents (€)', '4'],
        ['BI', '3'],
        ['TIV', '12'],
        ['Currency', 'EUR'],
      ],
    ],
  ] as const)('is not one of some if %s', (_reason, columns) => expect(partOf(...columns)).toBeUndefined())
  test('is one of some if the column of currencies is empty', () =>
    expect(partOf(['Building', '5'], ['Contents (€)', '4'], ['BI', '3'], ['TIV', '12'], ['Currency'])?.currency).toBe('EUR'))
})

describe('the question about the currency of some columns', () => {
  test('is whether it is that of all, or the others are in the currency of the country', () => {
    expect(ask(DALLAS)).toEqual([
      {
        constant: 'currency',
        suggestion: null,
        message:
          'Some amounts are in EUR (column H), and columns G, I name no currency. Amounts in several currencies cannot be added up. Are all amounts in EUR?',
        options: { EUR: 'Yes, all in EUR', USD: 'No, only those without one, as USD' },
      },
    ])
    expect(ask({ 'file in EUR': 5, 'named currency in GB': 5 })[0]?.options).toHaveProperty('GBP')
    expect(ask({ 'file in USD': 5, 'named currency in CA': 5 }, partOf(['Building', '5'], ['Contents (US$)', '4']))[0]?.options).toEqual({
      USD: 'Yes, all in USD',
      CAD: 'No, only those without one, as CAD',
    })
  })
  test('counts rows without an amount in the named currency', () =>
    expect(ask({ 'file in EUR': 3, 'file in USD': 2, 'named currency in US': 3, 'unnamed currency in US': 2 })).toHaveLength(1))
  test('offers each currency of an ambiguous sign', () =>
    expect(
      ask({ 'file in JPY or CNY': 5, 'named currency in US': 5 }, partOf(['Building', '5'], ['Contents (¥)', '4']))[0]?.options,
    ).toEqual({
      JPY: 'Yes, all in JPY',
      CNY: 'Yes, all in CNY',
      USD: 'No, only those without one, as USD',
    }))
  test('only offers the currency of the account', () =>
    expect(ask({ ...DALLAS, 'before in CAD': 2 })).toEqual([
      {
        constant: 'currency',
        suggestion: 'CAD',
        message:
          'Some amounts are in EUR (column H), and columns G, I name no currency. The properties of this account are in CAD. Import only the amounts without a currency, as CAD?',
        options: { CAD: 'Yes, only these, as CAD' },
      },
    ]))
  test.each<[string, Tally]>([
    ['half of the rows are in a country with it', { 'file in EUR': 4, 'named currency in DE': 2, 'named currency in US': 2 }],
    ['the properties of the account are in it', { ...DALLAS, 'before in EUR': 1 }],
    ['cells name a further one', { ...DALLAS, 'file in GBP': 1 }],
    ['rows name the usual one', { ...DALLAS, 'file in USD': 1 }],
    ['no row has an amount in it', { 'file in USD': 5, 'unnamed currency in US': 5 }],
  ])('does not come up if %s', (_reason, tally) => expect(ask(tally)).toEqual([]))
  test('does not come up if a stated total in it is the sum of the others', () => {
    const part = partOf(['Building', '5'], ['Contents', '4'], ['BI', '3'], ['TIV (€)', '12'])
    expect(ask({ ...DALLAS, stated: 1_200, 'stated parts': 1_200 }, part)).toEqual([])
    expect(ask({ ...DALLAS, stated: 1_200, 'stated parts': 1_000 }, part)).toHaveLength(1)
  })
})

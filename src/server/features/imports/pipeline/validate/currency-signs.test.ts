import { describe, expect, test } from 'vitest'
import { columnLetters } from '#server/engines/spreadsheet/sheet.ts'
import { SETTINGS } from '#server/features/imports/imports.fixture.ts'
import { columnStyle } from '#server/features/imports/pipeline/map/column-style.ts'
import { createReadPlan } from '#server/features/imports/pipeline/map/read-plan.ts'
import { normalizeHeader, scoreHeader } from '#server/features/imports/pipeline/read/headers.ts'
import { currenciesOfRow } from './read-currency.ts'
import { readRow } from './read-row.ts'
import type { RowFields } from './results.ts'

const PLACE = { address: '1 Main St', city: 'San Diego', state: 'CA' } as const
const planOf = (headers: string[], constants: RowFields = {}) =>
  createReadPlan(
    Object.fromEntries(headers.map((_, at) => [columnLetters(at + 1), at === 0 ? 'building_value' : 'contents_value'])),
    (column) => headers[column.charCodeAt(0) - 65] ?? '',
    (_index, header) => columnStyle(header, [], SETTINGS),
    { ...PLACE, ...constants },
  )
const read = (cell: string, constants: RowFields = {}, header = 'Building Value') => readRow([cell], planOf([header], constants))

const SIGNS = [
  ['₹5,000', 'INR'],
  ['₩ 5,000', 'KRW'],
  ['₽5,000', 'RUB'],
  ['₺5,000', 'TRY'],
  ['5,000 TL', 'TRY'],
  ['5 000 zł', 'PLN'],
  ['R$ 5,000', 'BRL'],
  ['CHF 5,000', 'CHF'],
  ['Fr. 5,000', 'CHF'],
  ['Fr 5,000', 'CHF'],
  ['5,000 fr', 'CHF'],
  ['A$5,000', 'AUD'],
  ['NZ$5,000', 'NZD'],
  ['HK$5,000', 'HKD'],
  ['S$5,000', 'SGD'],
  ['MX$5,000', 'MXN'],
  ['C$5,000', 'CAD'],
  ['₱5,000', 'PHP'],
  ['5,000 INR', 'INR'],
] as const

describe('the sign of a currency', () => {
  test.each(SIGNS)('in %s is that of %s', (text, currency) => {
    const { fields, assumed, issues } = read(text)
    expect([fields.building_value, fields.currency, assumed, issues]).toEqual([5_000, currency, ['country'], []])
  })
  test.each(['Building (₹)', 'Building Value R$', 'Building Value zł', 'Building Value A$'])(
    'in the header %s counts for its amounts',
    (header) => {
      expect(scoreHeader(normalizeHeader(header))[0]).toMatchObject({ target: 'building_value' })
      expect(read('5,000', {}, header).assumed).toEqual(['country'])
    },
  )
  test.each(['¥900,000,000', '￥900,000,000', '900,000,000 kr'])('of several currencies, as in %s, is never the default one', (text) => {
    const row = read(text)
    expect(row.issues.map(({ code, severity }) => `${severity} ${code}`)).toEqual(['error mixed_currency'])
    expect(currenciesOfRow(row)).toEqual([text.includes('kr') ? 'SEK or NOK or DKK' : 'JPY or CNY'])
  })
  test.each([
    [{ country: 'CN', state: 'Hebei' }, 'CNY'],
    [{ country: 'JP', state: 'Tokyo' }, 'JPY'],
    [{ currency: 'CNY' }, 'CNY'],
  ])('of several currencies is read with %o', (constants, currency) => {
    const { fields, issues } = read('¥5,000', constants)
    expect([fields.building_value, fields.currency, issues]).toEqual([5_000, currency, []])
  })
  test('is an error if the user chose another currency', () =>
    expect(read('¥5,000', { currency: 'USD' }).issues).toEqual([
      expect.objectContaining({
        code: 'mixed_currency',
        severity: 'error',
        message: expect.stringContaining('in JPY or CNY, the import in USD') as string,
      }),
    ]))
  test('that is not known makes an amount unreadable, and is an error until the user names the currency', () => {
    expect(read('₰5,000')).toMatchObject({ issues: [{ code: 'not_a_number' }, { code: 'mixed_currency', severity: 'error' }] })
    expect(read('₰5,000', { currency: 'USD' }).issues.map(({ code }) => code)).toEqual(['not_a_number'])
    expect(read('5,000', {}, 'Building (¤)').issues).toMatchObject([{ code: 'mixed_currency', severity: 'error' }])
    expect(read('5,000', { currency: 'KZT' }, 'Building (¤)').fields.currency).toBe('KZT')
  })
  test('is no sign within a word', () => {
    for (const header of ['Values$', 'Building TIV$', 'BPP $', 'Kraków Values'])
      expect(read('5,000', {}, header).assumed).toContain('currency')
  })
})

test('an amount with a dollar sign stays out of an import in a currency without one', () => {
  const codes = (cell: string, currency: string) => read(cell, { currency }).issues.map(({ code }) => code)
  expect([codes('$5,000', 'EUR'), codes('$5,000', 'CAD'), codes('5,000', 'EUR')]).toEqual([['mixed_currency'], [], []])
  expect(read('5,000', { currency: 'EUR' }, 'Building ($)').fields.currency).toBe('EUR')
})

describe('an amount that cannot be read', () => {
  test.each([
    ['€ 12.34.5', 'EUR'],
    ['€ to follow soon', 'EUR'],
    ['CAD 5,00,0', 'CAD'],
    ['-£700,000', 'GBP'],
  ])('is in the currency of its sign: %s', (text, currency) => {
    const { fields, issues } = read(text)
    expect([fields.building_value, fields.currency, issues.map(({ severity }) => severity)]).toEqual([undefined, currency, ['warning']])
  })
  test('is in the currency of its header, unless it has no digits', () => {
    expect(read('12.34.5', {}, 'Building (€)').fields.currency).toBe('EUR')
    expect(read('see list', {}, 'Building (€)').assumed).toContain('currency')
  })
  test('stays out of an import in another currency, and counts in its own one', () => {
    const row = read('€ 12.34.5', { currency: 'USD' })
    expect(row.issues.map(({ code }) => code)).toEqual(['not_a_number', 'mixed_currency'])
    expect(currenciesOfRow(row)).toEqual(['EUR'])
  })
  test('is in none of the currencies next to an amount in another one', () => {
    const issues = (cells: string[]) => readRow(cells, planOf(['Building', 'Contents'])).issues.map(({ code }) => code)
    expect(issues(['€ 12.34.5', '£7,000'])).toEqual(['not_a_number', 'mixed_currency'])
    expect(issues(['$ 12.34.5', '€7,000'])).toEqual(['not_a_number', 'mixed_currency'])
  })
})

import { describe, expect, test } from 'vitest'
import { columnLetters } from '#server/engines/spreadsheet/sheet.ts'
import { SETTINGS } from '#server/features/imports/imports.fixture.ts'
import { columnStyle } from '#server/features/imports/pipeline/map/column-style.ts'
import type { MappingTarget } from '#server/features/imports/pipeline/map/propose-mapping.ts'
import { createReadPlan } from '#server/features/imports/pipeline/map/read-plan.ts'
import { currenciesOfRow } from './read-currency.ts'
import { readRow } from './read-row.ts'
import type { RowFields } from './results.ts'

const PLACE = { address: '1 Main St', city: 'San Diego', state: 'CA' } as const

describe('the currency of a row', () => {
  const planOf = (headers: string[], targets: MappingTarget[], constants: RowFields = {}) =>
    createReadPlan(
      Object.fromEntries(targets.map((target, at) => [columnLetters(at + 1), target])),
      (column) => headers[column.charCodeAt(0) - 65] ?? '',
      (_index, header) => columnStyle(header, [], SETTINGS),
      { ...PLACE, ...constants },
    )
  const headers = (building: string, contents: string) => planOf([building, contents], ['building_value', 'contents_value'])
  test.each([
    ['Building (€)', 'Contents', 'EUR'],
    ['Building Value', 'Contents (EUR)', 'EUR'],
    ['Valeur du bâtiment ($ CA)', 'Contenu', 'CAD'],
    ['Building CA$', 'Contents', 'CAD'],
    ['Building Value GBP', 'Contents £', 'GBP'],
    ['Building US$', 'Contents', 'USD'],
  ])('is named by the headers %s and %s: %s', (building, contents, currency) => {
    const { fields, assumed, issues } = readRow([5, 7], headers(building, contents))
    expect([fields.currency, assumed, issues]).toEqual([currency, ['country'], []])
  })
  test('is assumed if only a dollar sign is written', () =>
    expect(readRow(['$5', 7], headers('Building ($)', 'Contents')).assumed).toEqual(['country', 'currency']))
  test('is named by an amount', () => expect(readRow(['€ 5', 7], headers('Building', 'Contents')).fields.currency).toBe('EUR'))
  test('is an error if the amounts are in two currencies', () =>
    expect(readRow([5, 7], headers('Building (€)', 'Contents (£)')).issues).toEqual([
      expect.objectContaining({
        code: 'mixed_currency',
        field: 'currency',
        severity: 'error',
        column: 'A',
        message: expect.stringContaining('in EUR and GBP') as string,
      }),
    ]))
  test('is an error if an amount with a dollar sign is next to one in another currency, unless a column names the currency', () => {
    const codes = (cells: (string | number)[], plan = headers('Building ($)', 'Contents (€)')) =>
      readRow(cells, plan).issues.map(({ code }) => code)
    expect([codes([5, 7]), codes(['$5', '€7'], headers('Building', 'Contents'))]).toEqual([['mixed_currency'], ['mixed_currency']])
    expect(codes([5, 7], headers('Building ($)', 'Contents (CAD)'))).toEqual([])
    expect(codes([5, 'EUR'], planOf(['Building ($)', 'Currency'], ['building_value', 'currency']))).toEqual([])
  })
  test('counts once for each of its amounts in a sum of the file', () => {
    const of = (cells: (string | number | null)[], plan = headers('Building', 'Contents')) => currenciesOfRow(readRow(cells, plan))
    expect(of(['€5', '£7'])).toEqual(['EUR', 'GBP'])
    expect(of(['€5', '€7'])).toEqual(['EUR'])
    expect(of([5, 7])).toEqual(['USD'])
    const chosen = planOf(['Building', 'Currency'], ['building_value', 'currency'], { currency: 'USD' })
    expect(of([5, 'EUR'], chosen)).toEqual(['EUR'])
    expect(of([5, 'EUR, GBP'], chosen)).toEqual(['USD'])
    const noted = { code: 'unknown_code', field: null, column: 'C', severity: 'warning', message: '', value: 'a, b' } as const
    expect(currenciesOfRow({ fields: { currency: 'CAD' }, issues: [noted] })).toEqual(['CAD'])
  })
  test('is an error if the user chose another one for the import', () => {
    const plan = planOf(['Building', 'Currency'], ['building_value', 'currency'], { currency: 'USD' })
    expect(readRow([5, 'EUR'], plan).issues.map(({ severity, code, column }) => `${severity} ${code} ${column}`)).toEqual([
      'error mixed_currency B',
    ])
    expect(readRow([5, null], plan).fields.currency).toBe('USD')
  })
})

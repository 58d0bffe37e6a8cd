import type { Import } from '#contract/imports.ts'
import { PROPERTY_DEFAULTS } from '#contract/property-fields.ts'
import type { PartCurrency } from '#server/features/imports/pipeline/map/column-currency.ts'
import { codesOfName, CURRENCY_OF_COUNTRY } from '#server/features/imports/pipeline/read/currency-signs.ts'
import { accountCurrency } from './account-currency.ts'
import { currenciesOf } from './summarize.ts'
import { countriesOfAmounts, unnamedCurrencies, type Tally } from './tally.ts'

/** A stated total that differs by less says that its parts are in its currency. */
const TOLERANCE = 0.01

/**
 * The currency that the columns without one may have instead of the one that the others name. Undefined if the account, the countries of the
 * rows or the total show that the named one is that of all columns, or if other amounts name a further one.
 */
function rivalCurrency(tally: Tally, { currency, named }: PartCurrency): string | undefined {
  const codes = codesOfName(currency)
  const own = accountCurrency(tally)
  if (codes.length === 0 || (own !== undefined && codes.includes(own)) || !isOnlyNamed(tally, [currency, ...codes])) return undefined
  const { stated = 0, 'stated parts': parts = 0 } = tally
  const isTotal = named.every(({ target }) => target === 'stated_tiv')
  if (isTotal && Math.abs(stated - parts) <= stated * TOLERANCE) return undefined
  const counts = new Map<string, number>()
  for (const [country, rows] of countriesOfAmounts(tally)) {
    const code = CURRENCY_OF_COUNTRY[country] ?? PROPERTY_DEFAULTS.currency
    counts.set(code, (counts.get(code) ?? 0) + rows)
  }
  const all = [...counts.values()].reduce((sum, rows) => sum + rows, 0)
  const local = codes.reduce((sum, code) => sum + (counts.get(code) ?? 0), 0)
  if (local * 2 >= all) return undefined
  const [usual] = [...counts].filter(([code]) => !codes.includes(code)).toSorted(([, a], [, b]) => b - a)
  return own ?? usual?.[0]
}

/** Whether all rows that name a currency name this one. */
function isOnlyNamed(tally: Tally, names: readonly string[]): boolean {
  const counts = currenciesOf(tally)
  const unnamed = unnamedCurrencies(tally).reduce((sum, [, rows]) => sum + rows, 0)
  const isUnnamed = (currency: string) => currency === PROPERTY_DEFAULTS.currency && (counts.get(currency) ?? 0) <= unnamed
  const isNamed = (currency: string) => names.includes(currency)
  return [...counts.keys()].some(isNamed) && [...counts.keys()].every((currency) => isNamed(currency) || isUnnamed(currency))
}

/** "column G" or "columns F, H" */
export const listColumns = (letters: readonly string[]): string => `${letters.length === 1 ? 'column' : 'columns'} ${letters.join(', ')}`

const listOf = (columns: readonly { column: string }[]): string => listColumns(columns.map(({ column }) => column))

/** Only some columns name a currency, which may not be that of the others. */
export function partCurrencyQuestion(tally: Tally, part: PartCurrency): Import['questions'] {
  const rival = rivalCurrency(tally, part)
  if (rival === undefined) return []
  const { currency, named, unnamed } = part
  const own = accountCurrency(tally)
  const without = `${listOf(unnamed)} ${unnamed.length === 1 ? 'names' : 'name'} no currency`
  const facts = `Some amounts are in ${currency} (${listOf(named)}), and ${without}.`
  if (own !== undefined) {
    const message = `${facts} The properties of this account are in ${own}. Import only the amounts without a currency, as ${own}?`
    return [{ constant: 'currency', suggestion: own, message, options: { [own]: `Yes, only these, as ${own}` } }]
  }
  const message = `${facts} Amounts in several currencies cannot be added up. Are all amounts in ${currency}?`
  const all = codesOfName(currency).map((code) => [code, `Yes, all in ${code}`] as const)
  const options = { ...Object.fromEntries(all), [rival]: `No, only those without one, as ${rival}` }
  return [{ constant: 'currency', suggestion: null, message, options }]
}

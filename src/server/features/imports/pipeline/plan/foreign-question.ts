import { COUNTRIES } from '#contract/countries.ts'
import { formatNumber, plural } from '#contract/format.ts'
import type { Import } from '#contract/imports.ts'
import { PROPERTY_DEFAULTS } from '#contract/property-fields.ts'
import { CURRENCY_OF_COUNTRY } from '#server/features/imports/pipeline/read/currency-signs.ts'
import { accountCurrency } from './account-currency.ts'
import { unnamedCurrencies, type Tally } from './tally.ts'

/**
 * Asks the user for the currency if the file does not name it, and the properties of the account are in another one than the usual one, or
 * at least half of the rows are in a country with another one.
 */
export function foreignQuestion(tally: Tally): Import['questions'] {
  const { currency: usual } = PROPERTY_DEFAULTS
  const unnamed = unnamedCurrencies(tally)
  const ask = (currency: string, reason: string): Import['questions'] => {
    const message = `The file does not name a currency, and ${reason}. Are the amounts in ${currency}?`
    return [
      { constant: 'currency', suggestion: currency, message, options: { [currency]: `Yes, in ${currency}`, [usual]: `No, in ${usual}` } },
    ]
  }
  const own = accountCurrency(tally)
  if (own !== undefined && own !== usual && unnamed.length > 0) return ask(own, `the properties of this account are in ${own}`)
  const all = tally['file rows'] ?? 0
  const [country, abroad] = unnamed.find(([code]) => CURRENCY_OF_COUNTRY[code] !== undefined) ?? ['', 0]
  const currency = CURRENCY_OF_COUNTRY[country]
  if (currency === undefined || abroad * 2 < all) return []
  return ask(currency, `${formatNumber(abroad)} of ${plural(all, 'row')} are in ${COUNTRIES[country] ?? country}`)
}

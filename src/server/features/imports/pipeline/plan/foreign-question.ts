import { COUNTRIES } from '#contract/countries.ts'
import { formatNumber, plural } from '#contract/format.ts'
import type { Import } from '#contract/imports.ts'
import { PROPERTY_DEFAULTS } from '#contract/property-fields.ts'
import { CURRENCY_OF_COUNTRY } from '#server/features/imports/pipeline/read/currency-signs.ts'
import { unnamedCurrencies, type Tally } from './tally.ts'

/** Asks the user for the currency if the file does not name it and at least half of its rows are in a country with another one. */
export function foreignQuestion(tally: Tally): Import['questions'] {
  const all = tally['file rows'] ?? 0
  const [country, abroad] = unnamedCurrencies(tally).find(([code]) => CURRENCY_OF_COUNTRY[code] !== undefined) ?? ['', 0]
  const currency = CURRENCY_OF_COUNTRY[country]
  if (currency === undefined || abroad * 2 < all) return []
  const share = `${formatNumber(abroad)} of ${plural(all, 'row')}`
  const message = `The file does not name a currency, and ${share} are in ${COUNTRIES[country] ?? country}. Are the amounts in ${currency}?`
  const { currency: usual } = PROPERTY_DEFAULTS
  return [
    { constant: 'currency', suggestion: currency, message, options: { [currency]: `Yes, in ${currency}`, [usual]: `No, in ${usual}` } },
  ]
}

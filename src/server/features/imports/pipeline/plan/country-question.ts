import { COUNTRIES } from '#contract/countries.ts'
import { formatNumber, plural } from '#contract/format.ts'
import type { Import } from '#contract/imports.ts'
import { PROPERTY_DEFAULTS } from '#contract/property-fields.ts'
import { CURRENCY_OF_COUNTRY } from '#server/features/imports/pipeline/read/currency-signs.ts'
import { LIKELY_IN, UNNAMED_COUNTRY } from './country-signs.ts'

/** The answer applies to all rows without a country. */
const NEARLY_ALL = 0.8

/** Rows abroad would all be errors, since they have no state. Asks the user for their country if nothing but the currency or the postal codes shows it. */
export function countryQuestion(constants: Readonly<Record<string, string>>, tally: Readonly<Record<string, number>>): Import['questions'] {
  if (constants['country'] !== undefined) return []
  const found = Object.entries(tally).flatMap(([key, count]): [string, number][] =>
    key.startsWith(LIKELY_IN) ? [[key.slice(LIKELY_IN.length), count]] : [],
  )
  const [first] = found.toSorted(([a, many], [b, more]) => more - many || (a < b ? -1 : 1))
  const [abroad, all] = [found.reduce((sum, [, count]) => sum + count, 0), tally[UNNAMED_COUNTRY] ?? 0]
  if (first === undefined || abroad < all * NEARLY_ALL) return []
  const [suggestion] = first
  const nameOf = (code: string) => COUNTRIES[code] ?? code
  const rows = `${formatNumber(abroad)} of ${plural(all, 'row')} without a country ${abroad === 1 ? 'has' : 'have'}`
  const message = `${rows} no US state, but a currency or a postal code of another country. Is ${nameOf(suggestion)} the country of all these rows?`
  const others = Object.keys(CURRENCY_OF_COUNTRY).toSorted((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1))
  const { country: usual } = PROPERTY_DEFAULTS
  const options = {
    [suggestion]: `Yes, ${nameOf(suggestion)}`,
    [usual]: `No, ${nameOf(usual)}`,
    ...Object.fromEntries(others.filter((code) => code !== suggestion).map((code) => [code, `No, ${nameOf(code)}`])),
  }
  return [{ constant: 'country', suggestion, message, options }]
}

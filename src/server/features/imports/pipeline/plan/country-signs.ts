import { PROPERTY_DEFAULTS } from '#contract/property-fields.ts'
import { CURRENCY_OF_COUNTRY } from '#server/features/imports/pipeline/read/currency-signs.ts'
import type { ReadRow } from '#server/features/imports/pipeline/validate/results.ts'

/** Postal codes that show their country. Those of five digits may be in the United States. */
const POSTAL_CODES: readonly [RegExp, string][] = [
  [/^\d{4} ?[a-z]{2}$/i, 'NL'],
  [/^\d{2}-\d{3}$/, 'PL'],
  [/^\d{4}-\d{3}$/, 'PT'],
  [/^[a-z]\d[\dw] ?[a-z\d]{4}$/i, 'IE'],
  [/^d-? ?\d{5}$/i, 'DE'],
  [/^f-? ?\d{5}$/i, 'FR'],
  [/^i-? ?\d{5}$/i, 'IT'],
  [/^e-? ?\d{5}$/i, 'ES'],
  [/^a-? ?\d{4}$/i, 'AT'],
  [/^b-? ?\d{4}$/i, 'BE'],
  [/^ch-? ?\d{4}$/i, 'CH'],
]
/** Words of street addresses in countries with the euro. */
const STREETS: readonly [RegExp, string][] = [
  [/stra(ss|ß)e\b|str\.|(weg|platz|allee)\b/i, 'DE'],
  [/\b(rue|chemin|quai|impasse|avenue (de|du|des))\b/i, 'FR'],
  [/\b(via|viale|piazza|corso)\b/i, 'IT'],
  [/\b(calle|avenida|plaza|paseo|pol[ií]gono)\b/i, 'ES'],
]
const EURO = 'EUR'
const DEFAULT_OF_EURO = 'DE'

/** Its dollars need a province, as those of the United States need a state. */
const CANADIAN = 'CAD'

/** Followed by the probable country: rows that name none and have no state of the default one. */
export const LIKELY_IN = 'no state, likely in '
export const UNNAMED_COUNTRY = 'country not named'

type Row = Pick<ReadRow, 'fields' | 'origin' | 'issues'>

/** What a row says about its country, to be counted. */
export function countrySigns({ fields, origin, issues }: Row): string[] {
  if (origin.country !== undefined || fields.country !== PROPERTY_DEFAULTS.country) return []
  const lacksState = issues.some(({ field, code }) => field === 'state' && (code === 'required_missing' || code === 'unknown_state'))
  const country = lacksState ? likelyCountry({ fields, issues }) : undefined
  return country === undefined ? [UNNAMED_COUNTRY] : [UNNAMED_COUNTRY, LIKELY_IN + country]
}

function likelyCountry({ fields, issues }: Pick<Row, 'fields' | 'issues'>): string | undefined {
  const code = issues.find(({ field }) => field === 'postal_code')?.value ?? fields.postal_code ?? ''
  const byCode = find(POSTAL_CODES, code.trim())
  const { currency } = fields
  if (byCode !== undefined || !currency || currency === PROPERTY_DEFAULTS.currency || currency === CANADIAN) return byCode
  if (currency === EURO) return find(STREETS, fields.address ?? '') ?? DEFAULT_OF_EURO
  return Object.keys(CURRENCY_OF_COUNTRY).find((country) => CURRENCY_OF_COUNTRY[country] === currency)
}

const find = (patterns: readonly [RegExp, string][], text: string) => patterns.find(([pattern]) => pattern.test(text))?.[1]

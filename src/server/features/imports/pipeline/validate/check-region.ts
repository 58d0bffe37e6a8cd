import { PROPERTY_DEFAULTS } from '#contract/property-fields.ts'
import { CA_PROVINCES, isPostalCodeOfProvince, isStateOf, stateFromText, stateName, stateOfZip } from '#contract/regions.ts'
import { isBritishCode } from '#server/engines/address/british-address.ts'
import { withoutDecimals } from '#server/features/imports/pipeline/read/cells.ts'
import { countryOfState } from './foreign-states.ts'
import { addIssue, type ReadRow } from './results.ts'

/**
 * Checks country, state and postal code together, before the default country is filled in.
 * @param stateHeader the header of the column with the state, as words
 */
export function checkRegion(row: ReadRow, stateHeader = ''): void {
  const inferred = row.fields.country ? undefined : (countryOfState(stateHeader, row.fields.state ?? '') ?? inferredCountry(row))
  if (inferred !== undefined) row.fields.country = inferred
  checkState(row)
  checkPostalCode(row)
}

/** Currencies of one country. The dollars of the United States and the euro are those of several. */
const COUNTRY_OF_CURRENCY: Readonly<Record<string, string>> = Object.fromEntries(
  'GBP GB, CHF CH, AUD AU, NZD NZ, MXN MX, JPY JP, SEK SE, NOK NO, DKK DK, PLN PL, BRL BR, HKD HK, SGD SG'
    .split(', ')
    .map((pair) => pair.split(' ')),
)

/** The country of a row that names none, and no state or province, by its postal code, otherwise by the currency that its amounts name. */
function inferredCountry({ fields: { state, postal_code, currency } }: ReadRow): string | undefined {
  if (state && (stateFromText(state) ?? stateFromText(state, 'CA')) !== undefined) return undefined
  if (isBritishCode(postal_code ?? '')) return 'GB'
  return COUNTRY_OF_CURRENCY[currency ?? '']
}

function checkState(row: ReadRow): void {
  const { fields } = row
  const text = fields.state
  if (text === undefined || text === null) return
  const country = fields.country ?? PROPERTY_DEFAULTS.country
  const code = stateFromText(text, country)
  if (code !== undefined && isStateOf(code, country)) {
    fields.state = code
    return
  }
  const province = fields.country ? undefined : stateFromText(text, 'CA')
  if (province !== undefined) {
    fields.state = province
    fields.country = 'CA'
    return
  }
  if (country !== 'US' && country !== 'CA') return
  delete fields.state
  const [region, example] = country === 'US' ? ['US state', 'CA'] : ['Canadian province', 'ON']
  const message = `“${text}” is not a ${region}. Type the two-letter code, such as ${example}.`
  addIssue(row, 'state', text, { code: 'unknown_state', severity: 'error', message })
}

function checkPostalCode(row: ReadRow): void {
  const { fields } = row
  const text = fields.postal_code
  if (text === undefined || text === null) return
  const country = fields.country ?? PROPERTY_DEFAULTS.country
  if (country !== 'US' && country !== 'CA') return
  const code = country === 'US' ? zipFrom(text) : canadianCodeFrom(text)
  if (code === undefined) {
    delete fields.postal_code
    const [name, example] =
      country === 'US' ? ['ZIP code', 'five digits such as 92123, or ZIP+4'] : ['Canadian postal code', 'a code such as M5H 1A1']
    const message = `“${text}” is not a ${name}, so the field stays empty. Type ${example}.`
    addIssue(row, 'postal_code', text, { code: 'bad_postal_code', severity: 'warning', message })
    return
  }
  fields.postal_code = code
  const message = fields.state ? stateMismatch(code, fields.state, country) : undefined
  if (message !== undefined) addIssue(row, 'postal_code', code, { code: 'state_zip_mismatch', severity: 'warning', message })
}

/** Spreadsheets drop leading zeros. */
function zipFrom(text: string): string | undefined {
  const digits = withoutDecimals(text).replace(/\s/g, '')
  if (/^\d{3,5}$/.test(digits)) return digits.padStart(5, '0')
  const plusFour = /^(\d{4,5})-?(\d{4})$/.exec(digits)
  return plusFour ? `${(plusFour[1] ?? '').padStart(5, '0')}-${plusFour[2]}` : undefined
}

function canadianCodeFrom(text: string): string | undefined {
  const compact = text.toUpperCase().replace(/[^A-Z0-9]/g, '')
  return /^[A-Z]\d[A-Z]\d[A-Z]\d$/.test(compact) ? `${compact.slice(0, 3)} ${compact.slice(3)}` : undefined
}

function stateMismatch(code: string, state: string, country: 'US' | 'CA'): string | undefined {
  if (country === 'CA')
    return Object.hasOwn(CA_PROVINCES, state) && !isPostalCodeOfProvince(code, state)
      ? `Postal code ${code} is not in ${stateName(state)}. Correct the code or the province.`
      : undefined
  const states = stateOfZip(code)
  if (states?.includes(state)) return undefined
  const where = states ? `is in ${states.map(stateName).join(' or ')}, not in ${stateName(state)}` : 'is not in use in any state'
  return `ZIP ${code} ${where}. Correct the ZIP or the state.`
}

import { CHECK_DEFAULTS } from '#contract/checks.ts'
import { formatNumber } from '#contract/format.ts'
import { PROPERTY_DEFAULTS, propertyField, type PropertyFieldName } from '#contract/property-fields.ts'
import { isPlaceholderAddress } from '#server/engines/address/address-keys.ts'
import { hasHouseName } from '#server/engines/address/british-address.ts'
import { checkCoordinates } from './check-coordinates.ts'
import { checkRegion } from './check-region.ts'
import { missingPart } from './read-parts.ts'
import { addIssue, tivOf, type ReadRow, type RowIssue } from './results.ts'

/** Checks what can only be checked for a row as a whole, and fills in country and currency. Adds its issues to the row. */
export function checkRow(row: ReadRow, stateHeader: string | undefined): void {
  checkRegion(row, stateHeader)
  checkCoordinates(row)
  for (const field of ['country', 'currency'] as const) {
    if (row.fields[field]) continue
    row.fields[field] = PROPERTY_DEFAULTS[field]
    row.assumed.push(field)
  }
  checkRequired(row)
  checkStreet(row)
  checkYears(row)
  checkStatedTotal(row)
}

const REQUIRED = ['address', 'city', 'state'] as const satisfies readonly PropertyFieldName[]

/** Only addresses in the United States and Canada need a state. */
export const requiredIn = (country: string) =>
  country === 'US' || country === 'CA' ? REQUIRED : REQUIRED.filter((name) => name !== 'state')

function checkRequired(row: ReadRow): void {
  const { fields } = row
  for (const field of requiredIn(fields.country ?? PROPERTY_DEFAULTS.country)) {
    const isReported = row.issues.some((issue) => issue.severity === 'error' && (issue.field === field || issue.code === 'address_parts'))
    if (fields[field] || isReported) continue
    const message =
      missingPart(row, field) ??
      `${propertyField(field).label} is missing. Type it${field === 'address' ? ' or map the column that holds it.' : ', map the column that holds it, or set one value for all rows.'}`
    addIssue(row, field, null, { code: 'required_missing', severity: 'error', message })
  }
}

function checkStreet(row: ReadRow): void {
  const { address } = row.fields
  if (!address) return
  const warn = (code: RowIssue['code'], message: string) => addIssue(row, 'address', address, { code, severity: 'warning', message })
  if (isPlaceholderAddress(address))
    warn('placeholder_value', `“${address}” is not a street address. Type the street and the house number.`)
  else if (/^p\.?\s?o\.?\s?box\b/i.test(address))
    warn('address_parts', `“${address}” is a post office box. Type the street address of the building.`)
  else if (!/\d/.test(address) && !hasHouseName(address, row.fields))
    warn('address_parts', `“${address}” has no house number. Type it if there is one.`)
}

function checkYears(row: ReadRow): void {
  const { year_built: built, year_upgraded: renovated } = row.fields
  if (!built || !renovated || renovated >= built) return
  const message = `Renovated in ${renovated}, before it was built in ${built}. Correct one of the two years.`
  addIssue(row, 'year_upgraded', renovated, { code: 'out_of_range', severity: 'warning', message })
}

export function checkStatedTotal(row: ReadRow): void {
  const stated = row.fields.stated_tiv ?? 0
  const sum = tivOf(row.fields)
  if (stated <= 0 || sum === 0 || Math.abs(stated - sum) <= Math.max(1, CHECK_DEFAULTS.statedTotalTolerance * sum)) return
  const message = `The stated total ${formatNumber(stated)} differs from the sum of its parts ${formatNumber(sum)}. Correct a part, or map the column of a part that is missing; the sum is what counts.`
  addIssue(row, 'stated_tiv', stated, { code: 'total_differs', severity: 'warning', message })
}

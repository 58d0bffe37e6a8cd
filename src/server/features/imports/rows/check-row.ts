import { CHECK_DEFAULTS } from '#contract/limits.ts'
import { propertyField, TIV_PARTS, type PropertyFieldName } from '#contract/property-fields.ts'
import { isPlaceholderAddress } from '#server/engines/address/address-keys.ts'
import type { ReadRow, RowFields, RowIssue } from './row-fields.ts'

const REQUIRED = ['address', 'city', 'state'] as const satisfies readonly PropertyFieldName[]

const ASSUMED = [
  ['country', 'US'],
  ['currency', 'USD'],
] as const

/** The total insured value the row's parts add up to. */
export const tivOf = (fields: RowFields): number => TIV_PARTS.reduce((sum, part) => sum + (fields[part] ?? 0), 0)

export const hasError = (issues: readonly RowIssue[]): boolean => issues.some(({ severity }) => severity === 'error')

/** What a row must say, and what in it disagrees with itself. */
export function checkRow(row: ReadRow): void {
  const { fields } = row
  const warn = (field: PropertyFieldName, code: RowIssue['code'], message: string, value: unknown) =>
    row.issues.push({ column: row.origin[field] ?? null, field, code, severity: 'warning', message, value: String(value) })
  for (const [field, value] of ASSUMED) {
    if (fields[field]) continue
    fields[field] = value
    row.assumed.push(field)
  }
  checkRequired(row)
  if (fields.address) checkStreet(fields.address, warn)
  if (fields.year_built && fields.year_upgraded && fields.year_upgraded < fields.year_built) {
    warn(
      'year_upgraded',
      'out_of_range',
      `Renovated in ${fields.year_upgraded}, before it was built in ${fields.year_built}. Correct one of the two years.`,
      fields.year_upgraded,
    )
  }
  const stated = fields.stated_tiv ?? 0
  const parts = tivOf(fields)
  if (stated > 0 && Math.abs(stated - parts) > Math.max(1, CHECK_DEFAULTS.statedTotalTolerance * parts)) {
    warn(
      'stated_tiv',
      'out_of_range',
      `The stated total ${money(stated)} differs from the sum of its parts ${money(parts)}. Correct a part; the sum is what counts.`,
      stated,
    )
  }
}

const money = (value: number) => value.toLocaleString('en-US')

function checkRequired(row: ReadRow): void {
  const { fields } = row
  const needed = fields.country === 'US' || fields.country === 'CA' ? REQUIRED : REQUIRED.filter((name) => name !== 'state')
  for (const field of needed) {
    const isReported = row.issues.some((issue) => issue.severity === 'error' && (issue.field === field || issue.code === 'address_parts'))
    if (fields[field] || isReported) continue
    const { label } = propertyField(field)
    row.issues.push({
      column: row.origin[field] ?? null,
      field,
      code: 'required_missing',
      severity: 'error',
      message: `${label} is missing. Type it, map the column that holds it, or set one value for all rows.`,
      value: null,
    })
  }
}

function checkStreet(
  address: string,
  warn: (field: PropertyFieldName, code: RowIssue['code'], message: string, value: unknown) => void,
): void {
  if (isPlaceholderAddress(address))
    warn('address', 'placeholder_value', `“${address}” is no street address. Type the street and the house number.`, address)
  else if (/^p\.?\s?o\.?\s?box\b/i.test(address))
    warn('address', 'address_parts', `“${address}” is a post office box. Type the street address of the building.`, address)
  else if (!/\d/.test(address)) warn('address', 'address_parts', `“${address}” has no house number. Type it if there is one.`, address)
}

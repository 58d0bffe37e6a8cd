import { PROPERTY_DEFAULTS } from '#contract/property-fields.ts'
import type { RegisterRow } from '#server/features/imports/pipeline/match/register-index.ts'
import { requiredIn } from '#server/features/imports/pipeline/validate/check-row.ts'
import type { RowFields, RowIssue } from '#server/features/imports/pipeline/validate/results.ts'
import type { PlannedRow } from './planned-row.ts'

/**
 * Removes the errors about parts of the place that a row lacks and its property has, since an empty cell leaves the value of the register.
 * @param properties the property of the row, or those among which the user decides
 */
export function acceptKnownPlace(row: PlannedRow, properties: readonly RegisterRow[]): void {
  const isKnown = ({ code, field }: RowIssue) =>
    UNKNOWN.has(code) && field !== null && properties.every(({ values }) => !lacks(field, row, values))
  if (properties.length > 0) row.issues = row.issues.filter((issue) => !isKnown(issue))
}

const UNKNOWN: ReadonlySet<string> = new Set<RowIssue['code']>(['required_missing', 'heading_state', 'heading_city'])

/** Whether the property would be without a required field. The country of the row counts only if the file names it. */
function lacks(field: NonNullable<RowIssue['field']>, { fields, assumed }: PlannedRow, values: RowFields): boolean {
  const country = (assumed.includes('country') ? values.country : fields.country) ?? PROPERTY_DEFAULTS.country
  return !values[field] && requiredIn(country).some((name) => name === field)
}

const PLACE = ['address', 'city', 'state', 'postal_code'] as const

/** Says why a row with nothing but a number and values needs an address: no property has its number. */
export function explainNewPlace({ fields, issues }: PlannedRow): void {
  const { location_number: number } = fields
  if (!number || PLACE.some((name) => fields[name])) return
  const missing = issues.find(({ code, field }) => code === 'required_missing' && field === 'address')
  if (missing)
    missing.message = `The register has no location ${number} to update, and a new property needs an address. Correct the number, or type the address or map the column that holds it.`
}

import type { FieldErrors } from '#contract/error-kinds.ts'
import { PROPERTY_DEFAULTS, PROPERTY_FIELD_NAMES, type PropertyValues } from '#contract/property-fields.ts'
import { FLOOD_ZONES } from '#contract/property-vocabularies.ts'
import { isStateOf } from '#contract/regions.ts'
import type { Patch } from '#server/engines/record/define-record.ts'

const US_ZIP = /^\d{5}(-\d{4})?$/
const CA_CODE = /^[A-Z]\d[A-Z] \d[A-Z]\d$/
const PROTECTION = /^(8B|(10|[1-9])[XYW]?(\/(10|[1-9])[XYW]?)?)$/

/** The errors of a property as a whole, by field; empty if it is valid. */
export function propertyErrors(values: PropertyValues): FieldErrors {
  const errors: FieldErrors = {}
  const addError = (field: keyof PropertyValues, message: string) => (errors[field] ??= []).push(message)
  if (!values.address) addError('address', 'Street address is required.')
  if (!values.city) addError('city', 'City is required.')
  placeErrors(values, addError)
  if ((values.latitude === null) !== (values.longitude === null))
    addError('latitude', 'Please enter both latitude and longitude, or neither.')
  if (values.latitude === 0 && values.longitude === 0)
    addError('latitude', 'The point 0, 0 is in the sea. Please enter the real position or none.')
  for (const field of ['year_upgraded', 'wiring_year', 'plumbing_year', 'hvac_year', 'roof_year'] as const) {
    const year = values[field]
    if (year !== null && values.year_built !== null && year < values.year_built) addError(field, 'This year lies before the year built.')
  }
  if (values.protection_class && !PROTECTION.test(values.protection_class))
    addError('protection_class', 'Please enter a class from 1 to 10, such as 3 or 3/3X.')
  if (values.flood_zone && !FLOOD_ZONES.includes(values.flood_zone)) addError('flood_zone', 'Please choose a FEMA flood zone.')
  percentErrors(values, addError)
  return errors
}

type AddError = (field: keyof PropertyValues, message: string) => void

function placeErrors({ country, state, postal_code }: PropertyValues, addError: AddError): void {
  if (country !== 'US' && country !== 'CA') return
  if (!state) addError('state', 'State is required.')
  else if (!isStateOf(state, country)) addError('state', 'Please use the two-letter code, such as CA.')
  if (postal_code && !(country === 'US' ? US_ZIP : CA_CODE).test(postal_code)) {
    addError('postal_code', country === 'US' ? 'A ZIP code has five digits, or five and four.' : 'A postal code looks like K1A 0B1.')
  }
}

function percentErrors({ sprinklered, percent_sprinklered: percent }: PropertyValues, addError: AddError): void {
  if (percent === null) return
  if (sprinklered === 'none' && percent !== 0) addError('percent_sprinklered', 'Without sprinklers this is 0.')
  if (sprinklered === 'full' && percent !== 100) addError('percent_sprinklered', 'With full protection this is 100.')
  if (sprinklered === 'partial' && (percent < 1 || percent > 99))
    addError('percent_sprinklered', 'Partial protection lies between 1 and 99.')
}

/** The sent values as stored: a state in capitals, and the default for a field that was emptied. */
export function withDefaults(sent: Patch<PropertyValues>): Partial<PropertyValues> {
  const defaults: Partial<PropertyValues> = PROPERTY_DEFAULTS
  const filled = PROPERTY_FIELD_NAMES.filter((name) => sent[name] !== undefined).map((name) => [name, sent[name] ?? defaults[name] ?? null])
  const values = Object.fromEntries(filled) as Partial<PropertyValues> // the sent fields, none undefined
  return values.state ? { ...values, state: values.state.toUpperCase() } : values
}

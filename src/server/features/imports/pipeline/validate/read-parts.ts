import { SPLIT_TARGETS, type SplitTarget } from '#contract/import-inputs.ts'
import { IMPORT_READ_CHARACTERS } from '#contract/reading-limits.ts'
import { propertyField } from '#contract/property-fields.ts'
import { splitCityStateZip, splitCodeAndCity, splitFullAddress, splitStreetAndCity } from '#server/engines/address/split-full-address.ts'
import { isDateOfNumber, numberOfDate } from './ambiguous-texts.ts'
import { setField, type ReadRow, type RowFields } from './results.ts'

const ADDRESS_PARTS = ['address', 'address_2', 'city', 'county', 'state', 'postal_code', 'country'] as const
const NUMBER_PARTS = ['location_number', 'building_number'] as const

const LOCATION_BUILDING = /^(.*[\p{L}\p{N}])\s*[./-]\s*(\p{N}{1,3}\p{L}?)$/u

/** `12.1`, `12-1` and `12/1` are location 12, building 1. */
function splitLocationBuilding(text: string): RowFields {
  if (isDateOfNumber(text)) return { location_number: text }
  const [, location, building] = LOCATION_BUILDING.exec(text) ?? []
  return location === undefined || building === undefined
    ? { location_number: text }
    : { location_number: location, building_number: building }
}

/** Where a schedule has no column for the city, an address is read without a state, too. */
export const splitAddress = (text: string) => splitFullAddress(text) ?? splitStreetAndCity(text)

/** City and state, or a postal code before its city. */
export const splitPlace = (text: string) => splitCityStateZip(text) ?? splitCodeAndCity(text)

const streetOrWhole = (text: string) => splitFullAddress(text) ?? (/\d/.test(text) ? { address: text } : undefined)

/**
 * The values in one cell of a column that is split; undefined if it cannot be split.
 * @param hasCity whether another column has the city: an address without a state is only the street then
 */
export function splitParts(target: SplitTarget, text: string, hasCity = false): RowFields | undefined {
  if (text.length > IMPORT_READ_CHARACTERS) return undefined
  const found: Readonly<Partial<Record<(typeof ADDRESS_PARTS | typeof NUMBER_PARTS)[number], string | null>>> | undefined =
    target === 'full_address'
      ? hasCity
        ? streetOrWhole(text)
        : splitAddress(text)
      : target === 'city_state_zip'
        ? splitPlace(text)
        : target === 'house_number'
          ? { address: text }
          : splitLocationBuilding(text)
  if (!found) return undefined
  const fields: RowFields = {}
  for (const name of [...ADDRESS_PARTS, ...NUMBER_PARTS]) {
    const value = found[name]
    if (typeof value === 'string') setField(fields, name, value)
  }
  return fields
}

/** The first values of a column as they are split, each with its parts separated by `|`. */
export const splitSamples = (target: SplitTarget, samples: readonly string[], numberDates?: string): string[] =>
  samples.map((text) => {
    const isAnswered = target === 'location_building' && (numberDates === 'month_day' || numberDates === 'day_month')
    const number = isAnswered ? numberOfDate(text, numberDates) : undefined
    return Object.values(splitParts(target, number ?? text) ?? {}).join(' | ') || `${text}: cannot be split`
  })

/** Reads a cell whose parts are several fields. Columns that contain one of them only come first. */
export function readParts(
  target: SplitTarget,
  text: string,
  { column, hasCity }: { column: string; hasCity: boolean },
  row: ReadRow,
  derived: RowFields,
): void {
  if (text === '') return
  const parts = splitParts(target, text, hasCity)
  if (!parts) {
    const message = splitProblem(target, text, column)
    row.issues.push({
      column,
      field: target === 'full_address' ? 'address' : 'city',
      value: text,
      code: 'address_parts',
      severity: 'error',
      message,
    })
    return
  }
  Object.assign(derived, parts)
  for (const name of [...ADDRESS_PARTS, ...NUMBER_PARTS]) if (name in parts) row.origin[name] = column
}

function splitProblem(target: SplitTarget, text: string, column: string): string {
  const other = otherSplit(target, text)
  if (other !== undefined)
    return `${other} Map column ${column} to “${SPLIT_TARGETS[target === 'full_address' ? 'city_state_zip' : 'full_address'].label}”.`
  return target === 'full_address'
    ? `“${text}” cannot be split into street, city, state and ZIP. Separate the parts with commas, as in “100 Main St, Fresno, CA 93721”.`
    : `“${text}” cannot be split into city, state and ZIP. Type it as in “Fresno, CA 93721”.`
}

function otherSplit(target: SplitTarget, text: string): string | undefined {
  if (target === 'full_address') return splitCityStateZip(text) && `“${text}” contains city and state, but no street.`
  return splitFullAddress(text) && `“${text}” also contains the street.`
}

/** Why city or state are missing, if one cell contains several parts of the address; undefined if they come from a constant. */
export function missingPart({ fields, origin }: ReadRow, field: 'address' | 'city' | 'state'): string | undefined {
  const { address, city } = fields
  const label = propertyField(field).label
  const advice = (text: string, column: string, target: SplitTarget) =>
    `${label} is missing, but “${text}” contains it. Map column ${column} to “${SPLIT_TARGETS[target].label}”, which splits it.`
  if (field !== 'address' && address && origin.address !== undefined) {
    if (splitFullAddress(address)) return advice(address, origin.address, 'full_address')
    if (splitCityStateZip(address)) return advice(address, origin.address, 'city_state_zip')
  }
  if (field === 'state' && city && origin.city !== undefined && splitCityStateZip(city)) return advice(city, origin.city, 'city_state_zip')
  return undefined
}

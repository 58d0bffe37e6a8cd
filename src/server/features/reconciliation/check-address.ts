import { choiceLabel } from '#contract/property-fields.ts'
import { stateBox, stateName, stateOfZip, type RegionBox } from '#contract/regions.ts'
import { hasHouseName } from '#server/engines/address/british-address.ts'
import { draft, side, type CheckContext, type CheckedProperty, type Draft } from './check.ts'

/** Perhaps with a number and a street suffix: "1 Unknown St". */
const PLACEHOLDER =
  /^\d*\s*(tbd|tba|various|n\/?a|x+|none|unknown|unk|see (below|attached)|to be (determined|advised|announced|confirmed)|-+|\.+|\?+)(\s+(st|street|ave|road|rd)\.?)?$/i
const ZIP = /^\d{5}(-\d{4})?$/
const PO_BOX = /\bp\.?\s*o\.?\s*box\b/i

/** A house number, perhaps as a word ("One Lakeshore Center"), or the note that there is none ("NHN"). */
const NUMBER = /\d|^(one|two|three|four|five|six|seven|eight|nine|ten|nhn)\b/i
/** Two streets, which locate a place as well: "Niagara & Riverway Sts". */
const CROSSING = /&|@|\b(and|at)\b/i
const STREET = /\b(sts?|streets?|aves?|avenues?|rds?|roads?|blvd|hwy|highway|dr|drive|ln|lane|way)\b/i
const isLocated = (street: string) => NUMBER.test(street.trim()) || (CROSSING.test(street) && STREET.test(street))

const isBlank = (value: string | null) => value === null || value.trim() === ''
export const isPlaceholder = (value: string | null) => isBlank(value) || PLACEHOLDER.test((value ?? '').trim())

/** DQ-01: a surveyor could not find the building by this address. */
export function* incompleteAddress({ address, address_2, city, postal_code, country }: CheckedProperty): Generator<Draft> {
  if (isPlaceholder(address)) {
    const problem = isBlank(address) ? 'Street address is empty' : `Street address "${address}" is a placeholder`
    yield draft('address', address, problem, 'Enter the house number and the street.', { level: 'raised' })
  } else if (PO_BOX.test(address)) {
    const problem = `Street address "${address}" is a PO box, not a place that can be insured`
    yield draft('address', address, problem, 'Enter the street address of the building.')
  } else if (!isLocated(address) && !hasHouseName(address, { country, address_2 })) {
    yield draft('address', address, `Street address "${address}" has no house number`, 'Add the house number.')
  }
  if (isPlaceholder(city)) yield draft('city', city, 'City is missing', 'Enter the city.', { level: 'raised' })
  if (isPlaceholder(postal_code)) yield draft('postal_code', postal_code, 'ZIP / postal code is missing', 'Enter the ZIP or postal code.')
  else if (country === 'US' && postal_code !== null && !ZIP.test(postal_code))
    yield draft('postal_code', postal_code, `"${postal_code}" is not a ZIP code`, 'Enter the five digits of the ZIP.')
}

/** DQ-02, for addresses in the United States. An invalid ZIP is reported by DQ-01. */
export function* stateZipMismatch({ id, country, state, postal_code }: CheckedProperty): Generator<Draft> {
  if (country !== 'US' || state === null || postal_code === null || !ZIP.test(postal_code)) return
  const states = stateOfZip(postal_code) ?? []
  if (states.includes(state)) return
  const names = states.map(stateName).join(' or ')
  const problem =
    names === ''
      ? `ZIP ${postal_code} is not in use, so it does not lie in ${stateName(state)}`
      : `ZIP ${postal_code} lies in ${names}, the state says ${stateName(state)}`
  const identity = `${id} ${state} ${postal_code}`
  const right = side('postal_service', names)
  yield draft('postal_code', postal_code, problem, 'Correct the ZIP or the state.', names === '' ? { identity } : { identity, right })
}

/** DQ-08: at most one finding, with the simplest reason. */
export function* inexactLocation(property: CheckedProperty, { numbers }: CheckContext): Generator<Draft> {
  const { latitude, longitude, geocode_level, country, state } = property
  if (latitude === null || longitude === null) {
    const problem = 'Latitude and longitude are missing, so the property is not on the map'
    yield draft('latitude', null, problem, 'Enter latitude and longitude.')
    return
  }
  const box = country === 'US' && state !== null ? stateBox(state) : undefined
  if (box !== undefined && !isInside(latitude, longitude, box)) {
    const position = `${latitude}, ${longitude}`
    const problem = `The position ${position} lies outside ${stateName(state ?? '')}`
    yield draft('latitude', position, problem, 'Check for swapped or mistyped coordinates.')
  } else if (geocode_level !== null && Number(geocode_level) >= numbers.coarseGeocodeFrom) {
    const accuracy = choiceLabel('geocode_level', geocode_level).toLowerCase()
    const remedy = 'Enter the latitude and longitude of the building.'
    yield draft('geocode_level', geocode_level, `Location accuracy is only "${accuracy}"`, remedy)
  }
}

const isInside = (latitude: number, longitude: number, { south, north, west, east }: RegionBox) =>
  latitude >= south && latitude <= north && longitude >= west && longitude <= east

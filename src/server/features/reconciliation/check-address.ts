import { GEOCODE_LEVELS } from '#contract/property-vocabularies.ts'
import { stateBox, stateName, stateOfZip, type RegionBox } from '#contract/regions.ts'
import type { CheckContext } from './check-rules.ts'
import type { CheckedProperty } from './checked-property.ts'
import type { Draft } from './finding.ts'

const PLACEHOLDER = /^(tbd|tba|various|n\/?a|x+|none|unknown|unk|see (below|attached)|-+|\.+|\?+)$/i
const ZIP = /^\d{5}(-\d{4})?$/
const PO_BOX = /\bp\.?\s*o\.?\s*box\b/i

const isBlank = (value: string | null) => value === null || value.trim() === ''
const isPlaceholder = (value: string | null) => isBlank(value) || PLACEHOLDER.test((value ?? '').trim())

/** DQ-01: a surveyor could not drive there. */
export function incompleteAddress({ address, city, postal_code, country }: CheckedProperty): Draft[] {
  const drafts: Draft[] = []
  if (isPlaceholder(address)) {
    const problem = isBlank(address) ? 'Street address is empty' : `Street address "${address}" is a placeholder`
    drafts.push({ field: 'address', value: address, level: 'raised', problem, remedy: 'Enter the house number and the street.' })
  } else if (PO_BOX.test(address)) {
    const problem = `Street address "${address}" is a PO box, not a place that can be insured`
    drafts.push({ field: 'address', value: address, level: 'usual', problem, remedy: 'Enter the street address of the building.' })
  } else if (!/\d/.test(address)) {
    const problem = `Street address "${address}" has no house number`
    drafts.push({ field: 'address', value: address, level: 'usual', problem, remedy: 'Add the house number.' })
  }
  if (isPlaceholder(city))
    drafts.push({ field: 'city', value: city, level: 'raised', problem: 'City is missing', remedy: 'Enter the city.' })
  if (isPlaceholder(postal_code))
    drafts.push({
      field: 'postal_code',
      value: postal_code,
      level: 'usual',
      problem: 'ZIP / postal code is missing',
      remedy: 'Enter the ZIP or postal code.',
    })
  else if (country === 'US' && postal_code !== null && !ZIP.test(postal_code))
    drafts.push({
      field: 'postal_code',
      value: postal_code,
      level: 'usual',
      problem: `"${postal_code}" is not a ZIP code`,
      remedy: 'Enter the five digits of the ZIP.',
    })
  return drafts
}

/** DQ-02, for addresses in the United States; a ZIP that cannot be read is DQ-01's. */
export function stateZipMismatch({ id, country, state, postal_code }: CheckedProperty): Draft[] {
  if (country !== 'US' || state === null || postal_code === null || !ZIP.test(postal_code)) return []
  const states = stateOfZip(postal_code) ?? []
  if (states.includes(state)) return []
  const names = states.map(stateName).join(' or ')
  return [
    {
      field: 'postal_code',
      value: postal_code,
      ...(names !== '' && { right: { source: 'postal_service', value: names, as_of: null, ref: null } }),
      level: 'usual',
      problem:
        names === ''
          ? `ZIP ${postal_code} is not in use, so it does not lie in ${stateName(state)}`
          : `ZIP ${postal_code} lies in ${names}, the state says ${stateName(state)}`,
      remedy: 'Correct the ZIP or the state.',
      identity: `${id} ${state} ${postal_code}`,
    },
  ]
}

const geocodeLabels: Readonly<Record<string, string>> = GEOCODE_LEVELS

/** DQ-08: at most one finding, the plainest reason first. */
export function inexactLocation(property: CheckedProperty, { rules }: CheckContext): Draft[] {
  const { latitude, longitude, geocode_level, country, state } = property
  if (latitude === null || longitude === null)
    return [
      {
        field: 'latitude',
        value: null,
        level: 'usual',
        problem: 'Latitude and longitude are missing, so the property is not on the map',
        remedy: 'Enter the position or place the pin on the map.',
      },
    ]
  const position = `${latitude}, ${longitude}`
  const box = country === 'US' && state !== null ? stateBox(state) : undefined
  if (box !== undefined && !isInside(latitude, longitude, box))
    return [
      {
        field: 'latitude',
        value: position,
        level: 'usual',
        problem: `The position ${position} lies outside ${stateName(state ?? '')}`,
        remedy: 'Check for swapped or mistyped coordinates, or move the pin.',
      },
    ]
  if (geocode_level !== null && Number(geocode_level) >= rules.numbers.coarseGeocodeFrom) {
    const accuracy = (geocodeLabels[geocode_level] ?? geocode_level).toLowerCase()
    return [
      {
        field: 'geocode_level',
        value: geocode_level,
        level: 'usual',
        problem: `Location accuracy is only "${accuracy}"`,
        remedy: 'Geocode the address again or move the pin to the building.',
      },
    ]
  }
  return []
}

const isInside = (latitude: number, longitude: number, { south, north, west, east }: RegionBox) =>
  latitude >= south && latitude <= north && longitude >= west && longitude <= east

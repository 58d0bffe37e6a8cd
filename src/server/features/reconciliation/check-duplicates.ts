import { DUPLICATE_CANDIDATES_MAX } from '#contract/limits.ts'
import { propertyTitle } from '#contract/property-format.ts'
import { normalizeStreet } from '#server/engines/address/normalize-street.ts'
import { draft, side, tivOf, type CheckContext, type ComparedProperty, type Draft } from './check.ts'
import { mapGrid } from './map-grid.ts'

/** Two properties can only be duplicates with one of the first three; the others add to it or count against it. */
const POINTS = {
  ...({ strongAddress: 50, weakAddress: 35, samePosition: 35, nearby: 25 } as const),
  ...({ building: 20, value: 15, name: 10, area: 5, twin: 20 } as const),
  ...({ otherValue: -15, otherArea: -15, otherName: -10, otherCode: -5, otherReference: -20 } as const),
} as const

interface Similarity {
  score: number
  reasons: string[]
}

/** The key of a pair of properties, in any order. */
export const pairKey = (one: string, other: string) => (one < other ? `${one} ${other}` : `${other} ${one}`)

/** What the comparison of one property with others reads, computed once. */
interface Entry {
  property: ComparedProperty
  building: string
  /** The name in lower case; empty if it is only the location number. */
  name: string
  /** The numbers and single letters of the name, "5 b": two buildings of one site differ in them. */
  designators: string
  tiv: number
}

const normalize = (text: string | null) => (text ?? '').trim().toLowerCase().replace(/\s+/g, ' ')

function entryOf(property: ComparedProperty): Entry {
  const { building_number, property_name, location_number } = property
  const location = normalize(location_number)
  const words = normalize(property_name).split(/[^\p{L}\p{N}]+/u)
  const own = words.filter((word) => word !== '' && word !== location && !location.endsWith(`_${word}`))
  return {
    property,
    building: normalize(building_number),
    name: own.join(' '),
    designators: own.filter((word) => /\d|^[a-z]$/.test(word)).join(' '),
    tiv: tivOf(property),
  }
}

const isSame = <T extends string | number>(one: T | null, other: T | null) => one !== null && one === other
const isOther = <T extends string | number>(one: T | null, other: T | null) => one !== null && other !== null && one !== other
/** Every row without a building number of its own has this one. */
const DEFAULT_BUILDING = '1'

type Place = Similarity & { isAddress: boolean }

/** The points for the location; undefined if the two are too far apart, or two buildings or suites of one address. */
function placeOf({ property: one }: Entry, { property: other }: Entry, isNear: boolean): Place | undefined {
  const at = (score: number, reason: string, isAddress = true): Place => ({ score, reasons: [reason], isAddress })
  if (isSame(one.address_key, other.address_key)) return at(POINTS.strongAddress, 'same address')
  if (isSame(one.weak_address_key, other.weak_address_key))
    return inDifferentUnits(one, other) ? undefined : at(POINTS.weakAddress, 'same street and city')
  if (!isNear) return undefined
  const isSamePosition = one.latitude === other.latitude && one.longitude === other.longitude
  return at(isSamePosition ? POINTS.samePosition : POINTS.nearby, 'same place on the map', false)
}

const unitOf = ({ address, address_2 }: ComparedProperty) => normalizeStreet(address, address_2 ?? '').unit

/** Two suites of one building, each with its own number, are two entries on purpose. */
function inDifferentUnits(one: ComparedProperty, other: ComparedProperty): boolean {
  const [unit, otherUnit] = [unitOf(one), unitOf(other)]
  return unit !== '' && otherUnit !== '' && unit !== otherUnit
}

/** Two buildings on purpose: by their building numbers, or by numbers and letters in their names such as "Shed 13" and "Shed 14". */
const areTwoBuildings = (one: Entry, other: Entry) =>
  one.building !== other.building || (one.designators !== '' && other.designators !== '' && one.designators !== other.designators)

/** How likely two entries are the same building, 0 to 100. */
function similarity(one: Entry, other: Entry, isNear: boolean, numbers: CheckContext['numbers']): Similarity {
  const place = placeOf(one, other, isNear)
  if (place === undefined || (place.isAddress && areTwoBuildings(one, other))) return { score: 0, reasons: [] }
  const found: Similarity = { score: place.score, reasons: place.reasons }
  const add = (condition: boolean, points: number, reason: string) => {
    if (!condition) return
    found.score += points
    found.reasons.push(reason)
  }
  const areas = differenceOf(one.property.floor_area, other.property.floor_area)
  const values = differenceOf(one.tiv, other.tiv)
  add(place.isAddress && one.building !== DEFAULT_BUILDING, POINTS.building, 'same building number')
  add(values <= numbers.duplicateValueTolerance, POINTS.value, 'same value')
  add(one.name !== '' && one.name === other.name, POINTS.name, 'same name')
  add(areas === 0, POINTS.area, 'same area')
  add(place.isAddress && areas === 0 && values === 0, POINTS.twin, 'equal to the unit')
  add(values > numbers.duplicateValueTolerance, POINTS.otherValue, 'other value')
  add(areas > numbers.duplicateValueTolerance, POINTS.otherArea, 'other area')
  add(one.name !== '' && other.name !== '' && one.name !== other.name, POINTS.otherName, 'other name')
  add(isOther(one.property.external_id, other.property.external_id), POINTS.otherReference, 'other client reference')
  for (const [code, label] of CODES) add(isOther(one.property[code], other.property[code]), POINTS.otherCode, `other ${label}`)
  return found
}

const CODES = [
  ['construction_class', 'construction'],
  ['property_type', 'type'],
  ['year_built', 'year'],
  ['stories', 'stories'],
] as const

/** The difference of two amounts as a share of the larger; not a number if one is unknown or 0, so that every comparison is false. */
const differenceOf = (one: number | null, other: number | null): number =>
  one === null || other === null || one <= 0 || other <= 0 ? Number.NaN : Math.abs(one - other) / Math.max(one, other)

interface Match extends Similarity {
  property: ComparedProperty
}

/**
 * DQ-09. Goes through the properties in the order in which they were created and compares each with the earlier ones that share its
 * address, street or place on the map: at most DUPLICATE_CANDIDATES_MAX of each, never all. The later one of a pair gets the finding,
 * once, against the earlier one that is most similar. Yields every property, so that the caller can yield to the event loop.
 */
export function* possibleDuplicates(
  properties: readonly ComparedProperty[],
  context: CheckContext,
  dismissedPairs: ReadonlySet<string>,
): Generator<{ property: ComparedProperty; draft?: Draft }> {
  const { duplicatePossible, duplicateWithinMeters } = context.numbers
  const sharers = ADDRESS_KEYS.map((key) => entriesByKey(properties, key))
  const grid = mapGrid<Entry>(duplicateWithinMeters, DUPLICATE_CANDIDATES_MAX)
  for (const property of properties.toSorted((one, other) => (one.id < other.id ? -1 : 1))) {
    const entry = entryOf(property)
    const near = new Set(hasExactPosition(property, context) ? grid.near(property.latitude, property.longitude) : [])
    let best: Match | undefined
    for (const candidate of new Set([...sharers.flatMap(({ of }) => of(property)), ...near])) {
      if (dismissedPairs.has(pairKey(candidate.property.id, property.id))) continue
      const found = similarity(entry, candidate, near.has(candidate), context.numbers)
      if (found.score >= duplicatePossible && (best === undefined || found.score > best.score))
        best = { ...found, property: candidate.property }
    }
    yield best === undefined ? { property } : { property, draft: duplicateDraft(property, best, context) }
    if (hasExactPosition(property, context)) grid.add(property.latitude, property.longitude, entry)
    for (const { add } of sharers) add(entry)
  }
}

const ADDRESS_KEYS = ['address_key', 'weak_address_key'] as const

/** Entries by a key of their address, for keys that several properties have: in most registers few, so that the map is small. */
function entriesByKey(properties: readonly ComparedProperty[], name: (typeof ADDRESS_KEYS)[number]) {
  const seen = new Set<string>()
  const entries = new Map<string, Entry[]>()
  for (const { [name]: key } of properties) {
    if (!key) continue
    if (seen.has(key)) entries.set(key, [])
    seen.add(key)
  }
  const of = ({ [name]: key }: ComparedProperty): Entry[] => entries.get(key ?? '') ?? []
  const add = (entry: Entry) => {
    const candidates = of(entry.property)
    if (candidates.length < DUPLICATE_CANDIDATES_MAX) candidates.push(entry)
  }
  return { of, add }
}

/** The center of a ZIP or a city is shared by many buildings, so it is no evidence. */
function hasExactPosition(
  property: ComparedProperty,
  { numbers }: CheckContext,
): property is ComparedProperty & { latitude: number; longitude: number } {
  const { latitude, longitude, geocode_level } = property
  return latitude !== null && longitude !== null && (geocode_level === null || Number(geocode_level) < numbers.coarseGeocodeFrom)
}

function duplicateDraft(property: ComparedProperty, { property: other, score, reasons }: Match, { numbers }: CheckContext): Draft {
  const isLikely = score >= numbers.duplicateLikely
  const problem = `${isLikely ? 'Probably' : 'Possibly'} the same building as ${propertyTitle(other)}: ${reasons.join(', ')} (${Math.min(score, 100)} of 100)`
  const remedy = 'Delete or merge one of the two, or keep both when they are different buildings.'
  return draft('address', property.address, problem, remedy, {
    level: isLikely ? 'raised' : 'usual',
    right: side('register', other.address, other.id),
    identity: pairKey(property.id, other.id),
  })
}

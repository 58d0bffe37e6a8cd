import { DUPLICATE_CANDIDATES_MAX } from '#contract/limits.ts'
import { normalizeStreet } from '#server/engines/address/normalize-street.ts'
import { draft, propertyTitle, side, type CheckContext, type CheckedProperty, type Draft } from './check.ts'
import { mapGrid } from './map-grid.ts'

/** Two properties can only be duplicates with one of the first three; the others add to it. */
const POINTS = { strongAddress: 50, weakAddress: 35, nearby: 30, building: 20, value: 15, name: 10, area: 5 } as const

interface Similarity {
  score: number
  reasons: string[]
}

/** The key of a pair of properties, in any order. */
export const pairKey = (one: string, other: string) => (one < other ? `${one} ${other}` : `${other} ${one}`)

const normalize = (text: string | null) => (text ?? '').trim().toLowerCase().replace(/\s+/g, ' ')
const isSame = <T extends string | number>(one: T | null, other: T | null) => one !== null && one === other
const isSameBuilding = (one: CheckedProperty, other: CheckedProperty) => normalize(one.building_number) === normalize(other.building_number)

/** The points for the location; undefined if the two are too far apart, or two buildings or suites of one address. */
function locationSimilarity(one: CheckedProperty, other: CheckedProperty, isNear: boolean): Similarity | undefined {
  const strong = isSame(one.address_key, other.address_key)
  const weak = isSame(one.weak_address_key, other.weak_address_key)
  if ((strong || weak) && !isSameBuilding(one, other)) return undefined
  if (strong) return { score: POINTS.strongAddress, reasons: ['same address'] }
  if (weak) return inDifferentUnits(one, other) ? undefined : { score: POINTS.weakAddress, reasons: ['same street and city'] }
  return isNear ? { score: POINTS.nearby, reasons: ['same place on the map'] } : undefined
}

const unitOf = ({ address, address_2 }: CheckedProperty) => normalizeStreet(address, address_2 ?? '').unit

/** Two suites of one building, each with its own number, are two entries on purpose. */
function inDifferentUnits(one: CheckedProperty, other: CheckedProperty): boolean {
  const [unit, otherUnit] = [unitOf(one), unitOf(other)]
  return unit !== '' && otherUnit !== '' && unit !== otherUnit
}

/** How likely two entries are the same building, 0 to 100. */
function similarity(one: CheckedProperty, other: CheckedProperty, isNear: boolean, valueTolerance: number): Similarity {
  const found = locationSimilarity(one, other, isNear)
  if (found === undefined) return { score: 0, reasons: [] }
  const add = (condition: boolean, points: number, reason: string) => {
    if (!condition) return
    found.score += points
    found.reasons.push(reason)
  }
  // A building number distinguishes the buildings of one address. Neighbors with addresses of their own all have the number 1.
  const atOneAddress =
    one.address_key === null ||
    other.address_key === null ||
    one.address_key === other.address_key ||
    isSame(one.weak_address_key, other.weak_address_key)
  const [value, otherValue] = [one.building_value ?? 0, other.building_value ?? 0]
  const hasSameValue = value > 0 && otherValue > 0 && Math.abs(value - otherValue) <= Math.max(value, otherValue) * valueTolerance
  const name = normalize(one.property_name)
  add(atOneAddress && isSameBuilding(one, other), POINTS.building, 'same building number')
  add(hasSameValue, POINTS.value, 'same building value')
  add(name !== '' && name === normalize(other.property_name), POINTS.name, 'same name')
  add(isSame(one.floor_area, other.floor_area), POINTS.area, 'same area')
  return found
}

interface Match extends Similarity {
  property: CheckedProperty
}

/**
 * DQ-09. Goes through the properties in the order in which they were created and compares each with the earlier ones that share its
 * address, street or place on the map: at most DUPLICATE_CANDIDATES_MAX of each, never all. The later one of a pair gets the finding,
 * once, against the earlier one that is most similar. Yields every property, so that the caller can yield to the event loop.
 */
export function* possibleDuplicates(
  properties: readonly CheckedProperty[],
  context: CheckContext,
  dismissedPairs: ReadonlySet<string>,
): Generator<{ property: CheckedProperty; draft?: Draft }> {
  const { duplicatePossible, duplicateValueTolerance, duplicateWithinMeters } = context.numbers
  const byKey = new Map<string, CheckedProperty[]>()
  const grid = mapGrid<CheckedProperty>(duplicateWithinMeters, DUPLICATE_CANDIDATES_MAX)
  for (const property of properties.toSorted((one, other) => (one.id < other.id ? -1 : 1))) {
    const near = new Set(hasExactPosition(property, context) ? grid.near(property.latitude, property.longitude) : [])
    const keys = keysOf(property)
    let best: Match | undefined
    for (const candidate of new Set([...keys.flatMap((key) => byKey.get(key) ?? []), ...near])) {
      if (dismissedPairs.has(pairKey(candidate.id, property.id))) continue
      const found = similarity(property, candidate, near.has(candidate), duplicateValueTolerance)
      if (found.score >= duplicatePossible && (best === undefined || found.score > best.score)) best = { ...found, property: candidate }
    }
    yield best === undefined ? { property } : { property, draft: duplicateDraft(property, best, context) }
    if (hasExactPosition(property, context)) grid.add(property.latitude, property.longitude, property)
    for (const key of keys) {
      const candidates = byKey.get(key) ?? []
      if (candidates.length < DUPLICATE_CANDIDATES_MAX) candidates.push(property)
      byKey.set(key, candidates)
    }
  }
}

const keysOf = ({ address_key, weak_address_key }: CheckedProperty): string[] => [
  ...(address_key ? [`strong ${address_key}`] : []),
  ...(weak_address_key ? [`weak ${weak_address_key}`] : []),
]

/** The center of a ZIP or a city is shared by many buildings, so it is no evidence. */
function hasExactPosition(
  property: CheckedProperty,
  { numbers }: CheckContext,
): property is CheckedProperty & { latitude: number; longitude: number } {
  const { latitude, longitude, geocode_level } = property
  return latitude !== null && longitude !== null && (geocode_level === null || Number(geocode_level) < numbers.coarseGeocodeFrom)
}

function duplicateDraft(property: CheckedProperty, { property: other, score, reasons }: Match, { numbers }: CheckContext): Draft {
  const isLikely = score >= numbers.duplicateLikely
  const problem = `${isLikely ? 'Probably' : 'Possibly'} the same building as ${propertyTitle(other)}: ${reasons.join(', ')} (${score} of 100)`
  const remedy = 'Delete or merge one of the two, or keep both when they are different buildings.'
  return draft('address', property.address, problem, remedy, {
    level: isLikely ? 'raised' : 'usual',
    right: side('register', other.address, other.id),
    identity: pairKey(property.id, other.id),
  })
}

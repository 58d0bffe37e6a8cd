import { DUPLICATE_CANDIDATES_MAX } from '#contract/limits.ts'
import { normalizeStreet } from '#server/engines/address/normalize-street.ts'
import type { CheckContext } from './check-rules.ts'
import { propertyTitle, type CheckedProperty } from './checked-property.ts'
import type { Draft } from './finding.ts'
import { gridOf } from './map-grid.ts'

/** Points of domain section 6; a pair needs the first one of the first three to be a pair at all. */
const POINTS = { strongAddress: 50, weakAddress: 35, nearby: 30, building: 20, value: 15, name: 10, area: 5 } as const

interface Likeness {
  score: number
  reasons: string[]
}

/** One name for the two, whichever is looked at first. */
export const pairKey = (one: string, other: string) => (one < other ? `${one} ${other}` : `${other} ${one}`)

const squash = (text: string | null) => (text ?? '').trim().toLowerCase().replace(/\s+/g, ' ')
const sameKey = (one: string | null, other: string | null) => one !== null && one === other
const within = (one: number, other: number, share: number) => Math.abs(one - other) <= Math.max(one, other) * share

/** Where the two stand in relation to each other; undefined when they are too far apart, or are two buildings of one address. */
function placement(one: CheckedProperty, other: CheckedProperty, isNear: boolean): Likeness | undefined {
  const strong = sameKey(one.address_key, other.address_key)
  const weak = sameKey(one.weak_address_key, other.weak_address_key)
  const sameNumber = squash(one.building_number) === squash(other.building_number)
  if ((strong || weak) && !sameNumber) return undefined
  if (strong) return { score: POINTS.strongAddress, reasons: ['same address'] }
  if (weak && differentUnits(one, other)) return undefined
  if (weak) return { score: POINTS.weakAddress, reasons: ['same street and city'] }
  return isNear ? { score: POINTS.nearby, reasons: ['same place on the map'] } : undefined
}

const unitOf = ({ address, address_2 }: CheckedProperty) => normalizeStreet(address, address_2 ?? '').unit

/** Two suites of one building, each with its number, are two entries on purpose. */
function differentUnits(one: CheckedProperty, other: CheckedProperty): boolean {
  const [first, second] = [unitOf(one), unitOf(other)]
  return first !== '' && second !== '' && first !== second
}

/** A building number tells the buildings of one address apart; neighbours with addresses of their own all have the number 1. */
const sameBuildingOf = (one: CheckedProperty, other: CheckedProperty) =>
  squash(one.building_number) === squash(other.building_number) &&
  (one.address_key === null ||
    other.address_key === null ||
    one.address_key === other.address_key ||
    sameKey(one.weak_address_key, other.weak_address_key))

/** How much two entries look like the same building, 0 to 100. */
export function likeness(one: CheckedProperty, other: CheckedProperty, isNear: boolean, valueTolerance: number): Likeness {
  const found = placement(one, other, isNear)
  if (found === undefined) return { score: 0, reasons: [] }
  const add = (holds: boolean, points: number, reason: string) => {
    if (!holds) return
    found.score += points
    found.reasons.push(reason)
  }
  const [value, otherValue] = [one.building_value ?? 0, other.building_value ?? 0]
  add(sameBuildingOf(one, other), POINTS.building, 'same building number')
  add(value > 0 && otherValue > 0 && within(value, otherValue, valueTolerance), POINTS.value, 'same building value')
  add(squash(one.property_name) !== '' && squash(one.property_name) === squash(other.property_name), POINTS.name, 'same name')
  add(one.floor_area !== null && one.floor_area === other.floor_area, POINTS.area, 'same area')
  return found
}

interface Twin extends Likeness {
  property: CheckedProperty
}

/**
 * DQ-09. Walks the entries in the order in which they were made and compares each with the earlier ones that share its address,
 * its street or its place on the map, never with all: at most DUPLICATE_CANDIDATES_MAX a key. The later one of a pair carries the
 * finding, once, against the earlier one it resembles most. `settled` holds the pairs that a person called different.
 */
export function* possibleDuplicates(
  properties: readonly CheckedProperty[],
  context: CheckContext,
  settled: ReadonlySet<string>,
): Generator<{ property: CheckedProperty; draft?: Draft }> {
  const { duplicatePossible, duplicateValueTolerance, duplicateWithinMeters } = context.rules.numbers
  const byKey = new Map<string, CheckedProperty[]>()
  const grid = gridOf<CheckedProperty>(duplicateWithinMeters, DUPLICATE_CANDIDATES_MAX)
  for (const property of properties.toSorted((one, other) => (one.id < other.id ? -1 : 1))) {
    const near = new Set(hasExactPosition(property, context) ? grid.near(property.latitude, property.longitude) : [])
    const keys = keysOf(property)
    const candidates = new Set([...keys.flatMap((key) => byKey.get(key) ?? []), ...near])
    let best: Twin | undefined
    for (const candidate of candidates) {
      if (settled.has(pairKey(candidate.id, property.id))) continue
      const found = likeness(property, candidate, near.has(candidate), duplicateValueTolerance)
      if (found.score >= duplicatePossible && (best === undefined || found.score > best.score)) best = { ...found, property: candidate }
    }
    yield best === undefined ? { property } : { property, draft: duplicateDraft(property, best, context) }
    if (hasExactPosition(property, context)) grid.add(property.latitude, property.longitude, property)
    for (const key of keys) remember(byKey, key, property)
  }
}

function keysOf({ address_key, weak_address_key }: CheckedProperty): string[] {
  const strong = address_key === null || address_key === '' ? [] : [`strong ${address_key}`]
  return weak_address_key === null || weak_address_key === '' ? strong : [...strong, `weak ${weak_address_key}`]
}

function remember(byKey: Map<string, CheckedProperty[]>, key: string, property: CheckedProperty): void {
  const known = byKey.get(key)
  if (known === undefined) byKey.set(key, [property])
  else if (known.length < DUPLICATE_CANDIDATES_MAX) known.push(property)
}

/** The centre of a ZIP or a city is shared by many buildings and says nothing about two of them. */
function hasExactPosition(
  property: CheckedProperty,
  { rules }: CheckContext,
): property is CheckedProperty & { latitude: number; longitude: number } {
  const { latitude, longitude, geocode_level } = property
  return latitude !== null && longitude !== null && (geocode_level === null || Number(geocode_level) < rules.numbers.coarseGeocodeFrom)
}

function duplicateDraft(property: CheckedProperty, twin: Twin, { rules }: CheckContext): Draft {
  const other = propertyTitle(twin.property)
  const likely = twin.score >= rules.numbers.duplicateLikely
  return {
    field: 'address',
    value: property.address,
    right: { source: 'register', value: twin.property.address, as_of: null, ref: twin.property.id },
    level: likely ? 'raised' : 'usual',
    problem: `${likely ? 'Probably' : 'Possibly'} the same building as ${other}: ${twin.reasons.join(', ')} (${twin.score} of 100)`,
    remedy: 'Delete or merge one of the two, or keep both when they are different buildings.',
    identity: pairKey(property.id, twin.property.id),
  }
}

import { PROPERTY_DEFAULTS } from '#contract/property-fields.ts'
import type { AddressKeys } from '#server/engines/address/address-keys.ts'
import { similarity } from '#server/engines/address/normalize-street.ts'
import type { RowFields } from '#server/features/imports/pipeline/validate/results.ts'

export type MatchRule = 'external_id' | 'number' | 'address_building' | 'address_name' | 'coordinates' | 'weak_address'

export type Match =
  | { kind: 'new' }
  | { kind: 'matched'; property: RegisterRow; rule: MatchRule }
  /** The number matches, address and name do not. */
  | { kind: 'conflict'; property: RegisterRow }
  | { kind: 'ambiguous'; candidates: RegisterRow[] }
  /** Divested, or in the trash. */
  | { kind: 'inactive'; property: RegisterRow; rule: MatchRule }

export interface IncomingRow {
  number: number
  fields: RowFields
  keys: AddressKeys
  /** The user chose `propertyId`, or a new property if it is null. */
  matchedByHand?: boolean
  propertyId?: string | null
}

const CONFLICT_BELOW = 0.6
const SIMILAR_NAME = 0.85
const NEAR_METERS = 50
const NEAR_VALUE_SHARE = 0.15
const EARTH_METERS = 6_371_000

/** One object for all rows. */
const NEW: Match = { kind: 'new' }

/**
 * Finds the property of every row (docs/domain.md, "Matching"). Rows with a known number are matched first, so that no other row at
 * the same address takes their property. A property is matched to one row only.
 */
export async function matchRows(
  rows: readonly IncomingRow[],
  register: RegisterIndex,
  pause: () => Promise<void> = async () => {},
): Promise<Map<number, Match>> {
  const matches = new Map<number, Match>()
  const used = new Set<string>()
  const steps: readonly ((row: IncomingRow) => Match | undefined)[] = [
    (row) => byHand(row, register),
    (row) => byIdentity(row, register, used),
    (row) => byLocation(row, register, used),
    () => NEW,
  ]
  for (const step of steps) {
    for (const row of rows) {
      const match = matches.has(row.number) ? undefined : step(row)
      if (match) {
        matches.set(row.number, match)
        if (match.kind === 'matched' || match.kind === 'conflict' || match.kind === 'inactive') used.add(match.property.id)
      }
      await pause()
    }
  }
  return matches
}

function byHand({ matchedByHand = false, propertyId }: IncomingRow, register: RegisterIndex): Match | undefined {
  if (!matchedByHand) return undefined
  const property = register.byId.get(propertyId ?? '')
  return property ? { kind: 'matched', property, rule: 'number' } : NEW
}

function byIdentity(row: IncomingRow, register: RegisterIndex, used: ReadonlySet<string>): Match | undefined {
  const { fields } = row
  const free = (list: readonly RegisterRow[] = []) => list.filter((property) => isActive(property) && !used.has(property.id))
  const [external, ...moreExternal] = free(register.byExternalId.get(fields.external_id ?? ''))
  if (external && moreExternal.length === 0) return { kind: 'matched', property: external, rule: 'external_id' }
  const [property, ...others] = free(register.byNumber.get(numberKey(fields) ?? ''))
  if (!property || others.length > 0) return undefined
  return isConsistent(row, property) ? { kind: 'matched', property, rule: 'number' } : { kind: 'conflict', property }
}

const isSameAddress = ({ strong, weak }: AddressKeys, property: RegisterRow): boolean =>
  strong === null ? weak !== null && weak === property.weakAddressKey : strong === property.addressKey

const nameOf = ({ property_name: name }: RowFields) => (name ?? '').trim().toLowerCase()

/** Whether a match is certain: by client reference, by the whole address, or by number together with address or name. */
export function isExact({ fields, keys }: IncomingRow, { rule, property }: Match & { kind: 'matched' }): boolean {
  if (rule === 'external_id') return true
  const sameAddress = isSameAddress(keys, property)
  if (rule === 'address_building') return sameAddress
  const sameName = nameOf(fields) !== '' && nameOf(fields) === nameOf(property.values)
  return rule === 'number' && (sameAddress || (!keys.strong && sameName))
}

/** Schedules are renumbered, so address or name must agree with the number, unless one of the two rows has neither. */
function isConsistent({ fields, keys }: IncomingRow, property: RegisterRow): boolean {
  if (isSameAddress(keys, property)) return true
  const pairs = [
    [fields.address, property.values.address],
    [fields.property_name, property.values.property_name],
  ] as const
  const comparable = pairs.filter(([left, right]) => left && right)
  return comparable.length === 0 || comparable.some(([left, right]) => similarity(left ?? '', right ?? '') >= CONFLICT_BELOW)
}

function byLocation(row: IncomingRow, register: RegisterIndex, used: ReadonlySet<string>): Match | undefined {
  const { fields, keys } = row
  const atAddress = register.byAddress.get(keys.strong ?? '') ?? []
  const atWeakAddress = register.byWeakAddress.get(keys.weak ?? '') ?? []
  const building = fields.building_number ?? PROPERTY_DEFAULTS.building_number
  const sameBuilding = ({ values }: RegisterRow) => (values.building_number ?? PROPERTY_DEFAULTS.building_number) === building
  const name = fields.property_name ?? ''
  const found = (
    [
      ['address_building', atAddress.filter(sameBuilding)],
      ['address_name', atAddress.filter(({ values }) => similarity(name, values.property_name ?? '') >= SIMILAR_NAME)],
      ['coordinates', nearby(fields, register)],
      ['weak_address', atWeakAddress.filter(sameBuilding)],
    ] as const
  ).map(([rule, properties]) => ({ rule, properties: properties.filter(({ id }) => !used.has(id)) }))
  let several: RegisterRow[] | undefined
  for (const { rule, properties } of found) {
    const active = properties.filter(isActive)
    const [property, ...others] = active
    if (property && others.length === 0) return { kind: 'matched', property, rule }
    if (property) several ??= active
  }
  return several ? { kind: 'ambiguous', candidates: several } : inactiveMatch(row, register, used, found)
}

/** Divested and deleted properties are only reported, and only when nothing else matches. */
function inactiveMatch(
  row: IncomingRow,
  register: RegisterIndex,
  used: ReadonlySet<string>,
  found: readonly { rule: MatchRule; properties: RegisterRow[] }[],
): Match | undefined {
  const numbered = register.byNumber.get(numberKey(row.fields) ?? '') ?? []
  const consistent = numbered.filter((property) => !used.has(property.id) && isConsistent(row, property))
  for (const { rule, properties } of [{ rule: 'number' as const, properties: consistent }, ...found]) {
    const property =
      properties.find(({ status, trashed }) => status === 'divested' && !trashed) ?? properties.find((other) => !isActive(other))
    if (property) return { kind: 'inactive', property, rule }
  }
  return undefined
}

function nearby(fields: RowFields, register: RegisterIndex): RegisterRow[] {
  const { latitude, longitude, building_value: value } = fields
  if (typeof latitude !== 'number' || typeof longitude !== 'number' || typeof value !== 'number') return []
  return nearbyCells(latitude, longitude)
    .flatMap((cell) => register.byCell.get(cell) ?? [])
    .filter(({ values }) => {
      const other = values.building_value ?? 0
      const isNear = metersBetween(latitude, longitude, values.latitude ?? 0, values.longitude ?? 0) <= NEAR_METERS
      return isNear && other > 0 && Math.abs(other - value) <= NEAR_VALUE_SHARE * Math.max(other, value)
    })
}

function metersBetween(latitude: number, longitude: number, otherLatitude: number, otherLongitude: number): number {
  const radians = Math.PI / 180
  const x = (otherLongitude - longitude) * radians * Math.cos(((latitude + otherLatitude) / 2) * radians)
  const y = (otherLatitude - latitude) * radians
  return Math.hypot(x, y) * EARTH_METERS
}

export interface RegisterRow {
  id: string
  status: 'active' | 'divested'
  trashed: boolean
  addressKey: string | null
  weakAddressKey: string | null
  values: RowFields
  custom: Record<string, string>
}

export const isActive = ({ status, trashed }: RegisterRow): boolean => status === 'active' && !trashed

/** Location and building number; null without a location number. */
export const numberKey = ({ location_number: location, building_number: building }: RowFields): string | null =>
  location ? `${location.trim()}|${(building ?? PROPERTY_DEFAULTS.building_number).trim()}`.toUpperCase() : null

/** About 110 m of latitude. A cell and its neighbors contain everything within 50 m of a point, except close to the poles. */
const CELL_DEGREES = 0.001
export const cellKey = (latitude: number, longitude: number): string => `${cellOf(latitude)}|${cellOf(longitude)}`
const cellOf = (degrees: number) => Math.floor(degrees / CELL_DEGREES)
export const nearbyCells = (latitude: number, longitude: number): string[] =>
  [-1, 0, 1].flatMap((up) => [-1, 0, 1].map((right) => `${cellOf(latitude) + up}|${cellOf(longitude) + right}`))

/** The register by everything that may identify an incoming row. */
export function indexRegister(rows: readonly RegisterRow[]) {
  const groupBy = (keyOf: (row: RegisterRow) => string | null | undefined): ReadonlyMap<string, RegisterRow[]> => {
    const groups = Map.groupBy(rows, (row) => keyOf(row) ?? '')
    groups.delete('')
    return groups
  }
  return {
    byId: new Map(rows.map((row) => [row.id, row])),
    byExternalId: groupBy(({ values }) => values.external_id),
    byNumber: groupBy(({ values }) => numberKey(values)),
    byAddress: groupBy(({ addressKey }) => addressKey),
    byWeakAddress: groupBy(({ weakAddressKey }) => weakAddressKey),
    byCell: groupBy(({ values: { latitude, longitude } }) =>
      typeof latitude === 'number' && typeof longitude === 'number' ? cellKey(latitude, longitude) : null,
    ),
  }
}
export type RegisterIndex = ReturnType<typeof indexRegister>

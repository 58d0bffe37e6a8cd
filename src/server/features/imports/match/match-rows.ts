import type { AddressKeys } from '#server/engines/address/address-keys.ts'
import { similarity } from '#server/engines/address/similarity.ts'
import type { RowFields } from '#server/features/imports/rows/row-fields.ts'
import { nearbyCells, numberKey, type RegisterIndex } from './register-index.ts'
import type { RegisterRow } from './register-row.ts'

export type MatchRule = 'external_id' | 'number' | 'address_building' | 'address_name' | 'coordinates' | 'weak_address'

export type Match =
  | { kind: 'new' }
  | { kind: 'matched'; property: RegisterRow; rule: MatchRule }
  | { kind: 'conflict'; property: RegisterRow }
  | { kind: 'ambiguous'; candidates: RegisterRow[] }
  /** Recognised, but no longer insured or in the trash. */
  | { kind: 'inactive'; property: RegisterRow; rule: MatchRule }

export interface IncomingRow {
  number: number
  fields: RowFields
  keys: AddressKeys
}

/** Lets others run between two rows. */
type YieldToEventLoop = () => Promise<void>

const CONFLICT_BELOW = 0.6
const SIMILAR_NAME = 0.85
const NEAR_METRES = 50
const NEAR_VALUE_SHARE = 0.15
const EARTH_METRES = 6_371_000

/** One for all rows, however many there are. */
const NEW: Match = { kind: 'new' }

const isActive = (row: RegisterRow) => row.status === 'active' && !row.trashed

/**
 * Recognises every incoming row in the register (domain section 6). Rows known by a number go first, so that a property
 * is never taken by a row that merely stands at the same address; one property is matched by one row only.
 */
export async function matchRows(
  rows: readonly IncomingRow[],
  register: RegisterIndex,
  chosen: ReadonlyMap<number, string | 'new'> = new Map(),
  yieldToEventLoop: YieldToEventLoop = async () => {},
): Promise<Map<number, Match>> {
  const matches = new Map<number, Match>()
  const taken = new Set<string>()
  const stages: readonly ((row: IncomingRow) => Match | undefined)[] = [
    ({ number }) => byHand(chosen.get(number), register),
    (row) => byIdentity(row, register, taken),
    (row) => byPlace(row, register, taken),
    () => NEW,
  ]
  for (const stage of stages) {
    for (const row of rows) {
      const match = matches.has(row.number) ? undefined : stage(row)
      if (match) {
        matches.set(row.number, match)
        if (match.kind === 'matched' || match.kind === 'conflict' || match.kind === 'inactive') taken.add(match.property.id)
      }
      await yieldToEventLoop()
    }
  }
  return matches
}

function byHand(choice: string | undefined, register: RegisterIndex): Match | undefined {
  if (choice === undefined) return undefined
  const property = choice === 'new' ? undefined : register.byId.get(choice)
  return property ? { kind: 'matched', property, rule: 'number' } : NEW
}

function byIdentity(row: IncomingRow, register: RegisterIndex, taken: ReadonlySet<string>): Match | undefined {
  const { fields } = row
  const free = (list: readonly RegisterRow[] | undefined) => (list ?? []).filter((known) => isActive(known) && !taken.has(known.id))
  const external = fields.external_id ? free(register.byExternalId.get(fields.external_id)) : []
  if (external.length === 1 && external[0]) return { kind: 'matched', property: external[0], rule: 'external_id' }
  if (!fields.location_number) return undefined
  const [property, ...others] = free(register.byNumber.get(numberKey(fields.location_number, fields.building_number)))
  if (!property || others.length > 0) return undefined
  return agrees(row, property) ? { kind: 'matched', property, rule: 'number' } : { kind: 'conflict', property }
}

/** Nothing about the row speaks against the property: the number or the whole address is its own, and so are name and street. */
export function isExact({ fields, keys }: IncomingRow, { rule, property }: Match & { kind: 'matched' }): boolean {
  if (rule === 'external_id') return true
  const sameAddress =
    keys.strong === null ? keys.weak !== null && keys.weak === property.weakAddressKey : keys.strong === property.addressKey
  if (rule === 'address_building') return sameAddress
  const same = (left: string | null | undefined, right: string | null | undefined) =>
    left?.trim().toLowerCase() === right?.trim().toLowerCase()
  return (
    rule === 'number' &&
    (sameAddress || (!keys.strong && Boolean(fields.property_name) && same(fields.property_name, property.values.property_name)))
  )
}

/** A number alone is no proof: schedules are renumbered. Rows without name and street have nothing to contradict it. */
function agrees({ fields, keys: { strong, weak } }: IncomingRow, property: RegisterRow): boolean {
  if ((strong !== null && strong === property.addressKey) || (weak !== null && weak === property.weakAddressKey)) return true
  const pairs = [
    [fields.address, property.values.address],
    [fields.property_name, property.values.property_name],
  ] as const
  const comparable = pairs.filter(([left, right]) => left && right)
  return comparable.length === 0 || comparable.some(([left, right]) => similarity(left ?? '', right ?? '') >= CONFLICT_BELOW)
}

function byPlace(row: IncomingRow, register: RegisterIndex, taken: ReadonlySet<string>): Match | undefined {
  const {
    fields,
    keys: { strong, weak },
  } = row
  const atAddress = strong === null ? [] : (register.byAddress.get(strong) ?? [])
  const building = fields.building_number ?? '1'
  const name = fields.property_name ?? ''
  const rules: readonly (readonly [MatchRule, () => readonly RegisterRow[]])[] = [
    ['address_building', () => atAddress.filter(({ values }) => (values.building_number ?? '1') === building)],
    ['address_name', () => atAddress.filter(({ values }) => similarity(name, values.property_name ?? '') >= SIMILAR_NAME)],
    ['coordinates', () => nearby(fields, register)],
    [
      'weak_address',
      () =>
        weak === null ? [] : (register.byWeakAddress.get(weak) ?? []).filter(({ values }) => (values.building_number ?? '1') === building),
    ],
  ]
  const found = rules.map(([rule, find]) => ({ rule, rows: find().filter(({ id }) => !taken.has(id)) }))
  let several: RegisterRow[] | undefined
  for (const { rule, rows } of found) {
    const active = rows.filter(isActive)
    if (active.length === 1 && active[0]) return { kind: 'matched', property: active[0], rule }
    if (active.length > 1) several ??= active
  }
  if (several) return { kind: 'ambiguous', candidates: several }
  return inactive(row, register, taken, found)
}

/** What is divested or in the trash is tried last, and only reported. */
function inactive(
  row: IncomingRow,
  register: RegisterIndex,
  taken: ReadonlySet<string>,
  found: readonly { rule: MatchRule; rows: RegisterRow[] }[],
): Match | undefined {
  const { fields } = row
  const numbered = fields.location_number ? (register.byNumber.get(numberKey(fields.location_number, fields.building_number)) ?? []) : []
  const gone = [{ rule: 'number' as const, rows: numbered.filter((known) => !taken.has(known.id) && agrees(row, known)) }, ...found]
  for (const { rule, rows } of gone) {
    const property = rows.find(({ status, trashed }) => status === 'divested' && !trashed) ?? rows.find((row) => !isActive(row))
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
      const near = metresBetween(latitude, longitude, values.latitude ?? 0, values.longitude ?? 0) <= NEAR_METRES
      return near && other > 0 && Math.abs(other - value) <= NEAR_VALUE_SHARE * Math.max(other, value)
    })
}

export function metresBetween(latitude: number, longitude: number, otherLatitude: number, otherLongitude: number): number {
  const radians = Math.PI / 180
  const x = (otherLongitude - longitude) * radians * Math.cos(((latitude + otherLatitude) / 2) * radians)
  const y = (otherLatitude - latitude) * radians
  return Math.hypot(x, y) * EARTH_METRES
}

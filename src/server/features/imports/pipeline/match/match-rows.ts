import type { AddressKeys } from '#server/engines/address/address-keys.ts'
import type { RowFields } from '#server/features/imports/pipeline/validate/results.ts'
import {
  hasAlmostSameName,
  hasOtherFigures,
  hasOtherName,
  hasPartOfAddress,
  hasSameFigures,
  hasSameName,
  hasSameNameOrNone,
  hasSimilarAddress,
  nameInCity,
} from './compare-identity.ts'
import { nearby } from './nearby.ts'
import { buildingOf, isActive, nameKey, numberKey, type RegisterIndex, type RegisterRow } from './register-index.ts'

export type MatchRule = 'external_id' | 'number' | 'address_building' | 'address_name' | 'coordinates' | 'weak_address'

export type Match =
  | { kind: 'new' }
  | { kind: 'matched'; property: RegisterRow; rule: MatchRule }
  /** The property has the number of the row but another address; `others` may be at its address. */
  | { kind: 'conflict'; property: RegisterRow; others: RegisterRow[] }
  | { kind: 'ambiguous'; candidates: RegisterRow[] }
  /** The only property that is left at the address of the row has another name. */
  | { kind: 'renamed'; property: RegisterRow }
  /** A property with the name and city of the row has another address, and no property has that of the row. */
  | { kind: 'moved'; property: RegisterRow }
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

/** More properties at one address are not compared with every row there. */
const COMPARED_MAX = 50
const comparable = (list: readonly RegisterRow[] = []) => (list.length > COMPARED_MAX ? [] : list)

/** One object for all rows. */
const NEW: Match = { kind: 'new' }

/**
 * Finds the property of every row (docs/domain.md, "Matching"). Schedules are renumbered, so address and name count for more than the
 * number, and the strongest evidence is used first: a row with weaker evidence must not take the property of another row. A property is
 * matched to one row only.
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
    (row) => byReference(row, register, used),
    (row) =>
      byNumber(row, register, used, (property) => isAlike(row, property, register, used) && !hasOtherFigures(row.fields, property.values)),
    (row) => byFigures(row, register, used),
    (row) => byNumber(row, register, used, (property) => isAlike(row, property, register, used)),
    (row) => byAddressAndName(row, register, used),
    (row) => byOwnName(row, register, used),
    (row) => byNumber(row, register, used, (property) => row.keys.strong !== null && row.keys.strong === property.addressKey),
    (row) => byNumber(row, register, used, (property) => isConsistent(row, property) && !isAtOtherProperty(row, property, register, used)),
    (row) => byNameAndSpelling(row, register, used),
    (row) => byPlace(row, register, used),
    (row) => toDecide(row, register, used),
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

type Used = ReadonlySet<string>

/** The only active property of a list that no row is matched to. */
function onlyFree(list: readonly RegisterRow[] | undefined, used: Used): RegisterRow | undefined {
  const [property, ...others] = (list ?? []).filter((one) => isActive(one) && !used.has(one.id))
  return others.length === 0 ? property : undefined
}

function byReference({ fields }: IncomingRow, register: RegisterIndex, used: Used): Match | undefined {
  const property = onlyFree(register.byExternalId.get(fields.external_id ?? ''), used)
  return property && { kind: 'matched', property, rule: 'external_id' }
}

const ownerOfNumber = ({ fields }: IncomingRow, register: RegisterIndex, used: Used): RegisterRow | undefined =>
  onlyFree(register.byNumber.get(numberKey(fields) ?? ''), used)

function byNumber(row: IncomingRow, register: RegisterIndex, used: Used, isSame: (property: RegisterRow) => boolean): Match | undefined {
  const property = ownerOfNumber(row, register, used)
  return property && isSame(property) ? { kind: 'matched', property, rule: 'number' } : undefined
}

const hasSameAddress = ({ keys: { strong, weak } }: IncomingRow, property: RegisterRow): boolean =>
  (strong !== null && strong === property.addressKey) || (weak !== null && weak === property.weakAddressKey)

/** A row that names no unit, or another one, has the street of a property, but not if another property has exactly its address. */
function isAlike(row: IncomingRow, property: RegisterRow, register: RegisterIndex, used: Used): boolean {
  const { strong } = row.keys
  if (!hasSameAddress(row, property) || !hasSameNameOrNone(row.fields, property.values)) return false
  return strong === property.addressKey || !isAtOtherProperty(row, property, register, used)
}

/**
 * Buildings of one name at one address are distinguished by their figures if the numbers contradict these. Another building number must
 * not contradict: then only one property at the address may have these figures, with or without a row.
 */
function byFigures({ fields, keys }: IncomingRow, register: RegisterIndex, used: Used): Match | undefined {
  const isSame = ({ values }: RegisterRow) => hasSameFigures(fields, values) && hasSameNameOrNone(fields, values)
  const same = comparable(register.byAddress.get(keys.strong ?? '')).filter(isSame)
  const sameBuilding = same.filter(({ values }) => buildingOf(values) === buildingOf(fields))
  const property = onlyFree(sameBuilding, used) ?? onlyFree(same.filter(isActive).length === 1 ? same : [], used)
  return property && { kind: 'matched', property, rule: 'address_building' }
}

/** The buildings of a campus are renumbered, too: their names count if no other property at the address has the name of the row. */
function byOwnName(row: IncomingRow, register: RegisterIndex, used: Used): Match | undefined {
  const { fields, keys } = row
  const atAddress = register.byAddress.get(keys.strong ?? '') ?? register.byWeakAddress.get(keys.weak ?? '')
  const named = comparable(atAddress).filter((property) => isActive(property) && hasSameName(fields, property.values))
  const property = named.length === 1 ? onlyFree(named, used) : undefined
  return property && { kind: 'matched', property, rule: 'address_name' }
}

function byAddressAndName({ fields, keys: { strong, weak } }: IncomingRow, register: RegisterIndex, used: Used): Match | undefined {
  const property = onlyFree(register.byAddressAndName.get(nameKey(strong, fields) ?? ''), used)
  if (property) return { kind: 'matched', property, rule: 'address_building' }
  const almost = onlyFree(register.byWeakAddressAndName.get(nameKey(weak, fields) ?? ''), used)
  return almost && { kind: 'matched', property: almost, rule: 'weak_address' }
}

/** The address of a property with the name of the row differs only in its spelling. */
function byNameAndSpelling(row: IncomingRow, register: RegisterIndex, used: Used): Match | undefined {
  const isSame = (property: RegisterRow) =>
    isActive(property) && hasSimilarAddress(row.fields, property.values) && !isAtOtherProperty(row, property, register, used)
  const same = comparable(namesakes(row, register)).filter(isSame)
  const property = same.length === 1 ? onlyFree(same, used) : undefined
  return property && { kind: 'matched', property, rule: 'weak_address' }
}

/** The properties with the name of the row in its city. */
const namesakes = ({ fields }: IncomingRow, register: RegisterIndex) => register.byNameInCity.get(nameInCity(fields) ?? '')

/** The address must agree with the number; if it cannot be compared, the name must, unless one of the two rows has none. */
function isConsistent(row: IncomingRow, property: RegisterRow): boolean {
  return hasSameAddress(row, property) || (hasSimilarAddress(row.fields, property.values) ?? !hasOtherName(row.fields, property.values))
}

/** Whether another property has exactly the address of the row. */
function isAtOtherProperty({ fields, keys }: IncomingRow, property: RegisterRow, register: RegisterIndex, used: Used): boolean {
  return (register.byAddress.get(keys.strong ?? '') ?? []).some(
    (other) => other !== property && isActive(other) && !used.has(other.id) && buildingOf(other.values) === buildingOf(fields),
  )
}

/** A property at the same place. A row whose number belongs to another property must have its address. */
function byPlace(row: IncomingRow, register: RegisterIndex, used: Used): Match | undefined {
  const match = findPlace(row, register, used)
  const owner = ownerOfNumber(row, register, used)
  if (match === undefined && owner === undefined && namesakes(row, register) === undefined) return NEW
  return match?.kind === 'matched' && (match.rule !== 'coordinates' || owner === undefined) ? match : undefined
}

/** What only the user can decide. */
function toDecide(row: IncomingRow, register: RegisterIndex, used: Used): Match | undefined {
  const match = findPlace(row, register, used)
  const property = ownerOfNumber(row, register, used)
  const namesake = onlyFree(namesakes(row, register), used)
  if (match?.kind === 'matched' && match.rule !== 'coordinates') return match
  if (property === undefined)
    return match ?? (namesake && hasPartOfAddress(row.fields, namesake.values) ? { kind: 'moved', property: namesake } : undefined)
  const found = match === undefined || match.kind === 'new' ? [] : match.kind === 'ambiguous' ? match.candidates : [match.property]
  const others = new Set([...found, ...(namesake ? [namesake] : [])])
  return { kind: 'conflict', property, others: [...others].filter((other) => other !== property && !other.trashed) }
}

function findPlace(row: IncomingRow, register: RegisterIndex, used: Used): Match | undefined {
  const { fields, keys } = row
  const atAddress = register.byAddress.get(keys.strong ?? '') ?? []
  const atWeakAddress = register.byWeakAddress.get(keys.weak ?? '') ?? []
  const sameBuilding = ({ values }: RegisterRow) => buildingOf(values) === buildingOf(fields)
  const found = (
    [
      ['address_building', atAddress.filter(sameBuilding)],
      ['address_name', comparable(atAddress).filter(({ values }) => hasAlmostSameName(fields, values))],
      ['coordinates', nearby(fields, register.byCell)],
      ['weak_address', atWeakAddress.filter(sameBuilding)],
    ] as const
  ).map(([rule, all]) => ({ rule, properties: all.filter(({ id }) => !used.has(id)), isShared: all.filter(isActive).length > 1 }))
  let several: RegisterRow[] | undefined
  let renamed: RegisterRow | undefined
  for (const { rule, properties, isShared } of found) {
    const active = properties.filter(isActive)
    const [property, ...others] = active
    // At an address with several properties, the last one that is left is not the one of a row with another name.
    if (property && others.length === 0) {
      if (rule === 'coordinates' || !isShared || !hasOtherName(fields, property.values)) return { kind: 'matched', property, rule }
      renamed ??= property
    } else if (property) several ??= active
  }
  if (several) return { kind: 'ambiguous', candidates: several }
  return renamed ? { kind: 'renamed', property: renamed } : inactiveMatch(row, register, used, found)
}

/** Divested and deleted properties are only reported, and only when nothing else matches. */
function inactiveMatch(
  row: IncomingRow,
  register: RegisterIndex,
  used: Used,
  found: readonly { rule: MatchRule; properties: readonly RegisterRow[] }[],
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

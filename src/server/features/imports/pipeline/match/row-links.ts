import type { AddressKeys } from '#server/engines/address/address-keys.ts'
import type { Area } from '#server/engines/spreadsheet/sheet.ts'
import type { RowFields } from '#server/features/imports/pipeline/validate/results.ts'
import { nameInCity } from './compare-identity.ts'
import type { IncomingRow } from './match-rows.ts'
import { cellKey, nearbyCells } from './nearby.ts'

/**
 * The result of a row depends on other rows and on properties: duplicates, matches and used numbers. Everything that can depend on each
 * other has a key in common, directly or through others. So after a change of some rows it is enough to check those that are connected
 * with them.
 */

/** What identifies a row or property, by field. Numbers of locations are compared without the building, which may come from either. */
function identityKeys(fields: KeyedProperty['values'], { strong, weak }: AddressKeys): string[] {
  const { location_number, external_id } = fields
  const name = nameInCity(fields)
  return [
    ...(name === null ? [] : [`name ${name}`]),
    ...(location_number ? [`number ${location_number.trim().toUpperCase()}`] : []),
    ...(external_id ? [`reference ${external_id}`] : []),
    ...(strong === null ? [] : [`address ${strong}`]),
    ...(weak === null ? [] : [`street ${weak}`]),
  ]
}

/** A key that connects rows with properties, but not rows with rows: otherwise all buildings of a dense city would be connected. */
const NEAR = 'near '

export function rowKeys({ fields, keys, matchedByHand = false, propertyId }: IncomingRow): string[] {
  const { latitude, longitude, building_value } = fields
  const isLocated = typeof latitude === 'number' && typeof longitude === 'number' && typeof building_value === 'number'
  return [
    ...identityKeys(fields, keys),
    ...(isLocated ? [NEAR + cellKey(latitude, longitude)] : []),
    ...(matchedByHand && propertyId ? [`property ${propertyId}`] : []),
  ]
}

export interface KeyedProperty {
  id: string
  strong: string | null
  weak: string | null
  values: Pick<RowFields, 'location_number' | 'external_id' | 'property_name' | 'city' | 'latitude' | 'longitude'>
}

export function propertyKeys({ id, values, ...keys }: KeyedProperty): string[] {
  const { latitude, longitude } = values
  const isLocated = typeof latitude === 'number' && typeof longitude === 'number'
  const near = isLocated ? nearbyCells(latitude, longitude).map((cell) => NEAR + cell) : []
  return [...identityKeys(values, keys), ...near, `property ${id}`]
}

/** The keys of the vertically merged ranges that contain a row: their cells apply to each of its rows. */
export function rangeKeys(merges: ReadonlyMap<number, readonly Area[]>): (sheet: number, sheetRow: number) => string[] {
  const vertical = new Map([...merges].map(([sheet, areas]) => [sheet, areas.filter(({ top, bottom }) => bottom > top)]))
  return (sheet, sheetRow) =>
    (vertical.get(sheet) ?? []).flatMap(({ top, bottom, left }) =>
      sheetRow >= top && sheetRow <= bottom ? [`merged ${sheet} ${left} ${top}`] : [],
    )
}

type KeysOf<Id> = ReadonlyMap<Id, readonly string[]>

/** The rows and properties that are connected with these keys of rows. */
export function connectedWith(start: Iterable<string>, rows: KeysOf<number>, properties: KeysOf<string>) {
  const [rowsByKey, propertiesByKey] = [byKey(rows), byKey(properties)]
  const found = { rows: new Set<number>(), properties: new Set<string>() }
  const seen = new Set<string>()
  const pending = [...start].map((key) => ({ key, isOfRow: true }))
  const follow = (keys: readonly string[] = [], isOfRow: boolean) => pending.push(...keys.map((key) => ({ key, isOfRow })))
  for (let next = pending.pop(); next; next = pending.pop()) {
    const { key, isOfRow } = next
    const isNear = key.startsWith(NEAR)
    const visit = isNear ? `${key} ${isOfRow}` : key
    if (seen.has(visit)) continue
    seen.add(visit)
    for (const number of (isNear && isOfRow ? undefined : rowsByKey.get(key)) ?? []) {
      if (!found.rows.has(number)) follow(rows.get(number), true)
      found.rows.add(number)
    }
    for (const id of (isNear && !isOfRow ? undefined : propertiesByKey.get(key)) ?? []) {
      if (!found.properties.has(id)) follow(properties.get(id), false)
      found.properties.add(id)
    }
  }
  return found
}

function byKey<Id>(all: KeysOf<Id>): Map<string, Id[]> {
  const index = new Map<string, Id[]>()
  for (const [id, keys] of all) {
    for (const key of keys) {
      const ids = index.get(key)
      if (ids) ids.push(id)
      else index.set(key, [id])
    }
  }
  return index
}

import type { AddressKeys } from '#server/engines/address/address-keys.ts'
import type { RowFields, RowIssue } from './row-fields.ts'

interface NumberedRow {
  number: number
  fields: RowFields
  keys: AddressKeys
}

/** How a row is spoken of. */
type RowName = (number: number) => string

const SAME_VALUE_SHARE = 0.02

/** Rows that a person probably listed twice: the same numbers (an error), or one building at one address twice (a warning). */
export function findDuplicates(rows: readonly NumberedRow[], nameOf: RowName = (number) => `row ${number}`): Map<number, RowIssue> {
  const found = new Map<number, RowIssue>()
  const byNumber = new Map<string, number>()
  const byAddress = new Map<string, NumberedRow[]>()
  for (const row of rows) {
    const { location_number: location, building_number: building } = row.fields
    if (location) {
      const key = `${location}|${building ?? '1'}`
      const first = byNumber.get(key)
      if (first === undefined) byNumber.set(key, row.number)
      else found.set(row.number, sameNumber(location, building ?? '1', nameOf(first)))
    }
    const { strong } = row.keys
    if (strong === null) continue
    const key = `${strong}|${building ?? '1'}`
    const group = byAddress.get(key)
    if (group) group.push(row)
    else byAddress.set(key, [row])
  }
  for (const group of byAddress.values()) {
    if (group.length > 1) findInGroup(group, found, nameOf)
  }
  return found
}

/** Sorted by value only neighbours can be alike, so a street with a thousand buildings stays cheap. */
function findInGroup(group: readonly NumberedRow[], found: Map<number, RowIssue>, nameOf: RowName): void {
  const sorted = [...group].sort((a, b) => (a.fields.building_value ?? 0) - (b.fields.building_value ?? 0) || a.number - b.number)
  sorted.forEach((row, index) => {
    const twin = sorted[index - 1]
    if (!twin || !isAlike(twin.fields, row.fields)) return
    const [first, second] = twin.number < row.number ? [twin, row] : [row, twin]
    if (!found.has(second.number)) found.set(second.number, sameBuilding(first, second, nameOf))
  })
}

const isAlike = (a: RowFields, b: RowFields): boolean => {
  const value = a.building_value ?? 0
  const other = b.building_value ?? 0
  const sameArea = Boolean(a.floor_area) && a.floor_area === b.floor_area
  return value > 0 && other > 0 ? Math.abs(other - value) <= SAME_VALUE_SHARE * Math.max(value, other) : sameArea && value === other
}

const sameNumber = (location: string, building: string, first: string): RowIssue => ({
  column: null,
  field: 'location_number',
  code: 'duplicate_in_file',
  severity: 'error',
  message: `Location ${location}, building ${building} already stands in ${first}. Give one of them another number, or exclude one row.`,
  value: location,
})

const sameBuilding = (first: NumberedRow, second: NumberedRow, nameOf: RowName): RowIssue => ({
  column: null,
  field: 'address',
  code: 'duplicate_in_file',
  severity: 'warning',
  message: `Same address, building and value as ${nameOf(first.number)}${first.fields.location_number ? ` (location ${first.fields.location_number})` : ''}. Exclude one row if it is the same building.`,
  value: second.fields.address ?? null,
})

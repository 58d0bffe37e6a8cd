import { PROPERTY_DEFAULTS } from '#contract/property-fields.ts'
import type { RowFields } from '#server/features/imports/pipeline/validate/results.ts'

/** A property of the register. */
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

/** The register by everything that may identify an incoming row. */
export interface RegisterIndex {
  byId: ReadonlyMap<string, RegisterRow>
  byExternalId: ReadonlyMap<string, RegisterRow[]>
  byNumber: ReadonlyMap<string, RegisterRow[]>
  byAddress: ReadonlyMap<string, RegisterRow[]>
  byWeakAddress: ReadonlyMap<string, RegisterRow[]>
  byCell: ReadonlyMap<string, RegisterRow[]>
}

export const numberKey = (location: string, building: string | null | undefined): string =>
  `${location.trim().toUpperCase()}|${(building ?? PROPERTY_DEFAULTS.building_number).trim().toUpperCase()}`

/** About 110 m of latitude. A cell and its neighbors contain everything within 50 m of a point, except close to the poles. */
const CELL_DEGREES = 0.001
const cellOf = (degrees: number) => Math.floor(degrees / CELL_DEGREES)
export const nearbyCells = (latitude: number, longitude: number): string[] =>
  [-1, 0, 1].flatMap((up) => [-1, 0, 1].map((right) => `${cellOf(latitude) + up}|${cellOf(longitude) + right}`))

export function indexRegister(rows: readonly RegisterRow[]): RegisterIndex {
  const groupBy = (keyOf: (row: RegisterRow) => string | null | undefined) => {
    const index = new Map<string, RegisterRow[]>()
    for (const row of rows) {
      const key = keyOf(row)
      if (!key) continue
      const list = index.get(key)
      if (list) list.push(row)
      else index.set(key, [row])
    }
    return index
  }
  return {
    byId: new Map(rows.map((row) => [row.id, row])),
    byExternalId: groupBy(({ values }) => values.external_id),
    byNumber: groupBy(({ values }) => (values.location_number ? numberKey(values.location_number, values.building_number) : null)),
    byAddress: groupBy(({ addressKey }) => addressKey),
    byWeakAddress: groupBy(({ weakAddressKey }) => weakAddressKey),
    byCell: groupBy(({ values: { latitude, longitude } }) =>
      typeof latitude === 'number' && typeof longitude === 'number' ? `${cellOf(latitude)}|${cellOf(longitude)}` : null,
    ),
  }
}

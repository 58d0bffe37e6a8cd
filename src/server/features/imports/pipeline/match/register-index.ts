import { PROPERTY_DEFAULTS } from '#contract/property-fields.ts'
import type { RowFields } from '#server/features/imports/pipeline/validate/results.ts'
import { comparableName, nameInCity } from './compare-identity.ts'
import { cellKey } from './nearby.ts'

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

export const buildingOf = ({ building_number }: RowFields): string => building_number ?? PROPERTY_DEFAULTS.building_number

/** Location and building number; null without a location number. */
export const numberKey = (fields: RowFields): string | null =>
  fields.location_number ? `${fields.location_number.trim()}|${buildingOf(fields).trim()}`.toUpperCase() : null

/** Address, building number and name; null unless all are given. */
export const nameKey = (address: string | null, fields: RowFields): string | null => {
  const name = comparableName(fields)
  return address && name ? [address, buildingOf(fields), name].join('|') : null
}

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
    byAddressAndName: groupBy(({ addressKey, values }) => nameKey(addressKey, values)),
    byWeakAddressAndName: groupBy(({ weakAddressKey, values }) => nameKey(weakAddressKey, values)),
    byNameInCity: groupBy(({ values }) => nameInCity(values)),
    byCell: groupBy(({ values: { latitude, longitude } }) =>
      typeof latitude === 'number' && typeof longitude === 'number' ? cellKey(latitude, longitude) : null,
    ),
  }
}
export type RegisterIndex = ReturnType<typeof indexRegister>

import { sql } from 'kysely'
import { CONTENTS_PARTS, PROPERTY_FIELDS, type PropertyFieldName } from '#contract/property-fields.ts'
import type { ColumnDefinition } from '#server/engines/datatable/define-datatable.ts'
import { naturalKeys, naturalOrder } from '#server/engines/datatable/natural-order.ts'

/**
 * A column with a field of the property, sorted by its own values, empty ones last. Exports have the whole label, by which an import of the
 * file finds the field again.
 */
export const field = (
  name: PropertyFieldName,
  label: string,
  { exported, ...extra }: Partial<ColumnDefinition> = {},
): ColumnDefinition => ({
  label,
  sort: { by: sql.ref(`account_properties.${name}`), nullsLast: true },
  exported: { label: PROPERTY_FIELDS[name].label, ...exported },
  ...extra,
})
export const number = (name: PropertyFieldName, label: string, extra: Partial<ColumnDefinition> = {}) =>
  field(name, label, { align: 'right', ...extra })
export const money = (name: PropertyFieldName, label: string, extra: Partial<ColumnDefinition> = {}) =>
  number(name, label, { exported: { kind: 'money' }, ...extra })
export const sorted = (name: 'tiv' | 'status'): Pick<ColumnDefinition, 'sort'> => ({
  sort: { by: sql.ref(`account_properties.${name}`), nullsLast: true },
})

/** What the list adds up: its columns of values, and what contents are made of. */
export const SUMMED_VALUES = {
  columns: ['building_value', 'contents_value', 'bi_value', 'tiv'],
  also: CONTENTS_PARTS,
  currency: 'currency',
} as const

/** The order of the column of location numbers. */
export const BY_LOCATION = { ...naturalKeys('account_properties.location_number'), nullsLast: true }

/**
 * SQL: the order of a schedule, by location and building number; properties without a location number are last, by building number and
 * address. Addresses of the others don't matter, and comparing them would double the time of a long list.
 */
export const SCHEDULE_ORDER = sql`${naturalOrder('account_properties.location_number')}, ${naturalOrder('account_properties.building_number')},
  (CASE WHEN account_properties.location_number IS NULL THEN ${naturalKeys('account_properties.address').by} END), account_properties.id`

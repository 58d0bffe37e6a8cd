import { sql } from 'kysely'
import { PROPERTY_FIELDS, type PropertyFieldName } from '#contract/property-fields.ts'
import type { ColumnDefinition } from '#server/engines/datatable/define-datatable.ts'

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

/** SQL: the number in a column of texts, null for other texts. */
const asNumber = (name: 'location_number' | 'building_number') => {
  const column = sql.ref(`account_properties.${name}`)
  return sql`(CASE WHEN ${column} ~ '^[0-9]{1,15}$' THEN ${column}::bigint END)`
}

/** Location numbers sort as numbers where they are numbers. */
export const BY_LOCATION = { first: asNumber('location_number'), by: sql`account_properties.location_number`, nullsLast: true }

/** SQL: the order of a schedule. */
export const SCHEDULE_ORDER = sql`${BY_LOCATION.first} NULLS LAST, ${BY_LOCATION.by} NULLS LAST, ${asNumber('building_number')} NULLS LAST,
  account_properties.building_number, account_properties.address, account_properties.id`

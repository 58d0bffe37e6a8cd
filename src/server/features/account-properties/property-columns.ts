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

/** Location numbers sort as numbers where they are numbers. */
export const BY_LOCATION = {
  first: sql`(CASE WHEN account_properties.location_number ~ '^[0-9]{1,15}$' THEN account_properties.location_number::bigint END)`,
  by: sql`account_properties.location_number`,
  nullsLast: true,
}

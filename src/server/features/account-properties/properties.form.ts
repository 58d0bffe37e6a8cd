import {
  PROPERTY_DEFAULTS,
  PROPERTY_FIELD_NAMES,
  PROPERTY_SECTIONS,
  propertyField,
  type PropertyFieldName,
} from '#contract/property-fields.ts'
import { valueField } from '#server/engines/record/form-fields.ts'
import { valuesOf } from './save-property.ts'
import type { PropertyRecord } from './properties.queries.ts'

const NEW: Partial<Record<PropertyFieldName, string | number>> = PROPERTY_DEFAULTS

/** All fields of the record in their sections, from the one definition of a property. */
export function propertyForm(record: PropertyRecord | undefined) {
  const values = record === undefined ? NEW : valuesOf(record)
  return Object.entries(PROPERTY_SECTIONS).map(([section, title]) => ({
    title,
    fields: PROPERTY_FIELD_NAMES.filter((name) => propertyField(name).section === section).map((name) =>
      formField(name, values[name] ?? ''),
    ),
  }))
}

function formField(name: PropertyFieldName, value: string | number) {
  const definition = propertyField(name)
  const help = definition.level === 'core' ? 'Counts toward data quality' : undefined
  const shown = valueField(name, help === undefined ? definition : { help, ...definition }, value)
  return name === 'description' ? { ...shown, type: 'textarea' as const } : shown
}

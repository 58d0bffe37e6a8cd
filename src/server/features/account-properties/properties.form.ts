import type { z } from 'zod'
import { optionsOf, type FormField } from '#contract/form.ts'
import {
  PROPERTY_DEFAULTS,
  PROPERTY_FIELD_NAMES,
  PROPERTY_SECTIONS,
  propertyField,
  type PropertyField,
  type PropertyFieldName,
} from '#contract/property-fields.ts'
import { COUNTRIES } from '#contract/countries.ts'
import { US_STATES } from '#contract/regions.ts'
import { field } from '#server/engines/record/form-fields.ts'
import { valuesOf } from './save-property.ts'
import type { PropertyRecord } from './properties.queries.ts'

const TYPES: Readonly<Record<PropertyField['kind'], z.input<typeof FormField>['type']>> = {
  text: 'text',
  choice: 'select',
  integer: 'number',
  number: 'number',
  year: 'number',
  area: 'number',
  percent: 'percent',
  money: 'money',
  date: 'date',
  state: 'text',
  country: 'select',
  postal_code: 'text',
  currency: 'text',
  latitude: 'number',
  longitude: 'number',
}

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
  return field(name, definition.label, name === 'description' ? 'textarea' : TYPES[definition.kind], value, {
    required: definition.level === 'required',
    ...(definition.help === undefined && definition.level !== 'core' ? {} : { help: definition.help ?? 'Counts toward data quality' }),
    ...(definition.kind === 'choice' ? { options: optionsOf(definition.choices) } : {}),
    ...(definition.kind === 'country' ? { options: optionsOf(COUNTRIES) } : {}),
    ...(definition.kind === 'state' ? { placeholder: Object.keys(US_STATES).slice(0, 3).join(', ') } : {}),
    ...(definition.kind === 'year' ? { whole: true } : {}),
    ...(definition.kind === 'text' ? { max: definition.max } : {}),
  })
}

import type { z } from 'zod'
import { optionsOf, type FormField } from '#contract/form.ts'
import { COUNTRIES } from '#contract/countries.ts'
import type { ValueField } from '#contract/property-fields.ts'
import { US_STATES } from '#contract/regions.ts'

type Field = z.input<typeof FormField>

/** A field of a form with its current value. */
export const field = (
  name: string,
  label: string,
  type: Field['type'],
  value: unknown,
  options: Partial<Omit<Field, 'name' | 'label' | 'type' | 'value'>> = {},
): Field => ({ name, label, type, value, required: false, ...options })

const TYPES: Readonly<Record<ValueField['kind'], Field['type']>> = {
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

/** The field of a form for a field that is declared in a table, such as PROPERTY_FIELDS. */
export const valueField = (name: string, definition: ValueField, value: unknown): Field =>
  field(name, definition.label, TYPES[definition.kind], value, {
    required: definition.level === 'required',
    ...(definition.help === undefined ? {} : { help: definition.help }),
    ...(definition.kind === 'choice' ? { options: optionsOf(definition.choices) } : {}),
    ...(definition.kind === 'country' ? { options: optionsOf(COUNTRIES) } : {}),
    ...(definition.kind === 'state' ? { placeholder: Object.keys(US_STATES).slice(0, 3).join(', ') } : {}),
    ...(definition.kind === 'year' ? { whole: true } : {}),
    ...(definition.kind === 'text' ? { max: definition.max } : {}),
  })

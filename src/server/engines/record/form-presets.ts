import type { z } from 'zod'
import type { Form } from '#contract/form.ts'

type Sections = z.input<typeof Form>['sections']
type Field = Sections[number]['fields'][number]

/**
 * The form of a new record with values from its address, such as `?timezone=America/Denver`. A value that the field cannot have is ignored.
 * Fields that are searched for are filled by the model, by what the viewer sees; secrets are never in an address.
 */
export const withPresets = (sections: Sections, presets: Readonly<Record<string, unknown>>): Sections =>
  sections.map(({ title, fields }) => ({ title, fields: fields.map((field) => withPreset(field, presets[field.name])) }))

function withPreset(field: Field, preset: unknown): Field {
  if (typeof preset !== 'string' || preset === '' || field.disabled === true) return field
  const value = presetValue(field, preset)
  return value === undefined ? field : { ...field, value }
}

function presetValue({ type, options = [], max = Number.POSITIVE_INFINITY }: Field, preset: string): unknown {
  const isOption = (value: string) => options.some((option) => option.value === value)
  switch (type) {
    case 'text':
    case 'textarea':
    case 'email':
      return preset.length <= max ? preset : undefined
    case 'date':
      return /^\d{4}-\d{2}-\d{2}$/.test(preset) ? preset : undefined
    case 'number':
    case 'money':
    case 'percent':
      return Number.isFinite(Number(preset)) ? Number(preset) : undefined
    case 'select':
      return isOption(preset) ? preset : undefined
    case 'multiselect': {
      const known = preset.split(',').filter(isOption)
      return known.length > 0 ? known : undefined
    }
    case 'checkbox':
      return preset === '1' ? true : preset === '0' ? false : undefined
    default:
      return undefined
  }
}

import type { PropertyFieldName } from '#contract/property-fields.ts'
import { formatNumber } from '#contract/format.ts'
import { valueWords, type PropertyValue } from './property-words.ts'

/** The value as the table shows it: the unit stands in the heading there, states by their code. */
export function cellWords(name: PropertyFieldName, value: PropertyValue): string {
  if (name === 'floor_area' && value !== null) return formatNumber(Number(value))
  return name === 'state' ? String(value ?? '') : valueWords(name, value)
}

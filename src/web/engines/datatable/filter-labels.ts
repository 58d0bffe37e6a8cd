import type { Filter } from '#contract/datatable.ts'
import { sentenceCase } from '#contract/format.ts'

export interface FilterChip {
  name: string
  label: string
  text: string
}

/** The label and text of a filter that the model's own filters don't include; undefined shows the plain value. */
export type FilterLabel = (name: string, value: string) => { label: string; text: string } | undefined

function rangeText(value: string): string {
  const [from = '', to = ''] = value.split('..')
  if (from !== '' && to !== '') return `${from} to ${to}`
  return from === '' ? `until ${to}` : `from ${from}`
}

function filterText({ type, options }: Filter, value: string): string {
  if (type === 'text') return value
  if (type === 'boolean') return value === '1' ? 'Yes' : 'No'
  if (type === 'date_range') return rangeText(value)
  const label = (part: string) => options.find((option) => option.value === part)?.label ?? part
  return value.split(',').map(label).join(', ')
}

/** One chip for each filter in use. */
export function filterChips(values: readonly (readonly [string, string])[], filters: readonly Filter[], more?: FilterLabel): FilterChip[] {
  return values.map(([name, value]) => {
    const special = more?.(name, value)
    if (special) return { name, ...special }
    const filter = filters.find((candidate) => candidate.name === name)
    return filter
      ? { name, label: filter.label, text: filterText(filter, value) }
      : { name, label: sentenceCase(name.replaceAll('_', ' ')), text: value }
  })
}

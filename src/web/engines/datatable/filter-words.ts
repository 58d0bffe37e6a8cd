import type { Filter } from '#contract/datatable.ts'
import { sentenceCase } from '#contract/format.ts'

export interface FilterChip {
  name: string
  label: string
  words: string
}

/** The words of a filter that the model's list of filters does not hold; undefined shows the plain value. */
export type FilterWords = (name: string, value: string) => { label: string; words: string } | undefined

const sentence = (name: string) => sentenceCase(name.replaceAll('_', ' '))

function rangeWords(value: string): string {
  const [from = '', to = ''] = value.split('..')
  if (from !== '' && to !== '') return `${from} to ${to}`
  return from === '' ? `until ${to}` : `from ${from}`
}

function wordsOf(filter: Filter, value: string): string {
  switch (filter.type) {
    case 'select':
    case 'multiselect':
      return value
        .split(',')
        .map((part) => filter.options.find((option) => option.value === part)?.label ?? part)
        .join(', ')
    case 'boolean':
      return value === '1' ? 'Yes' : 'No'
    case 'date_range':
      return rangeWords(value)
    case 'text':
      return value
    default:
      return filter.type satisfies never
  }
}

/** One chip for each filter that is set, in words a person reads. */
export function filterChips(filters: Readonly<Record<string, string>>, known: readonly Filter[], more?: FilterWords): FilterChip[] {
  return Object.entries(filters).map(([name, value]) => {
    const special = more?.(name, value)
    if (special) return { name, ...special }
    const filter = known.find((candidate) => candidate.name === name)
    return filter ? { name, label: filter.label, words: wordsOf(filter, value) } : { name, label: sentence(name), words: value }
  })
}

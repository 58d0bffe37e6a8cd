import type { Form, FormField } from '#contract/form.ts'
import { changedNames, initialValues, type FormValues } from './form-values.ts'

export interface Merge {
  /** What a person changed stays; everything else is as it is saved now. */
  values: FormValues
  /** Fields that both sides changed to different values: what the other side saved. */
  theirs: FormValues
}

const same = (left: unknown, right: unknown) => JSON.stringify(left) === JSON.stringify(right)

/** After a stale save: brings what a person changed together with what somebody else has saved meanwhile. */
export function mergeForms(before: FormValues, mine: FormValues, fresh: Form): Merge {
  const now = initialValues(fresh)
  const changed = changedNames(before, mine)
  const disputed = changed.filter((name) => !same(now[name], before[name]) && !same(now[name], mine[name]))
  return {
    values: { ...now, ...Object.fromEntries(changed.map((name) => [name, mine[name]])) },
    theirs: Object.fromEntries(disputed.map((name) => [name, now[name]])),
  }
}

/** The value of a field in words, for showing it beside another one. */
export function valueWords(field: FormField, value: unknown): string {
  if (value === '' || value === null || value === undefined) return 'empty'
  if (typeof value === 'boolean') return value ? 'Yes' : 'No'
  if (Array.isArray(value)) return value.map((one: unknown) => valueWords(field, one)).join(', ') || 'empty'
  if (typeof value === 'object') return Object.values(value).join(': ')
  const text = typeof value === 'number' ? String(value) : typeof value === 'string' ? value : ''
  const label = field.options?.find((option) => option.value === text)?.label ?? field.labels?.[text]
  return label ?? (field.type === 'money' ? `$${Number(text).toLocaleString('en-US')}` : text)
}

import type { z } from 'zod'
import { isCurrency } from '#contract/currencies.ts'
import { formatMoney, formatPrice } from '#contract/format.ts'
import type { Form, FormField } from '#contract/form.ts'

export type FormValues = Readonly<Record<string, unknown>>

export const fieldsOf = (form: Form): FormField[] => form.sections.flatMap((section) => section.fields)

/** What an input holds when nothing is set: inputs want '' or a list, never null. */
function inputValue({ type, value, multiple }: FormField): unknown {
  if (type === 'checkbox') return value === true
  if (type === 'pairs' || type === 'multiselect' || multiple === true) return Array.isArray(value) ? value : []
  return value ?? ''
}

export const initialValues = (form: Form): FormValues => Object.fromEntries(fieldsOf(form).map((field) => [field.name, inputValue(field)]))

export const isEmpty = (value: unknown): boolean => value === '' || value === null || (Array.isArray(value) && value.length === 0)
/** Null and '' both mean that a field is not set. */
const isSame = (left: unknown, right: unknown) => JSON.stringify(left ?? '') === JSON.stringify(right ?? '')

/** Names of the fields whose value the user changed. */
export const changedNames = (initial: FormValues, values: FormValues): string[] =>
  Object.keys(values).filter((name) => !isSame(values[name], initial[name]))

export interface Merge {
  /** What the user changed, and the saved values of everything else. */
  values: FormValues
  /** Saved values of the fields that both sides changed differently. */
  disputed: FormValues
}

/** Three-way merge after a save that was rejected as stale: `initial` is what both sides started from, `saved` what is stored now. */
export function mergeForms(initial: FormValues, mine: FormValues, saved: FormValues): Merge {
  const changed = changedNames(initial, mine)
  const disputed = changed.filter((name) => !isSame(saved[name], initial[name]) && !isSame(saved[name], mine[name]))
  return {
    values: { ...saved, ...Object.fromEntries(changed.map((name) => [name, mine[name]])) },
    disputed: Object.fromEntries(disputed.map((name) => [name, saved[name]])),
  }
}

/** The body has null for an emptied field; lists stay lists, and a required field stays '', so that its own message says what is missing. */
const bodyValue = (field: FormField, value: unknown) => (value === '' && !field.required ? null : value)

/**
 * The body of a save. A new record sends everything that is filled in or required, an existing one what changed and the version it was
 * read with.
 * @param presets values that the form was opened with and the record belongs to, such as account_id
 */
export function bodyOf(
  form: Form,
  initial: FormValues,
  values: FormValues,
  presets: Readonly<Record<string, string>>,
): Record<string, unknown> {
  const editable = fieldsOf(form).filter((field) => field.disabled !== true)
  if (form.id === null) {
    const filled = editable.filter((field) => field.required || !isEmpty(values[field.name]))
    return { ...presets, ...Object.fromEntries(filled.map((field) => [field.name, values[field.name]])) }
  }
  const changed = new Set(changedNames(initial, values))
  const body = Object.fromEntries(
    editable.filter((field) => changed.has(field.name)).map((field) => [field.name, bodyValue(field, values[field.name])]),
  )
  return form.version === null ? body : { ...body, version: form.version }
}

/** The sentence of a zod issue: a union hides its own behind "Invalid input". */
export function issueMessage(issue: z.core.$ZodIssue): string {
  if (issue.code !== 'invalid_union') return issue.message
  const deepest = issue.errors.flat().find(({ message }) => !message.startsWith('Invalid input'))
  return deepest === undefined ? issue.message : issueMessage(deepest)
}

/** The first message of each path, as "meta.2.label". */
export function issueMessages(schema: z.ZodType, value: unknown): Record<string, string> {
  const checked = schema.safeParse(value)
  if (checked.success) return {}
  return Object.fromEntries(checked.error.issues.toReversed().map((issue) => [issue.path.join('.'), issueMessage(issue)]))
}

/** Errors by field: "meta.2.label" belongs under "meta". Errors that belong to no field of the form are returned as `rest`. */
export function placeErrors(form: Form, errors: Readonly<Record<string, string>>): { fields: Record<string, string>; rest: string[] } {
  const names = new Set(fieldsOf(form).map((field) => field.name))
  const fields: Record<string, string> = {}
  const rest: string[] = []
  for (const [path, message] of Object.entries(errors)) {
    const name = names.has(path) ? path : (path.split('.')[0] ?? path)
    if (names.has(name)) fields[name] ??= message
    else rest.push(message)
  }
  return { fields, rest }
}

/** The currency of the amounts of a form, from the value of its field `currency`. */
export const currencyIn = (value: unknown): string => (typeof value === 'string' && isCurrency(value) ? value : 'USD')

/** The value of a field as text, for showing it next to another one. Amounts are in the `currency` of the form, prices in US dollars. */
export function valueText(field: FormField, value: unknown, currency?: unknown): string {
  if (value === '' || value === null || value === undefined) return 'empty'
  if (typeof value === 'boolean') return value ? 'Yes' : 'No'
  if (Array.isArray(value)) return value.map((one: unknown) => valueText(field, one)).join(', ') || 'empty'
  if (typeof value === 'object') return Object.values(value).join(': ')
  const text = typeof value === 'number' ? String(value) : typeof value === 'string' ? value : ''
  const label = field.options?.find((option) => option.value === text)?.label ?? field.labels?.[text]
  if (label !== undefined || field.type !== 'money') return label ?? text
  return field.cents ? formatPrice(Number(text)) : formatMoney(Number(text), currencyIn(currency))
}

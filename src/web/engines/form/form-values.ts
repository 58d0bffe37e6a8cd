import type { ReactNode } from 'react'
import type { z } from 'zod'
import { isCurrency } from '#contract/currencies.ts'
import { formatExactMoney } from '#contract/format.ts'
import type { Form, FormField } from '#contract/form.ts'

export type FormValues = Readonly<Record<string, unknown>>

export interface FieldProps {
  field: FormField
  value: unknown
  error: ReactNode
  /** `path` is that of the value in a group that changed, such as "2.title". */
  onChange: (value: unknown, path?: string) => void
  /** Of amounts that are not prices; US dollars while it is not a currency. */
  currency?: unknown
  /** Of the values in a group, by their paths. */
  itemErrors?: Readonly<Record<string, ReactNode>>
}

const WIDE: readonly FormField['type'][] = ['textarea', 'pairs', 'multiselect', 'checkbox', 'group']
export const isWide = ({ type }: FormField): boolean => WIDE.includes(type)

/** An item of a group: the values of its fields, and other keys that are sent back as they are. */
export type GroupItem = Readonly<Record<string, unknown>>
const isItem = (value: unknown): value is GroupItem => typeof value === 'object' && value !== null && !Array.isArray(value)
export const itemsIn = (value: unknown): GroupItem[] => (Array.isArray(value) ? value.filter(isItem) : [])
/** Every item has the keys in the same order, so that items can be compared as texts. */
const itemOf = ({ fields = [] }: FormField, item: GroupItem): GroupItem => ({
  ...item,
  ...Object.fromEntries(fields.map((inner) => [inner.name, inputValue({ ...inner, value: item[inner.name] })])),
})
/** A new item, with the values that the fields of the group have. */
export const newItem = (field: FormField): GroupItem =>
  itemOf(field, Object.fromEntries((field.fields ?? []).map(({ name, value }) => [name, value])))
/** "26-03-01 Hydrants" */
export const itemHeading = ({ item }: FormField, value: GroupItem): string =>
  (item?.heading ?? []).flatMap((key) => (isText(value[key]) && value[key] !== '' ? [value[key]] : [])).join(' ')
const isText = (value: unknown): value is string => typeof value === 'string'

export const fieldsOf = (form: Form): FormField[] => form.sections.flatMap((section) => section.fields)

/** What an input holds when nothing is set: inputs want '' or a list, never null. */
function inputValue(field: FormField): unknown {
  const { type, value, multiple } = field
  if (type === 'group') return itemsIn(value).map((item) => itemOf(field, item))
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

export interface Merge<Values extends FormValues> {
  /** What the user changed, and the saved values of everything else. */
  values: Values
  /** Saved values of the fields that both sides changed differently. */
  disputed: FormValues
}

/**
 * Three-way merge after a save that was rejected as stale: `initial` is what both sides started from, `saved` what is stored now. The items
 * of the named groups are merged one by one.
 */
export function mergeForms<Values extends FormValues>(
  initial: FormValues,
  mine: FormValues,
  saved: Values,
  groups: readonly string[] = [],
): Merge<Values> {
  const changed = changedNames(initial, mine)
  const both = changed.filter((name) => !isSame(saved[name], initial[name]) && !isSame(saved[name], mine[name]))
  const merged = new Map(
    both.flatMap((name) => {
      const items = groups.includes(name) ? mergeItems(itemsIn(initial[name]), itemsIn(mine[name]), itemsIn(saved[name])) : undefined
      return items === undefined ? [] : [[name, items] as const]
    }),
  )
  const disputed = both.filter((name) => !merged.has(name))
  return {
    values: { ...saved, ...Object.fromEntries(changed.map((name) => [name, merged.get(name) ?? mine[name]])) },
    disputed: Object.fromEntries(disputed.map((name) => [name, saved[name]])),
  }
}

const idOf = ({ id }: GroupItem) => id ?? null

/** The items of a group with the changes of both sides, mine that are new at the end; undefined if both changed the same value. */
function mergeItems(initial: readonly GroupItem[], mine: readonly GroupItem[], saved: readonly GroupItem[]): GroupItem[] | undefined {
  const find = (items: readonly GroupItem[], id: unknown) => items.find((item) => idOf(item) === id)
  const merged: GroupItem[] = []
  for (const item of saved) {
    const [first, own] = [find(initial, idOf(item)), find(mine, idOf(item))]
    if (own === undefined) {
      if (first !== undefined && !isSame(item, first)) return undefined
      if (first === undefined) merged.push(item)
      continue
    }
    const { values, disputed } = mergeForms(first ?? {}, own, item)
    if (Object.keys(disputed).length > 0) return undefined
    merged.push(values)
  }
  // What the other user removed must not have been changed here.
  const removed = initial.filter((item) => idOf(item) !== null && find(saved, idOf(item)) === undefined)
  const isKept = removed.some((item) => !isSame(find(mine, idOf(item)) ?? item, item))
  return isKept ? undefined : [...merged, ...mine.filter((item) => idOf(item) === null)]
}

/** The body has null for an emptied field; lists stay lists, and a required field stays '', so that its own message says what is missing. */
function bodyValue(field: FormField, value: unknown): unknown {
  if (field.type !== 'group') return value === '' && !field.required ? null : value
  return itemsIn(value).map((item) => ({
    ...item,
    ...Object.fromEntries((field.fields ?? []).map((inner) => [inner.name, bodyValue(inner, item[inner.name])])),
  }))
}

const filledValue = (field: FormField, value: unknown) => (field.type === 'group' ? bodyValue(field, value) : value)

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
    // Fields with a preset are not shown.
    const filled = editable.filter(({ name, required }) => !(name in presets) && (required || !isEmpty(values[name])))
    return { ...presets, ...Object.fromEntries(filled.map((field) => [field.name, filledValue(field, values[field.name])])) }
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

/** Errors by field: "meta.2.label" belongs under "meta", and under its own path in a group. Errors that belong to no field that the form shows are returned as `rest`. */
export function placeErrors(
  form: Form,
  errors: Readonly<Record<string, string>>,
  hidden: readonly string[] = [],
): { fields: Record<string, string>; rest: string[] } {
  const names = new Set(fieldsOf(form).flatMap(({ name }) => (hidden.includes(name) ? [] : [name])))
  const groups = new Map(fieldsOf(form).flatMap(({ name, type, fields: inner = [] }) => (type === 'group' ? [[name, inner] as const] : [])))
  const fields: Record<string, string> = {}
  const rest: string[] = []
  for (const [path, message] of Object.entries(errors)) {
    const [first = path, , inner] = path.split('.')
    const name = names.has(path) ? path : first
    if (groups.get(name)?.some((field) => field.name === inner) === true) fields[path] ??= message
    else if (names.has(name)) fields[name] ??= message
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
  if (field.type === 'group')
    return (
      itemsIn(value)
        .map((item) => itemHeading(field, item))
        .join(', ') || 'none'
    )
  if (Array.isArray(value)) return value.map((one: unknown) => valueText(field, one)).join(', ') || 'empty'
  if (typeof value === 'object') return Object.values(value).join(': ')
  const text = typeof value === 'number' ? String(value) : typeof value === 'string' ? value : ''
  const label = field.options?.find((option) => option.value === text)?.label ?? field.labels?.[text]
  if (label !== undefined || field.type !== 'money') return label ?? text
  return formatExactMoney(Number(text), field.cents ? 'USD' : currencyIn(currency))
}

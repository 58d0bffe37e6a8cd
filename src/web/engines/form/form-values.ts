import type { Form, FormField } from '#contract/form.ts'

export type FormValues = Readonly<Record<string, unknown>>

export const fieldsOf = (form: Form): FormField[] => form.sections.flatMap((section) => section.fields)

/** What an input holds when nothing is set: inputs want '' or a list, never null. */
function shown(field: FormField): unknown {
  const value = field.value ?? null
  switch (field.type) {
    case 'checkbox':
      return value === true
    case 'pairs':
    case 'multiselect':
      return Array.isArray(value) ? value : []
    case 'search':
      return field.multiple === true ? (Array.isArray(value) ? value : []) : (value ?? '')
    case 'text':
    case 'textarea':
    case 'number':
    case 'money':
    case 'percent':
    case 'date':
    case 'select':
    case 'password':
    case 'email':
      return value ?? ''
    default:
      return field.type satisfies never
  }
}

export const initialValues = (form: Form): FormValues => Object.fromEntries(fieldsOf(form).map((field) => [field.name, shown(field)]))

const same = (left: unknown, right: unknown) => JSON.stringify(left) === JSON.stringify(right)

/** Names of the fields whose value a person changed. */
export const changedNames = (initial: FormValues, values: FormValues): string[] =>
  Object.keys(values).filter((name) => !same(values[name], initial[name]))

const isEmpty = (value: unknown) => value === '' || value === null || (Array.isArray(value) && value.length === 0)
/** On the wire an emptied field is null; lists stay lists, and a required one stays empty, so that its own sentence says what is missing. */
const sent = (field: FormField, value: unknown) => (value === '' && !field.required ? null : value)

/**
 * The body of a save: a new record carries everything that is filled in or required, an existing one what changed and the version it was read with.
 * @param presets what the form was opened with and the record belongs to (account_id)
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
    editable.filter((field) => changed.has(field.name)).map((field) => [field.name, sent(field, values[field.name])]),
  )
  return form.version === null ? body : { ...body, version: form.version }
}

/** Errors by field: "meta.2.label" belongs under "meta". What belongs to no field of the form is returned apart. */
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

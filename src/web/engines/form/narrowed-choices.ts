import type { Form, FormField } from '#contract/form.ts'
import { fieldsOf, type FormValues } from './form-values.ts'

/** The form with the choices that another answer for the same form has. Its values stay those that are saved. */
export function withChoicesOf(form: Form, answer: Form): Form {
  const answered = new Map(fieldsOf(answer).map((field) => [field.name, field]))
  const narrowed = (field: FormField): FormField => {
    const options = answered.get(field.name)?.options
    return field.options === undefined || options === undefined ? field : { ...field, options }
  }
  return { ...form, sections: form.sections.map((section) => ({ ...section, fields: section.fields.map(narrowed) })) }
}

/** The values without what is no longer a choice of its field. */
export const choicesNow = (form: Form, values: FormValues): FormValues => ({
  ...values,
  ...Object.fromEntries(fieldsOf(form).flatMap((field) => (field.type === 'multiselect' ? [[field.name, chosenNow(field, values)]] : []))),
})

function chosenNow({ name, options = [] }: FormField, values: FormValues): unknown[] {
  const value = values[name]
  return Array.isArray(value) ? value.filter((one) => options.some((option) => option.value === one)) : []
}

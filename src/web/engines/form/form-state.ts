import type { Form } from '#contract/form.ts'
import { initialValues, type FormValues } from './form-values.ts'
import { mergeForms } from './merge-forms.ts'

export interface FormState {
  form: Form
  initial: FormValues
  values: FormValues
  errors: Readonly<Record<string, string>>
  /** What somebody else saved in fields that were changed here, too; to be decided before saving. */
  theirs: FormValues
  notice: string | null
}

const SAVED_MEANWHILE = 'Somebody else saved this record meanwhile, in other fields. Please check and save again.'

export const startOf = (form: Form): FormState => ({
  form,
  initial: initialValues(form),
  values: initialValues(form),
  errors: {},
  theirs: {},
  notice: null,
})

const without = <T>(record: Readonly<Record<string, T>>, name: string): Record<string, T> =>
  Object.fromEntries(Object.entries(record).filter(([key]) => key !== name))

/** A person enters a value: what was said about the field before no longer holds. */
export const withValue = (state: FormState, name: string, value: unknown): FormState => ({
  ...state,
  values: { ...state.values, [name]: value },
  errors: without(state.errors, name),
  theirs: without(state.theirs, name),
})

export const withMine = (state: FormState, name: string): FormState => ({ ...state, theirs: without(state.theirs, name) })

export const withTheirs = (state: FormState, name: string): FormState => withValue(state, name, state.theirs[name])

/** After a stale save: the form as it is saved now, with what was changed here still in it. */
export function merged(state: FormState, fresh: Form, message: string): FormState {
  const { values, theirs } = mergeForms(state.initial, state.values, fresh)
  const notice = Object.keys(theirs).length > 0 ? message : SAVED_MEANWHILE
  return { form: fresh, initial: initialValues(fresh), values, errors: {}, theirs, notice }
}

import { useForm } from '@mantine/form'
import { useQueryClient } from '@tanstack/react-query'
import { useMemo, useRef, useState } from 'react'
import type { Form, FormField } from '#contract/form.ts'
import { api } from '#web/data/client.ts'
import { changedBy, firstMessages, isApiError, messageOf } from '#web/data/errors.ts'
import { accountOf, modelCalls, type FormModel, type SaveCalls } from '#web/data/models.ts'
import { queries } from '#web/data/queries.ts'
import { invalidateAfterWrite } from '#web/data/staleness.ts'
import { toast } from '#web/ui/toast.tsx'
import { showError } from '../show-error.ts'
import { bodyOf, changedNames, fieldsOf, initialValues, issueMessages, mergeForms, placeErrors, type FormValues } from './form-values.ts'
import { choicesNow, withChoicesOf } from './narrowed-choices.ts'

const CHECK_FIELDS = 'Please check the marked fields.'

/** The values of a form, their errors, and what another user saved meanwhile in the same fields. */
function useFormState(given: Form, presets: RecordFormOptions['presets']) {
  const [form, setForm] = useState(given)
  const initial = useMemo(() => initialValues(form), [form])
  const [disputed, setDisputed] = useState<FormValues>({})
  const [notice, setNotice] = useState<string | null>(null)
  /** The user who saved the record since this form was loaded. */
  const [savedBy, setSavedBy] = useState<string | null>(null)
  const fields = useForm<Record<string, unknown>>({ initialValues: initial })

  const showErrors = (errors: Record<string, string>, fallback: string) => {
    const placed = placeErrors(form, errors, Object.keys(presets))
    fields.setErrors(placed.fields)
    setNotice(placed.rest.join(' ') || (Object.keys(placed.fields).length > 0 ? CHECK_FIELDS : fallback))
  }
  const showFailure = (error: unknown) =>
    isApiError(error) && error.status !== 0 ? setNotice(messageOf(error)) : toast.alert(messageOf(error))
  /** Continues from the form as it is saved now, with the changes of the user still in it. */
  const merge = (saved: Form, by: string | null) => {
    const savedValues = initialValues(saved)
    const groups = fieldsOf(saved).flatMap(({ name, type }) => (type === 'group' ? [name] : []))
    const merged = mergeForms(initial, fields.getValues(), savedValues, groups)
    setForm(saved)
    fields.setValues(merged.values)
    setDisputed(merged.disputed)
    setNotice(null)
    setSavedBy(by ?? (Object.keys(merged.disputed).length > 0 ? 'Another user' : null))
    return merged
  }
  const keepMine = (name: string) => setDisputed((all) => Object.fromEntries(Object.entries(all).filter(([other]) => other !== name)))
  /** @param path of the value in a group that changed; without it, all errors of the group are cleared */
  const set = (name: string, value: unknown, path?: string) => {
    const below = path === undefined ? `${name}.` : `${name}.${path}`
    fields.setFieldValue(name, value)
    for (const wrong of Object.keys(fields.errors).filter((one) => one.startsWith(below))) fields.clearFieldError(wrong)
    keepMine(name)
  }
  /** Continues with the choices of another form, without those values that are no longer among them. */
  const narrow = (answer: Form) => {
    setForm((present) => withChoicesOf(present, answer))
    fields.setValues(choicesNow(answer, fields.getValues()))
  }
  return { form, initial, fields, disputed, savedBy, notice, showErrors, showFailure, merge, keepMine, set, narrow }
}

interface ChoicesOf {
  model: FormModel
  id: string | null
  presets: RecordFormOptions['presets']
}

/** Requests the form with a new value of one field, for the choices of the fields that depend on it. */
function useChoices({ model, id, presets }: ChoicesOf, narrow: (answer: Form) => void) {
  const client = useQueryClient()
  const latest = useRef<unknown>(undefined)
  const request = async (name: string, value: unknown) => {
    latest.current = value
    const answer = await client.query({ ...queries.form(model, id, { ...presets, [name]: String(value) }), staleTime: 0 })
    if (latest.current === value) narrow(answer)
  }
  return (name: string, value: unknown): void => void request(name, value).catch((error: unknown) => showError(error, true))
}

interface RecordFormOptions {
  model: FormModel
  form: Form
  presets: Readonly<Record<string, string>>
  onSaved: (id: string) => void
  /** Shows an error that belongs to no field; by default the form does, in a notice. */
  onError?: ((error: unknown) => void) | undefined
}

/** A form and its save: checks, the errors of the server, and the merge after a save that was rejected as stale. */
export function useRecordForm({ model, form: given, presets, onSaved, onError }: RecordFormOptions) {
  const client = useQueryClient()
  const { fields, merge, narrow, showErrors, showFailure, ...state } = useFormState(given, presets)
  const { form, initial } = state
  const requestChoices = useChoices({ model, id: form.id, presets }, narrow)
  const set: typeof state.set = (name, value, path) => {
    state.set(name, value, path)
    if (fieldsOf(form).find((field) => field.name === name)?.narrows === true) requestChoices(name, value)
  }

  const fail = async (error: unknown) => {
    if (isApiError(error) && error.kind === 'conflict' && form.id !== null) {
      const saved = await client.query({ ...queries.form(model, form.id, presets), staleTime: 0 })
      const { values } = merge(saved, changedBy(error))
      const isMine = ({ name, value, narrows }: FormField) => narrows === true && values[name] !== value
      for (const { name } of fieldsOf(saved).filter(isMine)) requestChoices(name, values[name])
      return
    }
    // If the record is gone, what the user has entered is shown in its place.
    if (isApiError(error) && error.kind === 'not_found' && form.id !== null)
      void client.invalidateQueries({ queryKey: queries.form(model, form.id, presets).queryKey })
    if (isApiError(error) && error.kind === 'invalid') return showErrors(firstMessages(error), messageOf(error))
    if (onError !== undefined) return onError(error)
    return showFailure(error)
  }
  /** The form to save from: the newer one if the page has read it since, as after another logo was saved. */
  const latest = (values: FormValues) => {
    const newer = form.id === null ? undefined : client.getQueryData(queries.form(model, form.id, presets).queryKey)
    if (newer === undefined || (newer.version ?? 0) <= (form.version ?? 0)) return { form, initial, values }
    const merged = merge(newer, null)
    return Object.keys(merged.disputed).length > 0 ? undefined : { form: newer, initial: initialValues(newer), values: merged.values }
  }
  const save = async (entered: FormValues) => {
    const base = latest(entered)
    if (base === undefined) return
    const body = bodyOf(base.form, base.initial, base.values, presets)
    const { create, update }: SaveCalls = modelCalls[model]
    const issues = issueMessages(form.id === null ? create.body : update.body, body)
    if (Object.keys(issues).length > 0) return showErrors(issues, CHECK_FIELDS)
    try {
      const { data, message } = await (form.id === null ? api(create, { body }) : api(update, { params: { id: form.id }, body }))
      invalidateAfterWrite(model, data.id, accountOf(model, data))
      if (message !== '') toast.success(message)
      onSaved(data.id)
    } catch (error) {
      await fail(error).catch(showFailure)
    }
  }
  return {
    ...state,
    set,
    presets,
    values: fields.values,
    errors: fields.errors,
    saving: fields.submitting,
    dirty: changedNames(initial, fields.values).length > 0,
    takeTheirs: (name: string) => set(name, state.disputed[name]),
    submit: fields.onSubmit(save),
  }
}
export type RecordFormState = ReturnType<typeof useRecordForm>

import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { z } from 'zod'
import type { Form } from '#contract/form.ts'
import { firstMessages, isApiError, messageOf } from '#web/data/errors.ts'
import { queries, type FormModel } from '#web/data/queries.ts'
import { invalidateAfterWrite } from '#web/data/staleness.ts'
import { toast } from '#web/ui/toast.tsx'
import { merged, startOf, withMine, withTheirs, withValue, type FormState } from './form-state.ts'
import { bodyOf, changedNames, placeErrors } from './form-values.ts'
import { issueMessages } from './issue-message.ts'
import { saveRecord, type SavedRecord } from './save-calls.ts'

const CHECK_FIELDS = 'Please check the marked fields.'

interface RecordFormOptions {
  model: FormModel
  form: Form
  presets: Readonly<Record<string, string>>
  /** Checks the body before it is sent, with the schema the server uses, too. */
  input: z.ZodType | undefined
  accountId: string | undefined
  onSaved: (saved: SavedRecord) => void
}

/** State of a form while a person fills it in, and its saving with everything that can come back. */
export function useRecordForm({ model, form: given, presets, input, accountId, onSaved }: RecordFormOptions) {
  const client = useQueryClient()
  const [state, setState] = useState(() => startOf(given))
  const [saving, setSaving] = useState(false)
  const patch = (next: Partial<FormState>) => setState((current) => ({ ...current, ...next }))

  const showErrors = (errors: Record<string, string>, fallback: string) => {
    const { fields, rest } = placeErrors(state.form, errors)
    patch({ errors: fields, notice: rest.join(' ') || (Object.keys(fields).length > 0 ? CHECK_FIELDS : fallback) })
  }
  const meetOther = async (message: string) => {
    const fresh = await client.query({ ...queries.form(model, state.form.id, presets), staleTime: 0 })
    setState(merged(state, fresh, message))
  }
  const fail = async (error: unknown) => {
    if (isApiError(error) && error.kind === 'conflict' && state.form.id !== null) return meetOther(messageOf(error))
    if (isApiError(error) && error.kind === 'invalid') return showErrors(firstMessages(error), messageOf(error))
    if (isApiError(error) && error.status !== 0) return patch({ notice: messageOf(error) })
    return toast.alert(messageOf(error))
  }
  const save = async () => {
    const body = bodyOf(state.form, state.initial, state.values, presets)
    const issues = input === undefined ? {} : issueMessages(input, body)
    if (Object.keys(issues).length > 0) return showErrors(issues, CHECK_FIELDS)
    setSaving(true)
    try {
      const saved = await saveRecord(model, state.form, body)
      invalidateAfterWrite(model, saved.id, model === 'accounts' ? saved.id : (accountId ?? null))
      if (saved.message !== '') toast.success(saved.message)
      onSaved(saved)
    } catch (error) {
      await fail(error).catch((second: unknown) => toast.alert(messageOf(second)))
    } finally {
      setSaving(false)
    }
  }
  return {
    ...state,
    saving,
    dirty: changedNames(state.initial, state.values).length > 0,
    undecided: Object.keys(state.theirs).length > 0,
    set: (name: string, value: unknown) => setState((current) => withValue(current, name, value)),
    keepMine: (name: string) => setState((current) => withMine(current, name)),
    takeTheirs: (name: string) => setState((current) => withTheirs(current, name)),
    save,
  }
}
export type RecordFormState = ReturnType<typeof useRecordForm>

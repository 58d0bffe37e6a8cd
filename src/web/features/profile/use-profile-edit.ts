import { useForm } from '@mantine/form'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useState } from 'react'
import { profileCalls, type Profile } from '#contract/profile.ts'
import { api } from '#web/data/client.ts'
import { changedBy, firstMessages, isApiError } from '#web/data/errors.ts'
import { queries } from '#web/data/queries.ts'
import { invalidateAfterWrite } from '#web/data/staleness.ts'
import { mergeForms } from '#web/engines/form/form-values.ts'
import { useUnsavedChanges } from '#web/engines/panel/route-panel.tsx'
import { showError } from '#web/engines/show-error.ts'
import { toast } from '#web/ui/toast.tsx'

interface FieldErrors {
  values: object
  setErrors: (errors: Record<string, string>) => void
}

/** Shows the errors of a save under their fields, and in a toast every error that belongs to no field of the form. */
export const showSaveError = (error: unknown, { values, setErrors }: FieldErrors) => {
  const messages = isApiError(error) && error.kind === 'invalid' ? firstMessages(error) : {}
  setErrors(messages)
  const names = Object.keys(messages)
  if (names.length === 0 || !names.every((name) => Object.hasOwn(values, name))) showError(error)
}

const draftOf = ({ first_name, last_name, email, enable_2fa }: Profile) => ({ first_name, last_name, email: email.text, enable_2fa })

/** The edit of the profile, which continues when an administrator saves it: their values and the changes of the user are merged. */
export function useProfileEdit(profile: Profile, onDirty: (dirty: boolean) => void) {
  const client = useQueryClient()
  /** The profile that the changes are compared with. */
  const [base, setBase] = useState(profile)
  const form = useForm({ initialValues: { ...draftOf(profile), current_password: '' } })
  const changesSignIn = form.values.email !== base.email.text || form.values.enable_2fa !== base.enable_2fa
  const dirty = form.isDirty()
  const release = useUnsavedChanges(dirty, form.submitting)
  const tellDirty = useEffectEvent(onDirty)
  useEffect(() => tellDirty(dirty), [dirty])
  /** Continues from the profile as it is saved now, with the changes of the user still in it. */
  const merge = async (by: string) => {
    const saved = (await api(profileCalls.show)).data
    const { current_password, ...mine } = form.getValues()
    const { values, disputed } = mergeForms(draftOf(base), mine, draftOf(saved))
    setBase(saved)
    form.setInitialValues({ ...draftOf(saved), current_password: '' })
    form.setValues({ ...values, current_password })
    const messageOf = (value: unknown) => `${by} saved ${String(value)} meanwhile. Save again to keep yours.`
    form.setErrors(Object.fromEntries(Object.entries(disputed).map(([name, value]) => [name, messageOf(value)])))
    toast.warning(`${by} changed your profile while you were editing. Check the values and save again.`)
  }
  const save = async ({ current_password, ...values }: typeof form.values) => {
    try {
      const body = { ...values, version: base.version, ...(changesSignIn ? { current_password } : {}) }
      const { data, message } = await api(profileCalls.update, { body })
      release()
      client.setQueryData(queries.profile().queryKey, data)
      onDirty(false)
      invalidateAfterWrite('users', data.id)
      toast.success(message)
    } catch (error) {
      if (isApiError(error) && error.kind === 'conflict') await merge(changedBy(error)).catch(showError)
      else showSaveError(error, form)
    }
  }
  return { form, changesSignIn, dirty, save }
}

import { useForm } from '@mantine/form'
import { useState } from 'react'
import type { Flag } from '#contract/flags.ts'
import { firstMessages, isApiError } from '#web/data/errors.ts'
import { FlagButtons, FlagDetails, FlagMessage } from './flag-fields.tsx'
import { useFlagUpdate } from './flagged-record.ts'
import classes from './flags.module.css'

/** Assigns a flag and changes its due date, its priority and, for the user who raised it, its message. */
export function FlagEdit({ flag: shown, onClose }: { flag: Flag; onClose: () => void }) {
  // The version that the form was opened with, so that a change by another user meanwhile is a conflict.
  const [flag] = useState(shown)
  const update = useFlagUpdate(flag)
  const { assigned_to, due_on, message, priority } = flag
  const form = useForm({
    initialValues: { assigned_to: assigned_to?.id ?? null, due_on: due_on ?? '', high: priority === 'high', message },
  })
  const errors = isApiError(update.error) ? firstMessages(update.error) : {}
  const field = (name: 'assigned_to' | 'due_on' | 'message') => ({ ...form.getInputProps(name), error: errors[name] })
  const save = ({ high, due_on: due, message: text, ...values }: typeof form.values) =>
    update.mutate(
      { ...values, due_on: due || null, priority: high ? 'high' : 'normal', ...(text === message ? {} : { message: text }) },
      { onSuccess: onClose },
    )
  return (
    <form className={classes['form']} noValidate aria-label="Edit flag" onSubmit={form.onSubmit(save)}>
      {flag.accessible_features.edit_message && <FlagMessage {...field('message')} />}
      <FlagDetails
        record={{ account_id: flag.account_id, type: flag.flaggable_type, id: flag.flaggable_id }}
        present={flag.assigned_to}
        field={field}
        high={form.getInputProps('high', { type: 'checkbox' })}
      />
      <FlagButtons submit="Save flag" isPending={update.isPending} disabled={!form.isDirty()} onCancel={onClose} />
    </form>
  )
}

import { Button, Checkbox, Select, Textarea, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useState } from 'react'
import { FLAG_TEXT_MAX_CHARACTERS, type Flag } from '#contract/flags.ts'
import { firstMessages, isApiError } from '#web/data/errors.ts'
import { useAssignees, useFlagUpdate } from './flagged-record.ts'
import classes from './flags.module.css'

/** Assigns a flag and changes its due date, its priority and, for the user who raised it, its message. */
export function FlagEdit({ flag: shown, onClose }: { flag: Flag; onClose: () => void }) {
  // The version that the form was opened with, so that a change by another user meanwhile is a conflict.
  const [flag] = useState(shown)
  const assignees = useAssignees({ account_id: flag.account_id, type: flag.flaggable_type, id: flag.flaggable_id }, flag.assigned_to)
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
      {flag.accessible_features.edit_message && (
        <Textarea
          label="What needs attention?"
          size="md"
          required
          autosize
          minRows={2}
          maxRows={6}
          maxLength={FLAG_TEXT_MAX_CHARACTERS}
          {...field('message')}
        />
      )}
      <div className={classes['fields']}>
        <Select label="Assigned to" placeholder="Not assigned" data={assignees} clearable searchable {...field('assigned_to')} />
        <TextInput type="date" label="Due" {...field('due_on')} />
      </div>
      <Checkbox label="High priority" {...form.getInputProps('high', { type: 'checkbox' })} />
      <div className={classes['buttons']}>
        <Button type="submit" size="xs" loading={update.isPending} disabled={!form.isDirty()}>
          Save flag
        </Button>
        <Button variant="default" size="xs" onClick={onClose}>
          Cancel
        </Button>
      </div>
    </form>
  )
}

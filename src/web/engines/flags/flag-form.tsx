import { Button, Checkbox, Select, Textarea, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation } from '@tanstack/react-query'
import { FLAG_REASONS, FLAG_TEXT_MAX_CHARACTERS, flagCalls, type FlagInput } from '#contract/flags.ts'
import { optionsOf } from '#contract/form.ts'
import { api } from '#web/data/client.ts'
import { firstMessages, isApiError, messageOf } from '#web/data/errors.ts'
import { invalidateAfterWrite } from '#web/data/staleness.ts'
import { Notice } from '#web/ui/notice.tsx'
import { toast } from '#web/ui/toast.tsx'
import { useUnsavedChanges } from '../panel/route-panel.tsx'
import { useAssignees, useFirstField, type FlaggedRecord } from './flagged-record.ts'
import classes from './flags.module.css'

const REASONS = optionsOf(FLAG_REASONS)
const NEW = { reason: 'needs_review', message: '', high: false, assigned_to: null as string | null, due_on: '' }

function useRaise(record: FlaggedRecord, onRaised: () => void) {
  return useMutation({
    mutationFn: ({ high, reason, due_on, ...values }: typeof NEW) =>
      api(flagCalls.raise, {
        body: {
          ...values,
          flaggable_type: record.type,
          flaggable_id: record.id,
          reason: reason as FlagInput['reason'], // one of the options
          priority: high ? 'high' : 'normal',
          due_on: due_on || null,
        },
      }),
    onSuccess: ({ data, message }) => {
      invalidateAfterWrite('flags', data.id, record.account_id)
      toast.success(message)
      onRaised()
    },
  })
}

/** Raises a flag on one record. */
export function FlagForm({ record, onClose }: { record: FlaggedRecord; onClose: () => void }) {
  const assignees = useAssignees(record)
  const form = useForm({
    initialValues: NEW,
    validate: { message: (message) => (message.trim() === '' ? 'Please say what needs attention.' : null) },
  })
  const release = useUnsavedChanges(form.isDirty())
  const raise = useRaise(record, () => {
    release()
    onClose()
  })
  const first = useFirstField()
  const errors = isApiError(raise.error) ? firstMessages(raise.error) : {}
  const field = (name: keyof typeof NEW) => ({ ...form.getInputProps(name), error: errors[name] ?? form.errors[name] })
  return (
    <form className={classes['form']} noValidate aria-label="Raise a flag" onSubmit={form.onSubmit((values) => raise.mutate(values))}>
      {raise.isError && Object.keys(errors).length === 0 && <Notice kind="error">{messageOf(raise.error)}</Notice>}
      <Textarea
        label="What needs attention?"
        size="md"
        required
        autosize
        minRows={2}
        maxRows={6}
        maxLength={FLAG_TEXT_MAX_CHARACTERS}
        ref={first}
        {...field('message')}
      />
      <div className={classes['fields']}>
        <Select label="Reason" data={REASONS} allowDeselect={false} {...field('reason')} />
        <Select label="Assigned to" placeholder="Not assigned" data={assignees} clearable searchable {...field('assigned_to')} />
        <TextInput type="date" label="Due" {...field('due_on')} />
      </div>
      <Checkbox label="High priority" {...form.getInputProps('high', { type: 'checkbox' })} />
      <div className={classes['buttons']}>
        <Button type="submit" size="sm" loading={raise.isPending}>
          Raise flag
        </Button>
        <Button variant="default" size="sm" onClick={onClose}>
          Cancel
        </Button>
      </div>
    </form>
  )
}

import { Select } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation } from '@tanstack/react-query'
import { FLAG_REASONS, flagCalls, type FlagInput } from '#contract/flags.ts'
import { optionsOf } from '#contract/form.ts'
import { api } from '#web/data/client.ts'
import { firstMessages, isApiError, messageOf } from '#web/data/errors.ts'
import { invalidateAfterWrite } from '#web/data/staleness.ts'
import { Notice } from '#web/ui/notice.tsx'
import { toast } from '#web/ui/toast.tsx'
import { useUnsavedChanges } from '../panel/route-panel.tsx'
import { FlagButtons, FlagDetails, FlagMessage } from './flag-fields.tsx'
import { useFirstField, type FlaggedRecord } from './flagged-record.ts'
import classes from './flags.module.css'

const REASONS = optionsOf(FLAG_REASONS)
const NEW = { reason: 'needs_review', message: '', high: false, assigned_to: null as string | null, due_on: '' }

function useRaise(record: FlaggedRecord) {
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
    },
  })
}

/** Raises a flag on one record. */
export function FlagForm({ record, onClose }: { record: FlaggedRecord; onClose: () => void }) {
  const form = useForm({
    initialValues: NEW,
    validate: { message: (message) => (message.trim() === '' ? 'Please say what needs attention.' : null) },
  })
  const raise = useRaise(record)
  const release = useUnsavedChanges(form.isDirty(), raise.isPending)
  const onSuccess = () => {
    release()
    onClose()
  }
  const first = useFirstField()
  const errors = isApiError(raise.error) ? firstMessages(raise.error) : {}
  const field = (name: keyof typeof NEW) => ({ ...form.getInputProps(name), error: errors[name] ?? form.errors[name] })
  return (
    <form
      className={classes['form']}
      noValidate
      aria-label="Raise a flag"
      onSubmit={form.onSubmit((values) => raise.mutate(values, { onSuccess }))}
    >
      {raise.isError && Object.keys(errors).length === 0 && <Notice kind="error">{messageOf(raise.error)}</Notice>}
      <FlagMessage ref={first} {...field('message')} />
      <FlagDetails record={record} field={field} high={form.getInputProps('high', { type: 'checkbox' })}>
        <Select label="Reason" data={REASONS} allowDeselect={false} {...field('reason')} />
      </FlagDetails>
      <FlagButtons submit="Raise flag" size="sm" isPending={raise.isPending} onCancel={onClose} />
    </form>
  )
}

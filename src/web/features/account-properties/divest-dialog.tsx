import { Button, Group, Modal, Select, Stack, Text, TextInput, Textarea } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation } from '@tanstack/react-query'
import { propertyCalls, type Property } from '#contract/account-properties.ts'
import type { ActionBody } from '#contract/datatable.ts'
import { formatMoney } from '#contract/format.ts'
import { optionsOf } from '#contract/form.ts'
import { currencyOf } from '#contract/property-format.ts'
import { DIVESTED_REASONS } from '#contract/property-vocabularies.ts'
import { api } from '#web/data/client.ts'
import { firstMessages, isApiError, messageOf } from '#web/data/errors.ts'
import { useToday } from '#web/data/session.ts'
import { invalidateAfterWrite } from '#web/data/staleness.ts'
import { versionsOf } from '#web/engines/datatable/undo-action.ts'
import { showError } from '#web/engines/show-error.ts'
import { Notice } from '#web/ui/notice.tsx'
import { toast } from '#web/ui/toast.tsx'

const REASONS = optionsOf(DIVESTED_REASONS)
const NOTE_MAX = 500

type Status = 'divest' | 'reactivate'

/** For an undo, `versions` has the version that the property must have. */
async function sendStatus({ id, account_id }: Property, action: Status, input: Record<string, unknown>, versions?: ActionBody['versions']) {
  try {
    return await api(propertyCalls.act, { body: { action, selectedIds: [id], input, account_id, versions } })
  } finally {
    invalidateAfterWrite('account_properties', id, account_id)
  }
}

/**
 * Divests or reactivates a property; Undo in the toast returns it to the status, date, reason and note that it had. Without Undo if another
 * user had done it before.
 */
export async function changeStatus(property: Property, action: Status, input: Record<string, unknown>): Promise<void> {
  const { divested_on, divested_reason, divested_note } = property
  const before = { divested_on, divested_reason: divested_reason ?? undefined, divested_note: divested_note ?? undefined }
  const { message, changed } = await sendStatus(property, action, input)
  const versions = versionsOf(changed)
  const undo = () =>
    action === 'divest' ? sendStatus(property, 'reactivate', {}, versions) : sendStatus(property, 'divest', before, versions)
  const canUndo = changed.length > 0 && (action === 'divest' || divested_on !== null)
  const onClick = () => void undo().then((done) => toast.success(done.message), showError)
  toast.success(message, canUndo ? { action: { label: 'Undo', onClick } } : {})
}

export function DivestDialog({ property, onClose }: { property: Property; onClose: () => void }) {
  const today = useToday()
  const form = useForm({
    initialValues: { divested_on: today, divested_reason: 'sold', divested_note: '' },
    validate: { divested_on: (date) => (date === '' ? 'Please enter the date.' : null) },
  })
  const divest = useMutation({
    mutationFn: ({ divested_note: note, ...input }: typeof form.values) =>
      changeStatus(property, 'divest', { ...input, divested_note: note.trim() || undefined }),
    onSuccess: onClose,
  })
  const errors = isApiError(divest.error) ? firstMessages(divest.error) : {}
  const field = (name: keyof typeof form.values) => ({ ...form.getInputProps(name), error: errors[name] ?? form.errors[name] })
  return (
    <Modal opened onClose={onClose} title="Divest property" zIndex={400}>
      <form noValidate onSubmit={form.onSubmit((values) => divest.mutate(values))}>
        <Stack gap="md">
          <Text>
            {property.full_address}, with{' '}
            {property.tiv === null
              ? 'no known value'
              : `a total insured value of ${formatMoney(property.tiv, currencyOf(property.values))}`}
            , will no longer be part of the active properties, totals and map. Its documents remain, and you can reactivate it.
          </Text>
          {divest.isError && Object.keys(errors).length === 0 && <Notice kind="error">{messageOf(divest.error)}</Notice>}
          <TextInput type="date" label="Divested on" required data-autofocus {...field('divested_on')} />
          <Select label="Reason" data={REASONS} allowDeselect={false} {...field('divested_reason')} />
          <Textarea label="Note" size="md" maxLength={NOTE_MAX} autosize minRows={2} {...field('divested_note')} />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={divest.isPending}>
              Divest
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}

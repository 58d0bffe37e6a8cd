import { Button, Group, Modal, Select, Stack, Text, TextInput, Textarea } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState, type SyntheticEvent } from 'react'
import { propertyCalls, type Property } from '#contract/account-properties.ts'
import { DIVESTED_REASONS } from '#contract/property-vocabularies.ts'
import { api } from '#web/data/client.ts'
import { firstMessages, isApiError, messageOf } from '#web/data/errors.ts'
import { invalidateAfterWrite } from '#web/data/staleness.ts'
import { Notice } from '#web/ui/notice.tsx'
import { toast } from '#web/ui/toast.tsx'

const REASONS = Object.entries(DIVESTED_REASONS).map(([value, label]) => ({ value, label }))
const NOTE_MAX = 500

/** Divests or reactivates a property. Returns the message of the server. */
export async function changeStatus(property: Property, action: 'divest' | 'reactivate', input: Record<string, unknown>): Promise<string> {
  const { message } = await api(propertyCalls.act, { body: { action, selectedIds: [property.id], input, account_id: property.account_id } })
  invalidateAfterWrite('account_properties', property.id, property.account_id)
  return message
}

export function DivestDialog({ property, onClose }: { property: Property; onClose: () => void }) {
  const [date, setDate] = useState('')
  const [reason, setReason] = useState<string>('sold')
  const [note, setNote] = useState('')
  const divest = useMutation({
    mutationFn: () =>
      changeStatus(property, 'divest', {
        divested_on: date,
        divested_reason: reason,
        ...(note.trim() === '' ? {} : { divested_note: note.trim() }),
      }),
    onSuccess: (message) => {
      toast.success(message)
      onClose()
    },
  })
  const errors = isApiError(divest.error) ? firstMessages(divest.error) : {}
  const submit = (event: SyntheticEvent) => {
    event.preventDefault()
    divest.mutate()
  }
  return (
    <Modal opened onClose={onClose} title="Divest property" zIndex={400}>
      <form onSubmit={submit}>
        <Stack gap="md">
          <Text>
            {property.full_address} will no longer be part of the active properties, totals and map. Its documents remain, and you can
            reactivate it.
          </Text>
          {divest.isError && Object.keys(errors).length === 0 && <Notice kind="error">{messageOf(divest.error)}</Notice>}
          <TextInput
            type="date"
            label="Divested on"
            required
            value={date}
            error={errors['divested_on']}
            onChange={(event) => setDate(event.currentTarget.value)}
            data-autofocus
          />
          <Select
            label="Reason"
            data={REASONS}
            value={reason}
            error={errors['divested_reason']}
            allowDeselect={false}
            onChange={(value) => setReason(value ?? 'other')}
          />
          <Textarea
            label="Note"
            size="md"
            maxLength={NOTE_MAX}
            autosize
            minRows={2}
            value={note}
            error={errors['divested_note']}
            onChange={(event) => setNote(event.currentTarget.value)}
          />
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

import { Button, Group, Modal, Select, Stack, Text, TextInput, Textarea } from '@mantine/core'
import { useState, type SyntheticEvent } from 'react'
import type { Property } from '#contract/account-properties.ts'
import { DIVESTED_REASONS } from '#contract/property-vocabularies.ts'
import { firstMessages, isApiError, messageOf } from '#web/data/errors.ts'
import { Notice } from '#web/ui/notice.tsx'
import { useDivest } from './use-property-status.ts'

const REASONS = Object.entries(DIVESTED_REASONS).map(([value, label]) => ({ value, label }))
const NOTE_MAX = 500

/** Takes a property out of the account from a day on; it stays in the list of divested ones. */
export function DivestDialog({ property, onClose }: { property: Property; onClose: () => void }) {
  const [on, setOn] = useState('')
  const [reason, setReason] = useState<string>('sold')
  const [note, setNote] = useState('')
  const divest = useDivest(property, onClose)
  const errors = isApiError(divest.error) ? firstMessages(divest.error) : {}
  const submit = (event: SyntheticEvent) => {
    event.preventDefault()
    divest.mutate({ divested_on: on, divested_reason: reason, ...(note.trim() === '' ? {} : { divested_note: note.trim() }) })
  }
  return (
    <Modal opened onClose={onClose} title="Divest property" zIndex={400}>
      <form onSubmit={submit}>
        <Stack gap="md">
          <Text>
            {property.full_address} leaves the active properties, the totals and the map. Its documents stay, and it can be reactivated.
          </Text>
          {divest.isError && Object.keys(errors).length === 0 && <Notice kind="error">{messageOf(divest.error)}</Notice>}
          <TextInput
            type="date"
            label="Divested on"
            required
            value={on}
            error={errors['divested_on']}
            onChange={(event) => setOn(event.currentTarget.value)}
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

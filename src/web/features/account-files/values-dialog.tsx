import { Button, Group, Modal, NativeSelect, Stack, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { plural } from '#contract/format.ts'
import { showError } from '#web/engines/show-error.ts'
import { changeFiles } from './file-commands.ts'
import { CATEGORY_OPTIONS, DRAFT_LABELS, categoryOf } from './file-fields.ts'

interface ValuesDialogProps {
  accountId: string
  fileIds: readonly string[]
  onClose: () => void
}

const MARK_FIELDS = ['provided_by_broker', 'covers_all_properties'] as const
type MarkField = (typeof MARK_FIELDS)[number]

/** Sets values of one or several documents. */
export function ValuesDialog({ accountId, fileIds, onClose }: ValuesDialogProps) {
  const [category, setCategory] = useState('')
  const [date, setDate] = useState('')
  const [marks, setMarks] = useState<Partial<Record<MarkField, boolean>>>({})
  const code = categoryOf(category)
  const fields = { ...(code && { category: code }), ...(date !== '' && { report_author_date: date }), ...marks }
  const save = useMutation({
    mutationFn: () => changeFiles(accountId, { action: 'set_values', files: [...fileIds], fields }),
    onSuccess: onClose,
    onError: (error) => showError(error),
  })
  return (
    <Modal opened onClose={onClose} title={`Change ${plural(fileIds.length, 'document')}`}>
      <Stack>
        <NativeSelect
          label="Category"
          value={category}
          onChange={(event) => setCategory(event.currentTarget.value)}
          data={[{ value: '', label: 'No change' }, ...CATEGORY_OPTIONS]}
        />
        <TextInput label="Report Date" type="date" value={date} onChange={(event) => setDate(event.currentTarget.value)} />
        {MARK_FIELDS.map((name) => (
          <NativeSelect
            key={name}
            label={DRAFT_LABELS[name]}
            value={String(marks[name] ?? '')}
            onChange={({ currentTarget: { value } }) => {
              const { [name]: _former, ...others } = marks
              setMarks(value === '' ? others : { ...others, [name]: value === 'true' })
            }}
            data={[
              { value: '', label: 'No change' },
              { value: 'true', label: 'Yes' },
              { value: 'false', label: 'No' },
            ]}
          />
        ))}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button disabled={Object.keys(fields).length === 0} loading={save.isPending} onClick={() => save.mutate()}>
            Change {plural(fileIds.length, 'document')}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}

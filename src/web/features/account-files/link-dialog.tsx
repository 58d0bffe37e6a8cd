import { Button, Group, Modal, Radio, Stack } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { plural } from '#contract/format.ts'
import { showError } from '#web/engines/show-error.ts'
import { changeFiles } from './file-commands.ts'
import { PropertyPicker, type PickedProperties } from './property-picker.tsx'

const MODES = { add: 'Add to the links they have', replace: 'Replace the links they have', remove: 'Remove these links' } as const
type Mode = keyof typeof MODES
const isMode = (value: string): value is Mode => Object.hasOwn(MODES, value)

interface LinkDialogProps {
  accountId: string
  fileIds: readonly string[]
  onClose: () => void
}

/** Links one or several documents to properties of their account. */
export function LinkDialog({ accountId, fileIds, onClose }: LinkDialogProps) {
  const [properties, setProperties] = useState<PickedProperties>({})
  const [mode, setMode] = useState<Mode>('add')
  const link = useMutation({
    mutationFn: () =>
      changeFiles(accountId, {
        action: 'assign_properties',
        files: [...fileIds],
        input: { properties: Object.keys(properties), mode },
      }),
    onSuccess: onClose,
    onError: (error) => showError(error),
  })
  return (
    <Modal opened onClose={onClose} title={`Link ${plural(fileIds.length, 'document')} to properties`} size="lg">
      <Stack>
        <PropertyPicker accountId={accountId} label="Properties" value={properties} onChange={setProperties} />
        <Radio.Group label="What happens to links" value={mode} onChange={(value) => isMode(value) && setMode(value)}>
          <Stack gap={6} mt={6}>
            {Object.entries(MODES).map(([value, label]) => (
              <Radio key={value} value={value} label={label} />
            ))}
          </Stack>
        </Radio.Group>
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button disabled={Object.keys(properties).length === 0} loading={link.isPending} onClick={() => link.mutate()}>
            {mode === 'remove' ? 'Remove links' : 'Link to properties'}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}

import { Button, Group, TextInput } from '@mantine/core'
import IconCopy from '@tabler/icons-react/dist/esm/icons/IconCopy.mjs'
import { copyText } from './copy-text.ts'

interface CopyFieldProps {
  label: string
  value: string
  /** The message when it was copied. */
  copied: string
}

/** A link that can be copied but not changed. */
export const CopyField = ({ label, value, copied }: CopyFieldProps) => (
  <Group gap={8} align="end" wrap="nowrap">
    <TextInput label={label} value={value} readOnly flex={1} miw={0} onFocus={({ currentTarget }) => currentTarget.select()} />
    <Button
      variant="default"
      size="md"
      flex="none"
      leftSection={<IconCopy size={16} aria-hidden />}
      onClick={() => void copyText(value, copied)}
    >
      Copy
    </Button>
  </Group>
)

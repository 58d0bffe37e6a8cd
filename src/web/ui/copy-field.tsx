import { Button, Group, TextInput, Textarea } from '@mantine/core'
import IconCopy from '@tabler/icons-react/dist/esm/icons/IconCopy.mjs'
import { copyText } from './copy-text.ts'

interface CopyFieldProps {
  label: string
  value: string
  /** The message when it was copied. */
  copied: string
  /** Shows all of it, for a text that is also typed. */
  isTyped?: boolean
}

const READ_ONLY = { readOnly: true, flex: 1, miw: 0 } as const

/** A link or key that can be copied but not changed. */
export const CopyField = ({ label, value, copied, isTyped = false }: CopyFieldProps) => (
  <Group gap={8} align="end" wrap="nowrap">
    {isTyped ? (
      <Textarea
        {...READ_ONLY}
        label={label}
        labelProps={{ size: 'md' }}
        value={value}
        rows={2}
        onFocus={({ currentTarget }) => currentTarget.select()}
      />
    ) : (
      <TextInput {...READ_ONLY} label={label} value={value} onFocus={({ currentTarget }) => currentTarget.select()} />
    )}
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

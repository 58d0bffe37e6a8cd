import { Button, Group, List, Modal, Text } from '@mantine/core'

/** Shown when the register moved between preview and commit: what moved, before anything is written. */
export function ConflictDialog({ moved, onClose }: { moved: { message: string; lines: readonly string[] }; onClose: () => void }) {
  return (
    <Modal opened onClose={onClose} title="The register has changed" size="lg">
      <Text>{moved.message}</Text>
      {moved.lines.length > 0 && (
        <List mt="sm" size="sm">
          {moved.lines.map((line) => (
            <List.Item key={line}>{line}</List.Item>
          ))}
        </List>
      )}
      <Text mt="sm" c="dimmed">
        Nothing has been written. The rows are checked again against the register as it now is.
      </Text>
      <Group justify="flex-end" mt="lg">
        <Button onClick={onClose}>Review the changes</Button>
      </Group>
    </Modal>
  )
}

import { Group, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'

interface EmptyStateProps {
  title: string
  children?: ReactNode
  /** The first step, if the user has the permission. */
  action?: ReactNode
  icon?: ReactNode
}

export function EmptyState({ title, children, action, icon }: EmptyStateProps) {
  return (
    <Stack align="center" gap={4} px="md" py={40} ta="center">
      {icon !== undefined && (
        <Text component="div" c="dimmed" mb={8} lh={0}>
          {icon}
        </Text>
      )}
      <Text fw={600} maw="60ch">
        {title}
      </Text>
      {children !== undefined && (
        <Text c="dimmed" maw="56ch">
          {children}
        </Text>
      )}
      {action !== undefined && (
        <Group justify="center" gap="xs" mt="md">
          {action}
        </Group>
      )}
    </Stack>
  )
}

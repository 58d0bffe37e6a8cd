import { Button, Group, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { messageOf } from '#web/data/errors.ts'

interface LoadErrorProps {
  query: { error: unknown; refetch: () => unknown }
  /** Shown next to the retry button. */
  children?: ReactNode
}

export function LoadError({ query, children }: LoadErrorProps) {
  return (
    <Stack align="flex-start" gap="sm" role="alert">
      <Text>{messageOf(query.error)}</Text>
      <Group gap="xs">
        <Button variant="default" onClick={() => void query.refetch()}>
          Retry
        </Button>
        {children}
      </Group>
    </Stack>
  )
}

import { Button, Group, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { messageOf } from '#web/data/errors.ts'

interface NotLoadedProps {
  query: { error: unknown; refetch: () => unknown }
  /** Another way on, beside trying again. */
  children?: ReactNode
}

/** Part of the import that could not be fetched: why, and the way to try again. */
export function NotLoaded({ query, children }: NotLoadedProps) {
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

import { Button, Stack, Text } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { isApiError, messageOf } from '#web/data/errors.ts'
import { SkeletonRows } from '#web/ui/skeleton-rows.tsx'

function PanelFailure({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const gone = isApiError(error) && (error.kind === 'not_found' || error.kind === 'forbidden')
  return (
    <Stack align="flex-start" gap="sm" role="alert">
      <Text fw={600}>{gone ? 'This record is not here' : 'This could not be loaded'}</Text>
      <Text c="dimmed">{gone ? 'It may have been deleted, or you may not have permission to see it.' : messageOf(error)}</Text>
      {!gone && (
        <Button variant="default" onClick={onRetry}>
          Retry
        </Button>
      )}
    </Stack>
  )
}

interface PanelContentProps<T> {
  query: UseQueryResult<T>
  children: (data: T) => ReactNode
}

/** The content of a panel for a loaded record, a skeleton before that, and a message if loading failed. */
export function PanelContent<T>({ query, children }: PanelContentProps<T>) {
  if (query.data !== undefined) return children(query.data)
  if (query.isError) return <PanelFailure error={query.error} onRetry={() => void query.refetch()} />
  return <SkeletonRows rows={7} label="Loading" />
}

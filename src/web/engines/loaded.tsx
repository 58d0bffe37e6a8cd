import { Button } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { messageOf } from '#web/data/errors.ts'
import { EmptyState } from '#web/ui/empty-state.tsx'

interface LoadedProps<T> {
  query: UseQueryResult<T>
  /** Shown while the query is loading. */
  skeleton: ReactNode
  /** The title of the error. */
  failure?: string
  /** Next to the retry button. */
  action?: ReactNode
  children: (data: T) => ReactNode
}

/** The content for the data of a query, a skeleton before that, and the error with a retry button if loading failed. */
export function Loaded<T>({ query, skeleton, failure = 'This could not be loaded.', action, children }: LoadedProps<T>) {
  if (query.data !== undefined) return children(query.data)
  if (query.isPending) return skeleton
  const actions = (
    <>
      <Button variant="default" onClick={() => void query.refetch()}>
        Retry
      </Button>
      {action}
    </>
  )
  return (
    <div role="alert">
      <EmptyState title={failure} action={actions}>
        {messageOf(query.error)}
      </EmptyState>
    </div>
  )
}

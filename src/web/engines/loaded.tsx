import { Button } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { messageOf } from '#web/data/errors.ts'
import { EmptyState } from '#web/ui/empty-state.tsx'

interface LoadFailureProps {
  query: UseQueryResult
  title: string
  /** Next to the retry button. */
  action?: ReactNode
}

/** The error of a query that could not be loaded, with a retry button. */
export function LoadFailure({ query, title, action }: LoadFailureProps) {
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
      <EmptyState title={title} action={actions}>
        {messageOf(query.error)}
      </EmptyState>
    </div>
  )
}

interface LoadedProps<T> extends Pick<LoadFailureProps, 'action'> {
  query: UseQueryResult<T>
  /** Shown while the query is loading. */
  skeleton: ReactNode
  /** The title of the error. */
  failure?: string
  children: (data: T) => ReactNode
}

/** The content for the data of a query, a skeleton before that, and the error with a retry button if loading failed. */
export function Loaded<T>({ query, skeleton, failure = 'This could not be loaded.', action, children }: LoadedProps<T>) {
  if (query.data !== undefined) return children(query.data)
  return query.isPending ? skeleton : <LoadFailure query={query} title={failure} action={action} />
}

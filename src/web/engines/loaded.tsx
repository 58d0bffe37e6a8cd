import { Button } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { isApiError, messageOf } from '#web/data/errors.ts'
import { knownSession } from '#web/data/session.ts'
import { EmptyState } from '#web/ui/empty-state.tsx'

/** The title and the text of an error, and whether another try can help: no try gives a permission. */
export function describeFailure(error: unknown, title: string): { title: string; text: string; canRetry: boolean } {
  if (!isApiError(error) || error.kind !== 'forbidden') return { title, text: messageOf(error), canRetry: true }
  const user = knownSession()?.auth_user
  const isGuest = user !== undefined && (user.via_invite || user.via_share_link)
  const whom = isGuest ? 'the sender of your link' : `an administrator of ${user?.company.name ?? 'your company'} to give it to you`
  return { title: 'You need a permission for this', text: `Ask ${whom}.`, canRetry: false }
}

interface LoadFailureProps {
  query: UseQueryResult
  title: string
  /** Next to the retry button. */
  action?: ReactNode
}

/** The error of a query that could not be loaded, with a retry button where another try can help. */
export function LoadFailure({ query, title, action }: LoadFailureProps) {
  const failure = describeFailure(query.error, title)
  const actions = (
    <>
      {failure.canRetry && (
        <Button variant="default" onClick={() => void query.refetch()}>
          Retry
        </Button>
      )}
      {action}
    </>
  )
  return (
    <div role="alert">
      <EmptyState title={failure.title} action={actions}>
        {failure.text}
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

/** The content for the data of a query, a skeleton before that, and the error if loading failed. */
export function Loaded<T>({ query, skeleton, failure = 'This could not be loaded.', action, children }: LoadedProps<T>) {
  if (query.data !== undefined) return children(query.data)
  return query.isPending ? skeleton : <LoadFailure query={query} title={failure} action={action} />
}

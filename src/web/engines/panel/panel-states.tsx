import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { isApiError } from '#web/data/errors.ts'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { SkeletonRows } from '#web/ui/skeleton-rows.tsx'
import { Loaded } from '../loaded.tsx'

interface PanelContentProps<T> {
  query: UseQueryResult<T>
  /** The height of the skeleton, where other content is below. */
  rows?: number | undefined
  children: (data: T) => ReactNode
}

/** The content of a panel for a loaded record, a skeleton before that, and otherwise whether it does not exist, is not allowed or failed. */
export function PanelContent<T>({ query, rows = 7, children }: PanelContentProps<T>) {
  const { data, error } = query
  // A record that is not visible is not found, so the text does not say which of both it is.
  if (data === undefined && isApiError(error) && error.kind === 'not_found') {
    return (
      <div role="alert">
        <EmptyState title="This record is not here">It was deleted, or you don't have access to it.</EmptyState>
      </div>
    )
  }
  return (
    <Loaded query={query} skeleton={<SkeletonRows rows={rows} label="Loading" />}>
      {children}
    </Loaded>
  )
}

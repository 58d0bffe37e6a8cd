import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { isApiError, type ApiErrorKind } from '#web/data/errors.ts'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { SkeletonRows } from '#web/ui/skeleton-rows.tsx'
import { Loaded } from '../loaded.tsx'

/** A record that is not visible is not found, so this does not say which of both it is. */
const MISSING: Readonly<Partial<Record<ApiErrorKind, { title: string; text: string }>>> = {
  not_found: { title: 'This record is not here', text: 'It may have been deleted, or you may not have permission to see it.' },
  forbidden: { title: 'You do not have permission to open this', text: 'Your role does not include it. An administrator can change that.' },
}

interface PanelContentProps<T> {
  query: UseQueryResult<T>
  children: (data: T) => ReactNode
}

/** The content of a panel for a loaded record, a skeleton before that, and a message if loading failed. */
export function PanelContent<T>({ query, children }: PanelContentProps<T>) {
  const { data, error } = query
  const missing = data === undefined && isApiError(error) ? MISSING[error.kind] : undefined
  if (missing !== undefined) {
    return (
      <div role="alert">
        <EmptyState title={missing.title}>{missing.text}</EmptyState>
      </div>
    )
  }
  return (
    <Loaded query={query} skeleton={<SkeletonRows rows={7} label="Loading" />}>
      {children}
    </Loaded>
  )
}

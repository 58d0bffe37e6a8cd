import type { Query, QueryFilters } from '@tanstack/react-query'
import { SECOND_MS } from '#contract/limits.ts'
import { queryClient } from './query-client.ts'

const REFRESH_EVERY_MS = SECOND_MS

/** Queries that were refetched within the last second or are being refetched, and whether an event has come since. */
const refreshes = new Map<Query, { again: boolean }>()

/**
 * Marks queries as stale after an event of the server and refetches those on screen. Each is refetched at once, and then at most once a
 * second and not before it has been answered, so that a series of events does not become a series of requests. What the last event
 * announced is always fetched.
 */
export function refresh(filters: QueryFilters): void {
  for (const query of queryClient.getQueryCache().findAll(filters)) {
    const running = refreshes.get(query)
    if (running !== undefined) running.again = true
    else if (query.isActive()) void refetch(query)
    else query.invalidate()
  }
}

async function refetch(query: Query): Promise<void> {
  const state = { again: true }
  refreshes.set(query, state)
  while (state.again) {
    // A first request that is on its way is not made again, and its answer may be older than the event.
    state.again = query.state.data === undefined && query.state.fetchStatus === 'fetching'
    const elapsed = new Promise((resolve) => setTimeout(resolve, REFRESH_EVERY_MS))
    await Promise.all([elapsed, queryClient.invalidateQueries({ predicate: (one) => one === query })])
  }
  refreshes.delete(query)
}

import { QueryCache, QueryClient, type Query } from '@tanstack/react-query'
import { MINUTE_MS } from '#contract/limits.ts'
import { isApiError, type ApiErrorKind } from './errors.ts'

const RETRIED_KINDS: readonly ApiErrorKind[] = ['network', 'timeout', 'internal', 'superseded']

const retry = (failures: number, error: unknown) => failures < 1 && isApiError(error) && RETRIED_KINDS.includes(error.kind)

/** Forms hold what the user has entered, and every page needs the session. */
const RETAINED: readonly unknown[] = ['form', 'init']

/** Drops data that the user no longer has access to: without this, a page would show it until it is left. */
function dropForbidden(error: Error, query: Query<unknown, unknown, unknown>): void {
  const isGone = isApiError(error) && (error.kind === 'forbidden' || error.kind === 'not_found')
  if (isGone && query.state.data !== undefined && !RETAINED.includes(query.queryKey[0])) query.setState({ ...query.state, data: undefined })
}

/** The cache of server data. Lists show cached rows at once and refresh them in the background. */
export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError: dropForbidden }),
  defaultOptions: {
    queries: { staleTime: MINUTE_MS / 2, gcTime: 30 * MINUTE_MS, retry, refetchOnWindowFocus: true, networkMode: 'always' },
    mutations: { retry: false, networkMode: 'always' },
  },
})

const RESEND_AFTER_MS = 2_000

/** For a change that can be made twice without harm: it is sent again until the server answers, so that a lost connection loses nothing. */
export const untilAnswered = {
  retry: (_failures: number, error: unknown): boolean => isApiError(error) && error.kind === 'network',
  retryDelay: RESEND_AFTER_MS,
}

import { QueryClient } from '@tanstack/react-query'
import { MINUTE_MS } from '#contract/limits.ts'
import { isApiError, type ApiErrorKind } from './errors.ts'

const WORTH_ANOTHER_TRY: readonly ApiErrorKind[] = ['network', 'timeout', 'internal', 'superseded']

const retry = (failures: number, error: unknown) => failures < 1 && isApiError(error) && WORTH_ANOTHER_TRY.includes(error.kind)

/** The one store of server data. Lists show what is known at once and refresh behind it. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: { staleTime: MINUTE_MS / 2, gcTime: 30 * MINUTE_MS, retry, refetchOnWindowFocus: true, networkMode: 'always' },
    mutations: { retry: false, networkMode: 'always' },
  },
})

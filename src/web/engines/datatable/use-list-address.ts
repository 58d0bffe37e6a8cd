import { useNavigate } from '@tanstack/react-router'
import { useCallback, useMemo } from 'react'
import { useSearchParams } from '#web/search-params.ts'
import { readListState, writeListState, type ListPatch, type ListState } from './list-state.ts'

/** The state of a list as the address holds it, and the way to change it. */
export function useListAddress(prefix = ''): { state: ListState; change: (patch: ListPatch) => void } {
  const params = useSearchParams()
  const navigate = useNavigate()
  const state = useMemo(() => readListState(params, prefix), [params, prefix])
  const change = useCallback(
    (patch: ListPatch) => {
      const search = (current: Readonly<Record<string, unknown>>) => writeListState(current, patch, prefix)
      void navigate({ to: '.', search, replace: patch.search !== undefined, resetScroll: false })
    },
    [navigate, prefix],
  )
  return { state, change }
}

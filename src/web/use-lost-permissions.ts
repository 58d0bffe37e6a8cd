import { useRouter } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { queryClient } from '#web/data/query-client.ts'
import { initQuery, useSession } from '#web/data/session.ts'
import { useHasUnsavedChanges } from '#web/engines/panel/unsaved-forms.ts'

/**
 * When permissions were taken from the user, forgets what no page shows now and checks again whether the present page is allowed, but not
 * while that would lose what the user has entered. What is shown is refetched anyway, and dropped if it is no longer allowed.
 */
export function useLostPermissions(): void {
  const router = useRouter()
  const features = useSession().accessible_features
  const before = useRef(features)
  const unchecked = useRef(false)
  const unsaved = useHasUnsavedChanges()
  useEffect(() => {
    const now = new Set(Object.values(features).flat())
    const isLost = Object.values(before.current).some((names) => names.some((name) => !now.has(name)))
    before.current = features
    if (!isLost) return
    unchecked.current = true
    queryClient.removeQueries({ type: 'inactive', predicate: ({ queryKey }) => queryKey[0] !== initQuery.queryKey[0] })
  }, [features])
  useEffect(() => {
    if (!unchecked.current || unsaved) return
    unchecked.current = false
    void router.invalidate()
  }, [features, unsaved, router])
}

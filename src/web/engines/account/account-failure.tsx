import type { UseQueryResult } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'
import { isApiError, messageOf } from '#web/data/errors.ts'
import { useCan } from '#web/data/session.ts'
import { paths } from '#web/paths.ts'
import { toast } from '#web/ui/toast.tsx'
import { LoadFailure } from '../loaded.tsx'
import { useHasUnsavedChanges } from '../panel/unsaved-forms.ts'
import { isShownElsewhere } from '../show-error.ts'

const GONE = [403, 404]
/** Whether the account is missing or closed to the user. */
export const isGone = (error: unknown): boolean => isApiError(error) && GONE.includes(error.status)
/** A retry that fails again replaces the toast. */
const TOAST = { id: 'account-failure' }

/** Returns to the list when the account is missing or closed to the user; any other error can be retried. */
export function AccountFailure({ query }: { query: UseQueryResult }) {
  const navigate = useNavigate()
  const toList = useCan()('view_accounts_component')
  const gone = isGone(query.error)
  // A panel over the account shows why they can't be saved.
  const unsaved = useHasUnsavedChanges()
  const message = messageOf(query.error)
  const answered = isApiError(query.error) && query.error.status !== 0
  const shown = isShownElsewhere(query.error)
  useEffect(() => {
    if (shown || (gone && unsaved)) return
    if (!gone) return answered ? toast.warning(message, TOAST) : toast.alert(message, TOAST)
    if (toList) toast.warning(message, TOAST)
    // Guests have no list of accounts, so they get the page for a missing page.
    void navigate({ to: toList ? paths.accounts() : '/404', replace: true, ignoreBlocker: true })
  }, [gone, unsaved, answered, shown, toList, message, navigate])
  if (gone) return null
  return <LoadFailure query={query} title="The account could not be loaded." />
}

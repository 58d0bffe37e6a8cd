import { Button } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'
import { isApiError, messageOf } from '#web/data/errors.ts'
import { useCan } from '#web/data/session.ts'
import { paths } from '#web/paths.ts'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { toast } from '#web/ui/toast.tsx'

const GONE = [403, 404]

/** An account that is gone or closed to the viewer leads back to the list (S1 §8); anything else offers another try. */
export function AccountFailure({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const navigate = useNavigate()
  const toList = useCan()('view_accounts_component')
  const gone = isApiError(error) && GONE.includes(error.status)
  const message = messageOf(error)
  useEffect(() => {
    if (!gone) return
    if (toList) toast.warning(message, { id: 'account-gone' })
    // Guests have no list of accounts; they see the page for what does not exist.
    void navigate({ to: toList ? paths.accounts() : '/404', replace: true })
  }, [gone, toList, message, navigate])
  if (gone) return null
  return (
    <EmptyState title="The account could not be loaded." action={<Button onClick={onRetry}>Retry</Button>}>
      {message}
    </EmptyState>
  )
}

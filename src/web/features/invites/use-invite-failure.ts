import { useNavigate } from '@tanstack/react-router'
import { isApiError, messageOf } from '#web/data/errors.ts'
import { showError } from '#web/engines/show-error.ts'
import { paths } from '#web/paths.ts'
import { toast } from '#web/ui/toast.tsx'

const GONE = [403, 404]

/** Shows a failed call about an invitation. One that is missing or not allowed leads to the accounts. */
export function useInviteFailure(): (error: unknown) => void {
  const navigate = useNavigate()
  return (error) => {
    if (!isApiError(error) || !GONE.includes(error.status)) return showError(error)
    toast.warning(messageOf(error))
    void navigate({ to: paths.accounts(), replace: true, ignoreBlocker: true })
  }
}

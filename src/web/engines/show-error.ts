import { isApiError, messageOf } from '#web/data/errors.ts'
import { toast } from '#web/ui/toast.tsx'
import { unsavedForms } from './panel/unsaved-forms.ts'

/** Errors that the shell has already shown, or that need no message. */
const SHOWN_ELSEWHERE: readonly string[] = ['superseded', 'throttled', 'unauthenticated']

/** Of outages, the shell shows some messages and the maintenance page the others, unless unsaved changes may keep the user on this page. */
export const isShownElsewhere = (error: unknown): boolean =>
  isApiError(error) &&
  (SHOWN_ELSEWHERE.includes(error.kind) || (error.isOutage && (error.kind === 'unavailable' || unsavedForms.get() === 0)))

/** Shows a failed call in a toast: a warning if the server rejected the request, an alert for everything else. */
export function showError(error: unknown, alwaysAlert = false): void {
  if (isShownElsewhere(error)) return
  if (isApiError(error) && error.kind !== 'internal' && error.status !== 0 && !alwaysAlert) toast.warning(messageOf(error))
  else toast.alert(messageOf(error))
}

/** For what shows the message of a failed call itself, and longer: the shell's message about too many calls closes. */
export function hideShellMessage(error: unknown): void {
  if (isApiError(error) && error.kind === 'throttled') toast.hide('throttled')
}

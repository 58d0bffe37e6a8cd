import { useCallback, useState, type SubmitEvent } from 'react'
import { firstMessages, isApiError, messageOf } from '#web/data/errors.ts'
import { toast } from '#web/ui/toast.tsx'

interface Submission {
  /** Messages per field that keep the form from being sent. */
  check: () => Record<string, string>
  send: () => Promise<void>
  /** After the server refused, for example to clear a password. */
  onRefused?: () => void
}

/**
 * Sends a form of the entrance pages. Field messages stand at their fields, the server's message in the red notice; a
 * call that found no server is told in a toast (S1 §8).
 */
export function useSubmission({ check, send, onRefused }: Submission) {
  const [busy, setBusy] = useState(false)
  const [errors, setErrors] = useState<Record<string, string>>({})
  const [notice, setNotice] = useState<string>()

  const refused = (error: unknown) => {
    if (!isApiError(error) || error.status === 0) return toast.alert(messageOf(error))
    const fields = firstMessages(error)
    setErrors(fields)
    if (Object.keys(fields).length === 0) setNotice(error.message)
    onRefused?.()
  }
  const run = async () => {
    setBusy(true)
    setNotice(undefined)
    try {
      await send()
    } catch (error) {
      refused(error)
    } finally {
      setBusy(false)
    }
  }
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    const missing = check()
    setErrors(missing)
    if (Object.keys(missing).length === 0 && !busy) void run()
  }
  const clear = useCallback((field: string) => {
    setErrors((before) => Object.fromEntries(Object.entries(before).filter(([name]) => name !== field)))
  }, [])
  return { busy, errors, notice, submit, clear }
}

import { useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import { TOAST_MS } from '#contract/limits.ts'
import { endSession } from '#web/data/session.ts'
import { onPageEvent, type PageEvents } from '#web/data/page-events.ts'
import { onEndedElsewhere } from '#web/data/tokens.ts'
import { returnPath } from '#web/paths.ts'
import { toast } from '#web/ui/toast.tsx'

const EXPIRED = 'You have been logged out, session expired.'

/** Handles the page events of calls: the session ended, too many calls, maintenance. */
export function SessionWatch() {
  const router = useRouter()
  useEffect(() => {
    const leave = ({ reason, message }: PageEvents['session-ended']) => {
      endSession()
      const text = message ?? (reason === 'expired' ? EXPIRED : undefined)
      // An inactive user comes back after any toast would have closed.
      const duration = reason === 'inactive' ? { ms: Infinity } : {}
      if (text !== undefined) toast.global(text, { id: 'session-ended', ...duration })
      const { pathname, href } = router.state.location
      if (pathname !== '/login')
        void router.navigate({ to: '/login', search: { r: reason === 'signed-out' ? undefined : returnPath(href) } })
    }
    const stops = [
      onPageEvent('session-ended', leave),
      onPageEvent('throttled', ({ message }) => toast.warning(message, { ms: TOAST_MS.throttled, id: 'throttled' })),
      onPageEvent('maintenance', () => void router.navigate({ to: '/maintenance' })),
      onEndedElsewhere(() => leave({ reason: 'signed-out', message: undefined })),
    ]
    return () => {
      for (const stop of stops) stop()
    }
  }, [router])
  return null
}

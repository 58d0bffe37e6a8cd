import { useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import { TOAST_MS } from '#contract/limits.ts'
import { endSession } from '#web/data/session.ts'
import { onPageEvent, type PageEvents } from '#web/data/page-events.ts'
import { onEndedElsewhere } from '#web/data/tokens.ts'
import { paths, returnPath } from '#web/paths.ts'
import { toast } from '#web/ui/toast.ts'

const EXPIRED = 'You have been logged out, session expired.'

/** What the shell does about calls that concern the whole page (S0 §8): session ended, too many calls, maintenance. */
export function SessionWatch() {
  const router = useRouter()
  useEffect(() => {
    const leave = ({ reason, message }: PageEvents['session-ended']) => {
      endSession()
      const said = message ?? (reason === 'expired' ? EXPIRED : undefined)
      // Who was away comes back later than any toast would stay.
      const stays = reason === 'inactive' ? { ms: Infinity } : {}
      if (said !== undefined) toast.global(said, { id: 'session-ended', ...stays })
      const { pathname, href } = router.state.location
      const here = reason === 'signed-out' ? undefined : returnPath(href)
      if (pathname !== '/login') void router.navigate({ to: paths.login(here) })
    }
    const stops = [
      onPageEvent('session-ended', leave),
      onPageEvent('throttled', ({ message }) => toast.warning(message, { ms: TOAST_MS.throttled, id: 'throttled' })),
      onPageEvent('maintenance', () => void router.navigate({ to: paths.maintenance() })),
      onEndedElsewhere(() => leave({ reason: 'signed-out', message: undefined })),
    ]
    return () => {
      for (const stop of stops) stop()
    }
  }, [router])
  return null
}

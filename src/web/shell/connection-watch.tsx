import { useRouter } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { OFFLINE_PROBE_MS } from '#contract/limits.ts'
import { probe } from '#web/data/connection.ts'
import { onPageEvent } from '#web/data/page-events.ts'
import { paths } from '#web/paths.ts'
import { ConnectionErrorOverlay } from './full-screen.tsx'

/** After a call without an answer: asks whether the service is there, covers the page while it is not, reloads when it is back. */
export function ConnectionWatch({ reload = () => window.location.reload() }: { reload?: () => void }) {
  const router = useRouter()
  const [offline, setOffline] = useState(false)
  useEffect(() => {
    let asking = false
    return onPageEvent('unreachable', () => {
      if (asking) return
      asking = true
      void probe().then((answer) => {
        asking = false
        if (answer === 'down') setOffline(true)
        if (answer === 'maintenance') void router.navigate({ to: paths.maintenance() })
      })
    })
  }, [router])
  useEffect(() => {
    if (!offline) return undefined
    const again = () => void probe().then((answer) => answer !== 'down' && reload())
    const timer = setInterval(again, OFFLINE_PROBE_MS)
    window.addEventListener('online', again)
    return () => {
      clearInterval(timer)
      window.removeEventListener('online', again)
    }
  }, [offline, reload])
  return offline ? <ConnectionErrorOverlay /> : null
}

import { FocusTrap } from '@mantine/core'
import { useRouter } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { OFFLINE_PROBE_MS } from '#contract/limits.ts'
import { probe } from '#web/data/connection.ts'
import { onPageEvent } from '#web/data/page-events.ts'
import { PendingScreen } from '#web/ui/pending-screen.tsx'

/** After a call without an answer: probes the service, covers the page while it is unreachable and reloads when it is back. */
export function ConnectionWatch({ reload = () => window.location.reload() }: { reload?: () => void }) {
  const router = useRouter()
  const [offline, setOffline] = useState(false)
  useEffect(() => {
    let probing = false
    return onPageEvent('unreachable', () => {
      if (probing) return
      probing = true
      void probe().then((answer) => {
        probing = false
        if (answer === 'down') setOffline(true)
        if (answer === 'maintenance') void router.navigate({ to: '/maintenance' })
      })
    })
  }, [router])
  useEffect(() => {
    if (!offline) return undefined
    const retry = () => void probe().then((answer) => answer !== 'down' && reload())
    const timer = setInterval(retry, OFFLINE_PROBE_MS)
    window.addEventListener('online', retry)
    return () => {
      clearInterval(timer)
      window.removeEventListener('online', retry)
    }
  }, [offline, reload])
  if (!offline) return null
  return (
    <FocusTrap active>
      <PendingScreen kind="overlay" role="alertdialog" aria-modal="true" aria-label="Connection Error" tabIndex={-1} data-autofocus>
        Connection Error - Please check your internet connection. Attempting to reconnect...
      </PendingScreen>
    </FocusTrap>
  )
}

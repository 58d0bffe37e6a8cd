import { useRouter } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { PendingScreen } from '#web/ui/pending-screen.tsx'
import { takeSession } from './enter-session.ts'
import { VisitEndedPage } from './entry-error.tsx'

/** The first page of a tab with a session of its own, which the tab that opened it hands over. */
export function EnterPage() {
  const router = useRouter()
  const [failed, setFailed] = useState(false)
  useEffect(() => {
    let left = false
    void takeSession(window.location.hash.slice(1)).then((path) => {
      if (left) return
      if (path === undefined) setFailed(true)
      else router.history.replace(path)
    })
    return () => {
      left = true
    }
  }, [router])
  return failed ? <VisitEndedPage /> : <PendingScreen>Opening the account…</PendingScreen>
}

import { Text } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'
import { MAINTENANCE_PROBE_MS } from '#contract/limits.ts'
import { probe } from '#web/data/client.ts'
import { dropSession } from '#web/data/session.ts'
import { paths } from '#web/paths.ts'
import { PublicPage } from '#web/engines/public-page.tsx'

/** Signs out on load, then checks every minute whether the service is back, and goes to the dashboard when it is. */
export function MaintenancePage() {
  const navigate = useNavigate()
  useEffect(() => {
    void dropSession()
    let left = false
    const check = async () => {
      if ((await probe()) !== 'up' || left) return
      await dropSession()
      void navigate({ to: paths.dashboard(), replace: true })
    }
    void check()
    const timer = setInterval(() => void check(), MAINTENANCE_PROBE_MS)
    return () => {
      left = true
      clearInterval(timer)
    }
  }, [navigate])
  return (
    <PublicPage title="System Maintenance">
      <Text>We are improving the service and will be back shortly. This page checks every minute and takes you back by itself.</Text>
    </PublicPage>
  )
}

import { Anchor, Text } from '@mantine/core'
import { Link, useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { MAINTENANCE_PROBE_MS } from '#contract/limits.ts'
import { probe } from '#web/data/client.ts'
import { EXPIRED } from '#web/data/page-events.ts'
import { dropSession } from '#web/data/session.ts'
import { isVisit } from '#web/data/tokens.ts'
import { entryPath, paths } from '#web/paths.ts'
import { useSearchParams } from '#web/search-params.ts'
import { PublicPage } from '#web/engines/public-page.tsx'

/**
 * Signs out on load, then checks every minute whether the service is back, and goes to the dashboard when it is. People from outside, who have
 * no sign-in, get to the link that they opened, or to the page that says how to open it again.
 */
export function MaintenancePage() {
  const navigate = useNavigate()
  const [message, setMessage] = useState<string>()
  const link = entryPath(useSearchParams()['r'])
  const [wasVisit] = useState(isVisit)
  useEffect(() => {
    void dropSession(wasVisit ? EXPIRED : undefined)
    let left = false
    const check = async () => {
      const service = await probe()
      if (left) return
      setMessage(service.message)
      if (service.state !== 'up') return
      await dropSession(wasVisit ? EXPIRED : undefined)
      void navigate({ href: link ?? (wasVisit ? paths.visitEnded() : paths.dashboard()), replace: true })
    }
    void check()
    const timer = setInterval(() => void check(), MAINTENANCE_PROBE_MS)
    return () => {
      left = true
      clearInterval(timer)
    }
  }, [navigate, link, wasVisit])
  return (
    <PublicPage title="System Maintenance">
      <Text style={{ whiteSpace: 'pre-line', overflowWrap: 'anywhere' }} role="status">
        {message ?? 'We are improving the service and will be back shortly.'}
      </Text>
      <Text mt="md">This page checks every minute and takes you back by itself.</Text>
      {message !== undefined && (
        <Text mt="md" size="sm" c="dimmed">
          Are you an administrator?{' '}
          <Anchor component={Link} to="/login" inherit underline="always">
            Sign in
          </Anchor>
        </Text>
      )}
    </PublicPage>
  )
}

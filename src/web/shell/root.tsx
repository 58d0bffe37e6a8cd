import { Outlet } from '@tanstack/react-router'
import { useEffect } from 'react'
import { productName } from '#web/data/session.ts'
import { useCurrentTitle } from '#web/ui/page-title.ts'
import { PendingScreen } from '#web/ui/pending-screen.tsx'
import { ConnectionWatch } from './connection-watch.tsx'
import { SessionWatch } from './session-watch.tsx'

/** Surrounds every page, signed in or not. */
export function Root() {
  const title = useCurrentTitle()
  useEffect(() => {
    document.title = title === '' ? productName() : `${title} · ${productName()}`
  }, [title])
  return (
    <>
      <SessionWatch />
      <ConnectionWatch />
      <Outlet />
    </>
  )
}

/** Shown while the session loads. */
export const InitializingOverlay = () => <PendingScreen>{`Initializing ${productName()} systems, please stand by.`}</PendingScreen>

import { Outlet } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { isSignedIn } from '#web/data/tokens.ts'
import { NotFoundOutside } from './not-found-outside.tsx'
import { NotFound } from './not-found.tsx'
import { Shell } from './shell.tsx'

const UploadTray = lazy(() => import('#web/engines/upload/upload-tray.tsx').then(({ UploadTray: component }) => ({ default: component })))

export function SignedIn() {
  return (
    <>
      <Shell>
        <Outlet />
      </Shell>
      <Suspense>
        <UploadTray />
      </Suspense>
    </>
  )
}

/** No such page: inside the frame for a signed-in person, bare for a stranger. */
export function AnyNotFound() {
  if (!isSignedIn()) return <NotFoundOutside />
  return (
    <Shell>
      <NotFound />
    </Shell>
  )
}

import { Outlet } from '@tanstack/react-router'
import { useCan } from '#web/data/session.ts'
import { lazyPart } from '#web/engines/lazy-part.tsx'
import { GuestShell } from './shell/guest-shell.tsx'
import { NotFound } from './shell/not-found.tsx'
import { useLostPermissions } from './use-lost-permissions.ts'

const UploadsCorner = lazyPart(async () => (await import('#web/engines/upload/uploads-corner.tsx')).UploadsCorner)

/** The pages of people from outside, whose first one has to open fast: it loads nothing that they do not need. */
export function GuestSignedIn() {
  const uploads = useCan()('upload_account_files')
  useLostPermissions()
  return (
    <>
      <GuestShell>
        <Outlet />
      </GuestShell>
      {uploads && <UploadsCorner />}
    </>
  )
}

export const GuestNotFound = () => (
  <GuestShell>
    <NotFound />
  </GuestShell>
)

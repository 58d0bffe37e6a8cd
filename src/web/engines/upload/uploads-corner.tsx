import { useEffect } from 'react'
import { useSession } from '#web/data/session.ts'
import { lazyPart } from '../lazy-part.tsx'
import { restoreUploads } from './upload-queue.ts'
import { uploads, useUploads } from './uploads.ts'

/** Loaded with the first upload, because most visits have none. */
const UploadTray = lazyPart(async () => (await import('./upload-tray.tsx')).UploadTray)

/** The uploads at the bottom right of every page. Also continues the uploads that a reload interrupted. */
export function UploadsCorner() {
  const { auth_user } = useSession()
  useEffect(() => {
    // A browser without IndexedDB has nothing to restore.
    restoreUploads(uploads, auth_user.id).catch(() => undefined)
  }, [auth_user.id])
  const items = useUploads()
  if (items.length === 0) return null
  return <UploadTray items={items} />
}

import { useWindowEvent } from '@mantine/hooks'
import { useEffect, useEffectEvent } from 'react'
import { PREPARING_TOAST, pendingDownloads, usePendingDownloads } from '#web/data/pending-downloads.ts'
import { downloadAgain } from '#web/engines/account/prepare-download.ts'
import { showError } from '#web/engines/show-error.ts'
import { startDownload } from '#web/ui/download.ts'
import { toast } from '#web/ui/toast.tsx'
import { usePageEvent } from './use-page-event.ts'

/** Follows the downloads of the user on every page: those of this tab, and if they can be seen, those of other tabs and devices. */
export function useDownloads(seesOthers: boolean): void {
  // A failure is not shown: what this tab started is followed anyway.
  const synchronize = () => void (seesOthers && pendingDownloads.synchronize().catch(() => undefined))
  const begin = useEffectEvent(() => {
    pendingDownloads.resume()
    synchronize()
  })
  useEffect(() => begin(), [])
  useWindowEvent('focus', synchronize)
  const preparing = usePendingDownloads().length > 0
  useEffect(() => {
    if (!preparing) toast.hide(PREPARING_TOAST.id)
  }, [preparing])
  usePageEvent('download-ready', ({ fileId, accountId, url, fileName, leftOut }) => {
    if (url !== null) startDownload(url, fileName)
    if (leftOut !== undefined && url !== null) return toast.warning(`${fileName} is ready: ${leftOut}.`)
    if (url !== null) return toast.success(`${fileName} is ready.`)
    const again = () => void downloadAgain(accountId, fileId).catch(showError)
    toast.success(`${fileName} is ready.`, { action: { label: 'Download', onClick: again } })
  })
  usePageEvent('download-failed', ({ message = 'Failed to generate Zip, contact support for assistance.' }) => toast.alert(message))
}

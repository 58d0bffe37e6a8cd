import { useEffect } from 'react'
import { pendingDownloads } from '#web/data/pending-downloads.ts'
import { onSignal } from '#web/data/signals.ts'
import { startDownload } from '#web/ui/download.ts'
import { toast } from '#web/ui/toast.tsx'

/** Hands over what has been made, on whatever page the person is by then. */
export function DownloadWatch() {
  useEffect(() => {
    const stops = [
      onSignal('download-ready', ({ url, fileName }) => startDownload(url, fileName)),
      onSignal('download-failed', () => toast.alert('Failed to generate Zip, contact support for assistance.')),
    ]
    pendingDownloads.resume()
    return () => {
      for (const stop of stops) stop()
    }
  }, [])
  return null
}

import { useEffect, useRef } from 'react'
import { invalidateAfterWrite } from '#web/data/staleness.ts'
import type { UploadItem } from './upload-item.ts'

/** Marks the documents of an account stale when an upload has been registered in it. */
export function useArrivals(items: readonly UploadItem[]): void {
  const known = useRef(new Set<string>())
  useEffect(() => {
    for (const item of items) {
      if (item.fileId === null || known.current.has(item.id)) continue
      known.current.add(item.id)
      invalidateAfterWrite('account_files', null, item.accountId)
    }
  }, [items])
}

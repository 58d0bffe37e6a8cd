import { UPLOAD_REPORT_EVERY_MS } from '#contract/limits.ts'
import type { UploadItem } from './upload-item.ts'

export type UploadList = ReturnType<typeof createUploadList>

/** Holds the items as a store for useSyncExternalStore: `items` answers a new array after each change. */
export function createUploadList(now: () => number) {
  let items: readonly UploadItem[] = []
  const listeners = new Set<() => void>()
  let toldAt = 0
  let telling: ReturnType<typeof setTimeout> | undefined

  function tell() {
    clearTimeout(telling)
    telling = undefined
    toldAt = now()
    for (const listener of listeners) listener()
  }

  function replace(next: readonly UploadItem[]) {
    items = next
    tell()
  }

  return {
    items: () => items,
    find: (id: string) => items.find((item) => item.id === id),
    subscribe: (listener: () => void) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    append: (fresh: readonly UploadItem[]) => replace([...items, ...fresh]),
    remove: (id: string) => replace(items.filter((item) => item.id !== id)),
    clear: () => replace([]),
    /** Answers the item as it now is. Bytes leave far more often than a person can see, so a change of their count alone is told with a delay. */
    change: (id: string, patch: Partial<UploadItem>): UploadItem | undefined => {
      items = items.map((item) => (item.id === id ? { ...item, ...patch } : item))
      if (Object.keys(patch).some((name) => name !== 'sent' && name !== 'multipart')) tell()
      else telling ??= setTimeout(tell, Math.max(0, toldAt + UPLOAD_REPORT_EVERY_MS - now()))
      return items.find((item) => item.id === id)
    },
  }
}

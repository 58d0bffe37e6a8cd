import { UPLOAD_KEEP_MAX_BYTES } from '#contract/limits.ts'
import type { UploadItem } from './upload-item.ts'

export type UploadPersistence = ReturnType<typeof browserPersistence>

/**
 * What survives a reload of the page: the items and the bytes, in IndexedDB. Without IndexedDB, as in some private windows, uploads work
 * but don't survive.
 */
export function browserPersistence() {
  let opened: Promise<IDBDatabase> | undefined
  const request = async <T>(store: 'items' | 'files', make: (store: IDBObjectStore) => IDBRequest<T>): Promise<T> =>
    settled(make((await (opened ??= openDatabase())).transaction(store, 'readwrite').objectStore(store)))
  return {
    load: async (): Promise<UploadItem[]> => {
      const items: unknown[] = await request('items', (store) => store.getAll())
      return items as UploadItem[] // only `save` writes to this store
    },
    save: (item: UploadItem): Promise<unknown> => request('items', (store) => store.put(item, item.id)),
    /** Skipped when the browser has too little space. */
    saveFile: async (id: string, file: Blob): Promise<void> => {
      if (file.size > UPLOAD_KEEP_MAX_BYTES) return
      const { quota = 0, usage = 0 } = await navigator.storage.estimate()
      // Half of the free space is left to everything else.
      if (file.size < (quota - usage) / 2) await request('files', (store) => store.put(file, id))
    },
    loadFile: async (id: string): Promise<Blob | null> => {
      const file: unknown = await request('files', (store) => store.get(id))
      return file instanceof Blob ? file : null
    },
    remove: async (id: string): Promise<void> => {
      await request('items', (store) => store.delete(id))
      await request('files', (store) => store.delete(id))
    },
    lock,
  }
}

function openDatabase(): Promise<IDBDatabase> {
  const request = indexedDB.open('uploads', 3)
  request.onupgradeneeded = () => {
    // Unfinished uploads of an earlier version have another shape.
    for (const name of request.result.objectStoreNames) request.result.deleteObjectStore(name)
    for (const name of ['items', 'files']) request.result.createObjectStore(name)
  }
  return settled(request)
}

const settled = <T>(request: IDBRequest<T>) =>
  new Promise<T>((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error ?? new Error('The browser could not store the upload.'))
  })

/** Locks the upload for this tab and resolves to the release function; null when another tab holds the lock. */
function lock(id: string): Promise<(() => void) | null> {
  // Web Locks need a secure address. Without them two tabs may send the same file, and the second is reported as a duplicate.
  if (!('locks' in navigator)) return Promise.resolve(() => undefined)
  return new Promise((resolve, reject) => {
    navigator.locks
      .request(`upload ${id}`, { ifAvailable: true }, (held) =>
        held === null ? resolve(null) : new Promise<void>((release) => resolve(release)),
      )
      .catch(reject)
  })
}

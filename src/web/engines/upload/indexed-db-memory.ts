import { UPLOAD_KEEP_MAX_BYTES } from '#contract/limits.ts'
import type { UploadItem } from './upload-item.ts'
import type { UploadMemory } from './upload-memory.ts'

const DATABASE = 'uploads'
const ITEMS = 'items'
const FILES = 'files'

/** Keeps uploads in IndexedDB, and takes them per tab with the Web Locks of the browser. Where either is missing, uploads work but do not outlive a reload. */
export function indexedDbMemory(): UploadMemory {
  let opened: Promise<IDBDatabase> | undefined
  const database = () => (opened ??= open())
  const store = async (name: string, mode: IDBTransactionMode) => (await database()).transaction(name, mode).objectStore(name)

  return {
    load: async () => {
      const rows: unknown[] = await settled((await store(ITEMS, 'readonly')).getAll())
      return rows as UploadItem[] // only `save` writes here
    },
    save: async (item) => {
      await settled((await store(ITEMS, 'readwrite')).put(item, item.id))
    },
    keepFile: async (id, file) => {
      if (!(await hasRoomFor(file.size))) return false
      return settled((await store(FILES, 'readwrite')).put(file, id)).then(
        () => true,
        () => false,
      )
    },
    file: async (id) => {
      const kept: unknown = await settled((await store(FILES, 'readonly')).get(id))
      return kept instanceof Blob ? kept : null
    },
    forget: async (id) => {
      await settled((await store(ITEMS, 'readwrite')).delete(id))
      await settled((await store(FILES, 'readwrite')).delete(id))
    },
    claim,
  }
}

function open(): Promise<IDBDatabase> {
  const request = indexedDB.open(DATABASE, 1)
  request.onupgradeneeded = () => {
    request.result.createObjectStore(ITEMS)
    request.result.createObjectStore(FILES)
  }
  return settled(request)
}

const settled = <T>(request: IDBRequest<T>) =>
  new Promise<T>((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error ?? new Error('The browser did not keep the upload.'))
  })

/** Leaves half of the free room to everything else. */
async function hasRoomFor(bytes: number): Promise<boolean> {
  if (bytes > UPLOAD_KEEP_MAX_BYTES) return false
  const { quota = 0, usage = 0 } = await navigator.storage.estimate()
  return bytes < (quota - usage) / 2
}

function claim(id: string): Promise<(() => void) | null> {
  // Locks exist on secure addresses only; without them a second tab may send the same file, which the register then reports as a duplicate.
  if (!('locks' in navigator)) return Promise.resolve(() => undefined)
  return new Promise((resolve, reject) => {
    navigator.locks
      .request(`upload ${id}`, { ifAvailable: true }, (lock) => {
        if (!lock) {
          resolve(null)
          return undefined
        }
        return new Promise<void>((release) => resolve(release))
      })
      .catch(reject)
  })
}

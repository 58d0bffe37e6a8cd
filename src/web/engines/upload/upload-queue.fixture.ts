import { apiError, type ApiError } from '#web/data/errors.ts'
import type { Connection } from './send-file.ts'
import type { NewUpload, UploadedDocument, UploadItem } from './upload-item.ts'
import type { UploadPersistence } from './upload-persistence.ts'
import { createUploadQueue, type UploadQueue } from './upload-queue.ts'
import type { UploadTransport } from './upload-transport.ts'

export const fileOf = (name: string, size: number) => {
  const file = new File(['x'], name, { type: 'application/pdf', lastModified: 1 })
  Object.defineProperty(file, 'size', { value: size })
  Object.defineProperty(file, 'slice', { value: (from: number, to: number) => ({ size: Math.min(to, size) - from }) })
  return file
}

export const newUpload = (file: File): NewUpload => ({
  userId: 'u1',
  accountId: 'a1',
  purpose: 'document',
  file,
  settings: { category: 'other', private: false, sov: false, propertyIds: [] },
})

export const aDocument: UploadedDocument = { id: 'f1', category: 'other', proposed: [], linked: false }

export const errorWith = (message: string, status: number): ApiError => apiError({ kind: 'unavailable', message, status })

/** Outlives a queue, as IndexedDB outlives a reload. */
export function fakePersistence() {
  const items = new Map<string, UploadItem>()
  const files = new Map<string, Blob>()
  const locks = new Set<string>()
  const persistence: UploadPersistence = {
    load: async () => [...items.values()],
    save: async (item) => void items.set(item.id, item),
    saveFile: async (id, file) => void files.set(id, file),
    loadFile: async (id) => files.get(id) ?? null,
    remove: async (id) => {
      items.delete(id)
      files.delete(id)
    },
    lock: async (id) => {
      if (locks.has(id)) return null
      locks.add(id)
      return () => void locks.delete(id)
    },
  }
  return { persistence, items, files, locks }
}

/** Records the delays instead of waiting; a test can change `online`. */
export function fakeConnection() {
  const state = { online: true, delays: [] as number[], wake: () => {} }
  const connection: Connection = {
    isOnline: () => state.online,
    wait: async (ms) => {
      if (ms === null) await new Promise<void>((resolve) => (state.wake = resolve))
      else state.delays.push(ms)
    },
  }
  return { connection, state }
}

export function fakeTransport(overrides: Partial<UploadTransport>): UploadTransport & { calls: string[] } {
  const calls: string[] = []
  const logged =
    <A extends unknown[], R>(name: string, act: (...args: A) => R) =>
    (...args: A): R => {
      calls.push(name)
      return act(...args)
    }
  return {
    calls,
    sendWhole: logged('sendWhole', overrides.sendWhole ?? (async () => 'key')),
    startMultipart: logged('startMultipart', overrides.startMultipart ?? (async () => ({ uploadId: 'up', partSize: 50_000_000 }))),
    listParts: logged('listParts', overrides.listParts ?? (async () => [])),
    sendPart: (item, uploadId, number, bytes, onBytes, signal) => {
      calls.push(`part ${number}`)
      return (overrides.sendPart ?? (async () => `etag${number}`))(item, uploadId, number, bytes, onBytes, signal)
    },
    completeMultipart: logged('complete', overrides.completeMultipart ?? (async () => 'key')),
    abortMultipart: logged('abort', overrides.abortMultipart ?? (async () => undefined)),
    register: logged('register', overrides.register ?? (async () => ({ duplicateOf: null, document: aDocument }))),
  }
}

export function queueOf(parts: Pick<UploadQueue, 'transport'> & Partial<Pick<UploadQueue, 'persistence' | 'connection'>>): UploadQueue {
  let count = 0
  return createUploadQueue({
    persistence: fakePersistence().persistence,
    connection: fakeConnection().connection,
    ...parts,
    now: () => 0,
    newId: () => `i${(count += 1)}`,
  })
}

import { createUploadQueue, type NewUpload, type UploadQueue } from './upload-queue.ts'
import type { Connection } from './connection.ts'
import type { UploadItem } from './upload-item.ts'
import type { UploadMemory } from './upload-memory.ts'
import type { UploadTransport } from './transport.ts'

export const wishes = { category: 'other', private: false, sov: false, propertyIds: [] } as const satisfies Record<string, unknown>

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
  wishes: { ...wishes, propertyIds: [] },
})

/** A memory that survives the queue, as the browser's survives a reload. */
export function fakeMemory() {
  const items = new Map<string, UploadItem>()
  const files = new Map<string, Blob>()
  const claimed = new Set<string>()
  const memory: UploadMemory = {
    load: async () => [...items.values()],
    save: async (item) => void items.set(item.id, item),
    keepFile: async (id, file) => {
      files.set(id, file)
      return true
    },
    file: async (id) => files.get(id) ?? null,
    forget: async (id) => {
      items.delete(id)
      files.delete(id)
    },
    claim: async (id) => {
      if (claimed.has(id)) return null
      claimed.add(id)
      return () => void claimed.delete(id)
    },
  }
  return { memory, items, files, claimed }
}

/** Counts the pauses instead of making them; `online` may be switched. */
export function fakeConnection() {
  const state = { online: true, pauses: [] as number[], wake: () => {} }
  const connection: Connection = {
    isOnline: () => state.online,
    whenOnline: (signal) =>
      new Promise((resolve, reject) => {
        state.wake = resolve
        signal.addEventListener('abort', () => reject(signal.reason))
      }),
    pause: async (ms) => void state.pauses.push(ms),
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
    register: logged('register', overrides.register ?? (async () => ({ fileId: 'f1', duplicateOf: null }))),
  }
}

export function queueOf(parts: { transport: UploadTransport; memory?: UploadMemory; connection?: Connection }): UploadQueue {
  let count = 0
  return createUploadQueue({
    memory: parts.memory ?? fakeMemory().memory,
    connection: parts.connection ?? fakeConnection().connection,
    transport: parts.transport,
    now: () => 0,
    newId: () => `i${(count += 1)}`,
  })
}

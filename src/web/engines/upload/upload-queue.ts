import { UPLOAD_FILES_AT_ONCE } from '#contract/limits.ts'
import type { Connection } from './connection.ts'
import { refusalOf } from './refused-files.ts'
import type { UploadTransport } from './transport.ts'
import { failureMessage } from './upload-failure.ts'
import { isFinished, isSameFile, type UploadItem, type UploadWishes } from './upload-item.ts'
import { createUploadList, type UploadList } from './upload-list.ts'
import type { UploadMemory } from './upload-memory.ts'
import { uploadOne } from './upload-one.ts'

export interface QueueParts {
  transport: UploadTransport
  memory: UploadMemory
  connection: Connection
  now: () => number
  newId: () => string
}

export interface UploadQueue extends QueueParts {
  list: UploadList
  files: Map<string, Blob>
  running: Map<string, AbortController>
  releases: Map<string, () => void>
}

export interface NewUpload {
  userId: string
  accountId: string
  purpose: UploadItem['purpose']
  file: File
  wishes: UploadWishes
}

/** Files on their way, up to UPLOAD_FILES_AT_ONCE at a time. */
export const createUploadQueue = (parts: QueueParts): UploadQueue => ({
  ...parts,
  list: createUploadList(parts.now),
  files: new Map(),
  running: new Map(),
  releases: new Map(),
})

/** Refused files enter the list as failed, with the reason, and send nothing. */
export function addUploads(queue: UploadQueue, fresh: readonly NewUpload[]): UploadItem[] {
  const added = fresh.map((one) => newItem(queue.newId(), one))
  fresh.forEach(({ file }, index) => {
    const item = added[index]
    if (!item || item.status === 'failed') return
    queue.files.set(item.id, file)
    void remember(queue, item, file)
  })
  queue.list.append(added)
  startWaiting(queue)
  return added
}

/** Stops an upload; what has arrived of it is given up. */
export function cancelUpload(queue: UploadQueue, id: string): void {
  const item = queue.list.find(id)
  if (!item || isFinished(item)) return
  queue.running.get(id)?.abort(new DOMException('The upload was cancelled.', 'AbortError'))
  change(queue, id, { status: 'cancelled', pause: null, error: null })
  letGo(queue, id)
  if (item.multipart && item.key === null) queue.transport.abortMultipart(item, item.multipart.uploadId).catch(() => undefined)
}

export const cancelAllUploads = (queue: UploadQueue): void => queue.list.items().forEach((item) => cancelUpload(queue, item.id))

export const canRetryUpload = (queue: UploadQueue, id: string): boolean => queue.list.find(id)?.status === 'failed' && queue.files.has(id)

/** Goes on with a failed upload from what has arrived. */
export function retryUpload(queue: UploadQueue, id: string): void {
  if (!canRetryUpload(queue, id)) return
  change(queue, id, { status: 'waiting', error: null })
  startWaiting(queue)
}

/** Takes a line off the list; one that still runs is cancelled first. */
export function dismissUpload(queue: UploadQueue, id: string): void {
  cancelUpload(queue, id)
  letGo(queue, id)
  queue.list.remove(id)
  queue.memory.forget(id).catch(() => undefined)
}

/** Gives back the bytes that a reload lost; answers false when no upload waits for this file. */
export function giveFileBack(queue: UploadQueue, accountId: string, file: File): boolean {
  const item = queue.list.items().find((one) => one.status === 'needs_file' && one.accountId === accountId && isSameFile(one, file))
  if (!item) return false
  queue.files.set(item.id, file)
  change(queue, item.id, { status: 'waiting' })
  startWaiting(queue)
  return true
}

/** After a reload: takes up this person's uploads that no other tab has. */
export async function restoreUploads(queue: UploadQueue, userId: string): Promise<void> {
  for (const kept of await queue.memory.load()) {
    if (kept.userId !== userId || queue.list.find(kept.id) || !(await claim(queue, kept.id))) continue
    if (kept.status === 'done') {
      queue.list.append([kept])
      continue
    }
    const bytesArrived = kept.key !== null
    const file = bytesArrived ? new Blob() : await queue.memory.file(kept.id)
    if (file) queue.files.set(kept.id, file)
    queue.list.append([{ ...kept, pause: null, error: null, status: file ? 'waiting' : 'needs_file' }])
  }
  startWaiting(queue)
}

/** At sign-out: stops everything; what was kept waits for the same person. */
export function suspendUploads(queue: UploadQueue): void {
  for (const stop of queue.running.values()) stop.abort(new DOMException('Signed out.', 'AbortError'))
  for (const release of queue.releases.values()) release()
  queue.releases.clear()
  queue.files.clear()
  queue.list.clear()
}

function startWaiting(queue: UploadQueue): void {
  for (const item of queue.list.items()) {
    if (queue.running.size >= UPLOAD_FILES_AT_ONCE) return
    const file = queue.files.get(item.id)
    if (item.status === 'waiting' && file && !queue.running.has(item.id)) void run(queue, item, file)
  }
}

async function run(queue: UploadQueue, item: UploadItem, file: Blob): Promise<void> {
  const stop = new AbortController()
  queue.running.set(item.id, stop)
  const update = (patch: Partial<UploadItem>) => {
    if (!stop.signal.aborted) change(queue, item.id, patch)
  }
  try {
    await uploadOne({ ...queue, signal: stop.signal, update, onPause: (pause) => update({ pause }) }, item, file)
    letGo(queue, item.id)
  } catch (error) {
    update({ status: 'failed', error: failureMessage(error), pause: null })
  } finally {
    stop.abort()
    queue.running.delete(item.id)
    startWaiting(queue)
  }
}

function change(queue: UploadQueue, id: string, patch: Partial<UploadItem>): void {
  const partsBefore = queue.list.find(id)?.multipart?.parts.length
  const item = queue.list.change(id, patch)
  if (!item) return
  const worthKeeping = patch.status !== undefined || patch.key !== undefined || item.multipart?.parts.length !== partsBefore
  // A browser that cannot remember (a private window) still uploads.
  if (worthKeeping) (isForgettable(item) ? queue.memory.forget(id) : queue.memory.save(item)).catch(() => undefined)
}

/** An import's source must be kept until the import has been made of it. */
const isForgettable = (item: UploadItem) => item.status === 'cancelled' || (item.status === 'done' && item.purpose === 'document')

async function remember(queue: UploadQueue, item: UploadItem, file: Blob): Promise<void> {
  try {
    await claim(queue, item.id)
    await queue.memory.save(queue.list.find(item.id) ?? item)
    await queue.memory.keepFile(item.id, file)
    const now = queue.list.find(item.id)
    if (now && !isForgettable(now)) return
    // It was over before it was remembered.
    letGo(queue, item.id)
    await queue.memory.forget(item.id)
  } catch {
    // Remembering is a comfort; the upload itself is under way.
  }
}

async function claim(queue: UploadQueue, id: string): Promise<boolean> {
  const release = await queue.memory.claim(id)
  if (release) queue.releases.set(id, release)
  return release !== null
}

function letGo(queue: UploadQueue, id: string): void {
  queue.files.delete(id)
  queue.releases.get(id)?.()
  queue.releases.delete(id)
}

function newItem(id: string, { userId, accountId, purpose, file, wishes }: NewUpload): UploadItem {
  const error = refusalOf(file)
  return {
    id,
    userId,
    accountId,
    purpose,
    wishes,
    error,
    name: file.name,
    size: file.size,
    type: file.type,
    lastModified: file.lastModified,
    status: error === null ? 'waiting' : 'failed',
    sent: 0,
    pause: null,
    multipart: null,
    key: null,
    fileId: null,
    duplicateOf: null,
  }
}

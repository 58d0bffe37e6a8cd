import { UPLOAD_FILES_AT_ONCE, UPLOAD_REPORT_EVERY_MS } from '#contract/limits.ts'
import { isApiError } from '#web/data/errors.ts'
import { createStore } from '#web/ui/store.ts'
import { sendFile, type SendContext } from './send-file.ts'
import { createUploadItem, isSameFile, type NewUpload, type UploadItem } from './upload-item.ts'
import type { UploadPersistence } from './upload-persistence.ts'

interface QueueParts extends Pick<SendContext, 'transport' | 'connection' | 'now'> {
  persistence: UploadPersistence
  newId: () => string
}

export type UploadQueue = ReturnType<typeof createUploadQueue>

export const createUploadQueue = (parts: QueueParts) => ({
  ...parts,
  list: createUploadList(parts.now),
  /** The bytes, by item. Items without bytes wait for the user to choose the file again. */
  files: new Map<string, Blob>(),
  running: new Map<string, AbortController>(),
  /** The release functions of this tab's locks. */
  locks: new Map<string, () => void>(),
})

/** Files that cannot be uploaded are listed as failed, with the reason. */
export function addUploads(queue: UploadQueue, uploads: readonly NewUpload[]): void {
  const added = uploads.map((upload) => {
    const item = createUploadItem(queue.newId(), upload)
    if (item.status === 'waiting') queue.files.set(item.id, upload.file)
    return item
  })
  queue.list.append(added)
  // An upload that cannot be persisted, as in some private windows, is sent all the same.
  for (const item of added) persist(queue, item).catch(() => undefined)
  startWaiting(queue)
}

/** Also aborts a multipart upload in the store. */
export function cancelUpload(queue: UploadQueue, id: string): void {
  const item = queue.list.find(id)
  if (!item || item.status === 'done' || item.status === 'canceled') return
  queue.running.get(id)?.abort(new DOMException('The upload was canceled.', 'AbortError'))
  change(queue, id, { status: 'canceled', pause: null, error: null })
  release(queue, id)
  if (item.multipart && item.key === null) queue.transport.abortMultipart(item, item.multipart.uploadId).catch(() => undefined)
}

export const cancelAllUploads = (queue: UploadQueue): void => queue.list.items().forEach((item) => cancelUpload(queue, item.id))

export const canRetryUpload = (queue: UploadQueue, id: string): boolean => queue.list.find(id)?.status === 'failed' && queue.files.has(id)

/** Continues a failed upload with what hasn't been stored yet. */
export function retryUpload(queue: UploadQueue, id: string): void {
  if (!canRetryUpload(queue, id)) return
  change(queue, id, { status: 'waiting', error: null, rejected: false })
  startWaiting(queue)
}

/** Removes an item from the list; a running upload is canceled first. */
export function dismissUpload(queue: UploadQueue, id: string): void {
  cancelUpload(queue, id)
  release(queue, id)
  queue.list.remove(id)
  queue.persistence.remove(id).catch(() => undefined)
}

/** Continues an upload whose bytes were lost in a reload. Returns false when no upload in the account is waiting for this file. */
export function provideFile(queue: UploadQueue, accountId: string, file: File): boolean {
  const item = queue.list.items().find((one) => one.status === 'needs_file' && one.accountId === accountId && isSameFile(one, file))
  if (!item) return false
  queue.files.set(item.id, file)
  change(queue, item.id, { status: 'waiting' })
  startWaiting(queue)
  return true
}

/** Continues the user's uploads after a reload, except those that another tab has locked. */
export async function restoreUploads(queue: UploadQueue, userId: string): Promise<void> {
  for (const item of await queue.persistence.load()) {
    if (item.userId !== userId || queue.list.find(item.id) || !(await lock(queue, item.id))) continue
    if (item.status === 'done') {
      queue.list.append([item])
      continue
    }
    // Once the bytes are in the store, only the registration is left.
    const file = item.key === null ? await queue.persistence.loadFile(item.id) : new Blob()
    if (file) queue.files.set(item.id, file)
    queue.list.append([{ ...item, pause: null, error: null, status: file ? 'waiting' : 'needs_file' }])
  }
  startWaiting(queue)
}

/** Stops everything at sign-out. Persisted uploads continue when the same user signs in again. */
export function suspendUploads(queue: UploadQueue): void {
  for (const stop of queue.running.values()) stop.abort(new DOMException('Signed out.', 'AbortError'))
  for (const unlock of queue.locks.values()) unlock()
  queue.locks.clear()
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
    await sendFile({ ...queue, signal: stop.signal, update }, item, file)
    release(queue, item.id)
  } catch (error) {
    const message = error instanceof Error ? error.message : ''
    const rejected = isApiError(error) && error.kind === 'invalid'
    update({ status: 'failed', error: message || 'The upload failed. Try it again.', pause: null, rejected })
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
  const mustPersist = patch.status !== undefined || patch.key !== undefined || item.multipart?.parts.length !== partsBefore
  if (mustPersist) (isOver(item) ? queue.persistence.remove(id) : queue.persistence.save(item)).catch(() => undefined)
}

/** A finished upload for an import stays persisted until the import is created. */
const isOver = (item: UploadItem) => item.status === 'canceled' || (item.status === 'done' && item.purpose === 'document')

async function persist(queue: UploadQueue, { id }: UploadItem): Promise<void> {
  const file = queue.files.get(id)
  if (!file) return
  await lock(queue, id)
  const item = queue.list.find(id)
  if (item) await queue.persistence.save(item)
  await queue.persistence.saveFile(id, file)
  const now = queue.list.find(id)
  if (now && !isOver(now)) return
  // It ended while it was being persisted.
  release(queue, id)
  await queue.persistence.remove(id)
}

async function lock(queue: UploadQueue, id: string): Promise<boolean> {
  const unlock = await queue.persistence.lock(id)
  if (unlock) queue.locks.set(id, unlock)
  return unlock !== null
}

function release(queue: UploadQueue, id: string): void {
  queue.files.delete(id)
  queue.locks.get(id)?.()
  queue.locks.delete(id)
}

/** `shown` is what the page renders: progress arrives more often than that is needed, so it is shown with a delay. */
function createUploadList(now: () => number) {
  let items: readonly UploadItem[] = []
  const shown = createStore(items)
  let shownAt = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  const show = () => {
    clearTimeout(timer)
    timer = undefined
    shownAt = now()
    shown.set(items)
  }
  const replace = (next: readonly UploadItem[]) => {
    items = next
    show()
  }
  const find = (id: string) => items.find((item) => item.id === id)
  return {
    items: () => items,
    shown,
    find,
    append: (added: readonly UploadItem[]) => replace([...items, ...added]),
    remove: (id: string) => replace(items.filter((item) => item.id !== id)),
    clear: () => replace([]),
    /** Returns the changed item. */
    change: (id: string, patch: Partial<UploadItem>): UploadItem | undefined => {
      items = items.map((item) => (item.id === id ? { ...item, ...patch } : item))
      if (Object.keys(patch).some((name) => name !== 'sent' && name !== 'multipart')) show()
      else timer ??= setTimeout(show, Math.max(0, shownAt + UPLOAD_REPORT_EVERY_MS - now()))
      return find(id)
    },
  }
}

import { useSyncExternalStore } from 'react'
import { z } from 'zod'
import { fileCalls, type AccountFile } from '#contract/account-files.ts'
import { EXPORT_POLL_MS } from '#contract/limits.ts'
import { api } from './client.ts'
import { isApiError } from './errors.ts'
import { emitPageEvent } from './page-events.ts'

const Pending = z.object({
  id: z.string(),
  accountId: z.string(),
  fileName: z.string(),
  source: z.enum(['fileselection', 'downloadall']),
  /** 0 to 100 as the server reports it; shown through `formatProgress`. */
  percentage: z.number(),
  status: z.string(),
  filesProcessed: z.number(),
  totalFiles: z.number(),
})
export type PendingDownload = z.output<typeof Pending>
type Started = Pick<PendingDownload, 'id' | 'accountId' | 'fileName'> & { source?: PendingDownload['source'] }

const KEY = 'plumbline.pending-downloads'
/** A service that is unreachable for a moment does not end the polling. */
const FAILURES_MAX = 5

let pending: readonly PendingDownload[] = read()
let timer: ReturnType<typeof setTimeout> | undefined
const failures = new Map<string, number>()
const listeners = new Set<() => void>()

/** Per tab: survives a reload, and no other tab downloads the same file. */
function read(): PendingDownload[] {
  try {
    return z.array(Pending).parse(JSON.parse(window.sessionStorage.getItem(KEY) ?? '[]'))
  } catch {
    return []
  }
}

function set(next: readonly PendingDownload[]): void {
  pending = next
  window.sessionStorage.setItem(KEY, JSON.stringify(next))
  for (const listener of listeners) listener()
  if (next.length > 0 && timer === undefined) timer = setTimeout(() => void poll(), EXPORT_POLL_MS)
}

const remove = (id: string) => {
  failures.delete(id)
  set(pending.filter((one) => one.id !== id))
}

async function poll(): Promise<void> {
  await Promise.all(pending.map(check))
  timer = undefined
  set(pending)
}

async function check({ id, accountId, fileName }: PendingDownload): Promise<void> {
  try {
    const { data } = await api(fileCalls.show, { params: { id: accountId, file_id: id } })
    failures.delete(id)
    settle(id, fileName, data)
  } catch (error) {
    const count = (failures.get(id) ?? 0) + 1
    failures.set(id, count)
    if ((isApiError(error) && error.status >= 400 && error.status < 500) || count >= FAILURES_MAX) fail(id)
  }
}

function settle(id: string, fileName: string, file: AccountFile): void {
  if (!pending.some((one) => one.id === id)) return
  switch (file.status) {
    case 'accessible':
      remove(id)
      if (file.url === null) emitPageEvent('download-failed', { fileId: id })
      else emitPageEvent('download-ready', { fileId: id, url: file.url, fileName: file.file.original_file_name || fileName })
      return
    case 'failed':
      return fail(id)
    case 'cancelled':
      return remove(id)
    case 'pending':
    case 'processing':
      if (file.progress !== null) set(pending.map((one) => (one.id === id ? { ...one, ...progressOf(file.progress) } : one)))
      return
    default:
      file.status satisfies never
  }
}

function progressOf(progress: AccountFile['progress']) {
  if (progress === null) return {}
  return {
    percentage: progress.percentage_complete,
    status: progress.status,
    filesProcessed: progress.files_processed,
    totalFiles: progress.total_files,
  }
}

function fail(id: string): void {
  remove(id)
  emitPageEvent('download-failed', { fileId: id })
}

/** Archives and exports in the making: polled each second, downloaded when they are ready. */
export const pendingDownloads = {
  follow: ({ source = 'fileselection', ...started }: Started): void => {
    const others = pending.filter(({ id }) => id !== started.id)
    set([...others, { ...started, source, percentage: 0, status: '', filesProcessed: 0, totalFiles: 0 }])
  },
  /** Cancels the job on the server, too. */
  cancel: async (id: string): Promise<void> => {
    const found = pending.find((one) => one.id === id)
    remove(id)
    if (found !== undefined) await api(fileCalls.cancelArchive, { params: { id: found.accountId, file_id: id } })
  },
  /** Continues after a reload. */
  resume: (): void => set(pending),
  clear: (): void => set([]),
  all: (): readonly PendingDownload[] => pending,
} as const

export const usePendingDownloads = (): readonly PendingDownload[] => useSyncExternalStore(subscribe, pendingDownloads.all)

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

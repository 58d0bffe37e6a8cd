import { z } from 'zod'
import { ARCHIVE_SOURCES, AccountFile, fileCalls } from '#contract/account-files.ts'
import { leftOutText } from '#contract/download-content.ts'
import { EXPORT_POLL_MS } from '#contract/limits.ts'
import { createStore, useStore } from '#web/ui/store.ts'
import { api } from './client.ts'
import { isApiError } from './errors.ts'
import { emitPageEvent } from './page-events.ts'

const Pending = z.object({
  id: z.string(),
  accountId: z.string(),
  fileName: z.string(),
  source: z.enum(ARCHIVE_SOURCES),
  /** As the server reports it, with 0 to 100 percent; null until it has begun. */
  progress: AccountFile.shape.progress,
  /** Polls that failed since the last answer. */
  failures: z.number(),
  /** Started in this tab, which downloads it when it is ready; others only announce it. */
  own: z.boolean().default(true),
})
export type PendingDownload = z.output<typeof Pending>
type Started = Pick<PendingDownload, 'id' | 'accountId' | 'fileName'> & Partial<Pick<PendingDownload, 'source'>>

const KEY = 'plumbline.pending-downloads'
/** A service that is unreachable for a moment does not end the polling. */
const FAILURES_MAX = 5

/** The toast that says that a file is being prepared. It closes when the download starts, fails or is canceled. */
export const PREPARING_TOAST = { id: 'preparing-download' } as const

const store = createStore<readonly PendingDownload[]>(read())
let timer: ReturnType<typeof setTimeout> | undefined

/** Per tab: survives a reload, and no other tab downloads the same file. */
function read(): PendingDownload[] {
  try {
    return z.array(Pending).parse(JSON.parse(window.sessionStorage.getItem(KEY) ?? '[]'))
  } catch {
    return []
  }
}

function set(next: readonly PendingDownload[]): void {
  window.sessionStorage.setItem(KEY, JSON.stringify(next))
  store.set(next)
  if (next.length > 0 && timer === undefined) timer = setTimeout(() => void poll(), EXPORT_POLL_MS)
}

const update = (id: string, patch: Partial<PendingDownload>) => set(store.get().map((one) => (one.id === id ? { ...one, ...patch } : one)))
const remove = (id: string) => set(store.get().filter((one) => one.id !== id))

async function poll(): Promise<void> {
  await Promise.all(store.get().map(check))
  timer = undefined
  set(store.get())
}

async function check({ id, accountId, fileName, own, ...before }: PendingDownload): Promise<void> {
  try {
    const { data } = await api(fileCalls.show, { params: { id: accountId, file_id: id } })
    settle({ id, fileName, own }, data)
  } catch (error) {
    const failures = before.failures + 1
    if (isApiError(error) && (error.kind === 'forbidden' || error.kind === 'conflict')) fail(id, error.message)
    else if ((isApiError(error) && error.status >= 400 && error.status < 500) || failures >= FAILURES_MAX) fail(id)
    else update(id, { failures })
  }
}

function settle(
  { id, fileName, own }: Pick<PendingDownload, 'id' | 'fileName' | 'own'>,
  { account_id: accountId, status, url, file, progress, content }: AccountFile,
): void {
  // The user may have canceled it meanwhile.
  if (!store.get().some((one) => one.id === id)) return
  switch (status) {
    case 'accessible':
      if (url === null) return fail(id)
      remove(id)
      return emitPageEvent('download-ready', {
        fileId: id,
        accountId,
        url: own ? url : null,
        fileName: file.original_file_name || fileName,
        leftOut: content ? leftOutText(content) : undefined,
      })
    case 'failed':
      return fail(id)
    case 'cancelled':
      return remove(id)
    case 'pending':
    case 'processing':
      return update(id, { failures: 0, ...(progress === null ? {} : { progress }) })
    default:
      status satisfies never
  }
}

function fail(id: string, message?: string): void {
  remove(id)
  emitPageEvent('download-failed', message === undefined ? { fileId: id } : { fileId: id, message })
}

/** Archives and exports in the making: polled each second, downloaded when they are ready. */
export const pendingDownloads = {
  follow: ({ source = 'fileselection', ...started }: Started): void => {
    set([...store.get().filter(({ id }) => id !== started.id), { ...started, source, progress: null, failures: 0, own: true }])
  },
  /** Cancels the job on the server, too. */
  cancel: async (id: string): Promise<void> => {
    const found = store.get().find((one) => one.id === id)
    remove(id)
    if (found !== undefined) await api(fileCalls.cancelArchive, { params: { id: found.accountId, file_id: id } })
  },
  /** Continues after a reload. */
  resume: (): void => set(store.get()),
  /** Also follows what the user started in other tabs and on other devices, as the server knows it. */
  synchronize: async (): Promise<void> => {
    const { data } = await api(fileCalls.pendingArchives, {})
    const known = new Set(store.get().map(({ id }) => id))
    const others = data.flatMap(({ id, account_id: accountId, file, source = 'fileselection', progress }): PendingDownload[] =>
      known.has(id) ? [] : [{ id, accountId, fileName: file.original_file_name, source, progress, failures: 0, own: false }],
    )
    if (others.length > 0) set([...store.get(), ...others])
  },
  clear: (): void => {
    clearTimeout(timer)
    timer = undefined
    set([])
  },
  all: store.get,
} as const

export const usePendingDownloads = (): readonly PendingDownload[] => useStore(store)

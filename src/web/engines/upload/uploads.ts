import { randomId } from '@mantine/hooks'
import { onPageEvent } from '#web/data/page-events.ts'
import { useStore } from '#web/ui/store.ts'
import { browserConnection } from './send-file.ts'
import type { DocumentSettings, UploadItem } from './upload-item.ts'
import { browserPersistence } from './upload-persistence.ts'
import { addUploads, createUploadQueue, provideFile, suspendUploads } from './upload-queue.ts'
import { apiTransport } from './upload-transport.ts'

/** This tab's only queue. It belongs to no component, so uploads continue while the user opens other pages. */
export const uploads = createUploadQueue({
  transport: apiTransport,
  persistence: browserPersistence(),
  connection: browserConnection,
  now: () => Date.now(),
  // Not crypto.randomUUID, which plain HTTP lacks.
  newId: () => randomId(''),
})

onPageEvent('session-ended', () => suspendUploads(uploads))
// The maintenance page signs out.
onPageEvent('maintenance', () => suspendUploads(uploads))

export const NO_CHOICES: DocumentSettings = { category: null, private: null, sov: null, propertyIds: [] }

/** Uploads files as documents. A file that an interrupted upload is waiting for continues that upload instead. */
export function uploadDocuments(userId: string, accountId: string, files: readonly File[], settings: DocumentSettings): void {
  const added = files.filter((file) => !provideFile(uploads, accountId, file))
  addUploads(
    uploads,
    added.map((file) => ({ userId, accountId, purpose: 'document', file, settings })),
  )
}

export const useUploads = (): readonly UploadItem[] => useStore(uploads.list.shown)

export function useUploadsOf(accountId: string, purpose: UploadItem['purpose']): readonly UploadItem[] {
  return useUploads().filter((item) => item.accountId === accountId && item.purpose === purpose)
}

import { randomId } from '@mantine/hooks'
import { DOCUMENT_CATEGORIES, suggestCategory, type DocumentCategoryCode } from '#contract/document-categories.ts'
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

/** What the user chose for new documents. Null means by default: the category from the file name, the rest from the category. */
export interface DocumentChoices {
  category: DocumentCategoryCode | null
  private: boolean | null
  sov: boolean | null
  propertyIds: readonly string[]
}

export const NO_CHOICES: DocumentChoices = { category: null, private: null, sov: null, propertyIds: [] }

function settingsFor(fileName: string, choices: DocumentChoices): DocumentSettings {
  const category = choices.category ?? suggestCategory(fileName)
  const usual = DOCUMENT_CATEGORIES[category]
  return { category, private: choices.private ?? usual.private, sov: choices.sov ?? usual.sov, propertyIds: [...choices.propertyIds] }
}

/** Uploads files as documents. A file that an interrupted upload is waiting for continues that upload instead. */
export function uploadDocuments(userId: string, accountId: string, files: readonly File[], choices: DocumentChoices): void {
  const added = files.filter((file) => !provideFile(uploads, accountId, file))
  addUploads(
    uploads,
    added.map((file) => ({ userId, accountId, purpose: 'document', file, settings: settingsFor(file.name, choices) })),
  )
}

export const useUploads = (): readonly UploadItem[] => useStore(uploads.list.shown)

export function useUploadsOf(accountId: string, purpose: UploadItem['purpose']): readonly UploadItem[] {
  return useUploads().filter((item) => item.accountId === accountId && item.purpose === purpose)
}

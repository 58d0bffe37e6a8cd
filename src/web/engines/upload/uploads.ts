import { randomId } from '@mantine/hooks'
import { useEffect, useRef, useState } from 'react'
import { DOCUMENT_CATEGORIES, suggestCategory, type DocumentCategoryCode } from '#contract/document-categories.ts'
import { SECOND_MS, UPLOAD_SPEED_WINDOW_MS } from '#contract/limits.ts'
import { onPageEvent } from '#web/data/page-events.ts'
import { useStore } from '#web/ui/store.ts'
import { browserConnection } from './send-file.ts'
import { isRunning, type DocumentSettings, type UploadItem } from './upload-item.ts'
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

export interface UploadTotals {
  running: number
  /** Bytes. */
  sent: number
  size: number
  /** Bytes per second. */
  speed: number
}

/** Totals of the running and finished uploads. */
export function useUploadTotals(items: readonly UploadItem[]): UploadTotals {
  const running = items.filter(isRunning).length
  const counted = items.filter((item) => isRunning(item) || item.status === 'done')
  const sent = counted.reduce((sum, item) => sum + item.sent, 0)
  const size = counted.reduce((sum, item) => sum + item.size, 0)
  return { running, sent, size, speed: useSpeed(sent, running > 0) }
}

/** Bytes per second over the last seconds, from one sample a second. */
function useSpeed(sent: number, running: boolean): number {
  const latest = useRef(sent)
  useEffect(() => {
    latest.current = sent
  }, [sent])
  const [speed, setSpeed] = useState(0)
  useEffect(() => {
    if (!running) return undefined
    let samples = [{ at: Date.now(), sent: latest.current }]
    const timer = setInterval(() => {
      const sample = { at: Date.now(), sent: latest.current }
      // The total shrinks when an item is removed from the list.
      samples = samples.filter((old) => sample.at - old.at <= UPLOAD_SPEED_WINDOW_MS && old.sent <= sample.sent)
      const [first = sample] = samples
      samples.push(sample)
      setSpeed(first === sample ? 0 : ((sample.sent - first.sent) / (sample.at - first.at)) * SECOND_MS)
    }, SECOND_MS)
    return () => clearInterval(timer)
  }, [running])
  return running ? speed : 0
}

import type { UploadItem } from './upload-item.ts'

/** What outlives a reload of the page: the items, and the bytes of those that fit. */
export interface UploadMemory {
  load(): Promise<UploadItem[]>
  save(item: UploadItem): Promise<void>
  /** Resolves to false when the browser has no room for the bytes. */
  keepFile(id: string, file: Blob): Promise<boolean>
  file(id: string): Promise<Blob | null>
  forget(id: string): Promise<void>
  /** Takes the upload for this tab; null when another tab has it. */
  claim(id: string): Promise<(() => void) | null>
}

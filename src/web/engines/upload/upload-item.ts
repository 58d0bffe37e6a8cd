import type { DocumentCategoryCode } from '#contract/document-categories.ts'

/** What a person decided about a file before it went off. */
export interface UploadWishes {
  category: DocumentCategoryCode
  private: boolean
  sov: boolean
  propertyIds: string[]
}

export interface ArrivedPart {
  number: number
  etag: string
  /** Bytes. */
  size: number
}

/** needs_file: after a reload the browser no longer has the bytes; the person gives the same file again. */
export type UploadStatus = 'waiting' | 'sending' | 'registering' | 'needs_file' | 'done' | 'failed' | 'cancelled'

/** One file on its way into an account. Plain data: it is drawn, and it is kept over a reload. */
export interface UploadItem {
  id: string
  userId: string
  accountId: string
  /** import: the bytes become the source of an import, which registers them itself. */
  purpose: 'document' | 'import'
  name: string
  size: number
  type: string
  lastModified: number
  wishes: UploadWishes
  status: UploadStatus
  /** Bytes that are known to have left, including those of parts under way. */
  sent: number
  /** Set while a request waits for its next try: offline, or the moment of the try (ms since 1970). */
  pause: { reason: 'offline' } | { reason: 'retry'; at: number; because: string } | null
  multipart: { uploadId: string; partSize: number; parts: ArrivedPart[] } | null
  /** Where the bytes lie once they have arrived. */
  key: string | null
  fileId: string | null
  /** The name of a document of the account with the same bytes. */
  duplicateOf: string | null
  error: string | null
}

export const isRunning = (item: UploadItem) => item.status === 'waiting' || item.status === 'sending' || item.status === 'registering'
export const isFinished = (item: UploadItem) => item.status === 'done' || item.status === 'cancelled'

/** The same file as far as a browser can tell: name, size and time of the last change. */
export const isSameFile = (item: UploadItem, file: { name: string; size: number; lastModified: number }) =>
  item.name === file.name && item.size === file.size && item.lastModified === file.lastModified

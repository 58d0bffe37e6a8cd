import type { DocumentCategoryCode } from '#contract/document-categories.ts'
import { UPLOAD_MAX_BYTES } from '#contract/limits.ts'
import { isProgramName } from '#contract/program-names.ts'

/** What the user chose for a new document. Null: the server proposes the category, and the rest follows from the category. */
export interface DocumentSettings {
  category: DocumentCategoryCode | null
  private: boolean | null
  sov: boolean | null
  propertyIds: string[]
  /** The file is a new version of this document, which keeps its values. */
  replaces?: { id: string; name: string }
}

/** What the server made of a file. */
export interface UploadedDocument {
  id: string
  category: DocumentCategoryCode
  /** Properties that the name of the file means, which are not linked until the user confirms it. */
  proposed: { id: string; full_address: string }[]
  linked: boolean
  /** It is private, and its user does not see the private documents of the account. */
  hidden?: boolean
  /** Another document with the same file name, of which it can become a version. */
  sameName?: { id: string; name: string } | null
}

export interface UploadedPart {
  number: number
  etag: string
  /** Bytes. */
  size: number
}

/** needs_file: the browser lost the bytes in a reload; the user has to choose the same file again. */
type UploadStatus = 'waiting' | 'sending' | 'registering' | 'needs_file' | 'done' | 'failed' | 'canceled'

/** One file on its way into an account. Plain data, because it is stored in IndexedDB to survive a reload. */
export interface UploadItem {
  id: string
  userId: string
  accountId: string
  /** import: the import registers the file itself. */
  purpose: 'document' | 'import'
  name: string
  /** The name with the folders that were dropped. */
  path: string
  size: number
  type: string
  lastModified: number
  settings: DocumentSettings
  status: UploadStatus
  /** Bytes sent, including those of parts in progress. */
  sent: number
  /** Why a request is waiting: the browser is offline, or the next attempt is at `at` (ms since 1970). */
  pause: { reason: 'offline' } | { reason: 'retry'; at: number; because: string } | null
  multipart: { uploadId: string; partSize: number; parts: UploadedPart[] } | null
  /** Key in the document store; null until all bytes have been received there. */
  key: string | null
  /** Name of a document in the account with the same content. */
  duplicateOf: string | null
  document: UploadedDocument | null
  error: string | null
  /** The file itself was rejected, so another attempt would fail, too. */
  rejected: boolean
}

export type NewUpload = Pick<UploadItem, 'userId' | 'accountId' | 'purpose' | 'settings'> & { file: File }

/** A file that cannot be uploaded becomes a failed item with the reason. */
export function createUploadItem(id: string, { file, ...details }: NewUpload): UploadItem {
  const error = fileProblem(file)
  return {
    ...details,
    id,
    name: file.name,
    path: pathOf(file),
    size: file.size,
    type: file.type,
    lastModified: file.lastModified,
    status: error === null ? 'waiting' : 'failed',
    error,
    sent: 0,
    pause: null,
    multipart: null,
    key: null,
    duplicateOf: null,
    document: null,
    rejected: error !== null,
  }
}

const folders = new WeakMap<File, string>()

/** Browsers give dropped files no folder, so it is recorded for them. */
export function setPath(file: File, path: string): File {
  folders.set(file, path.replace(/^\//, ''))
  return file
}

const pathOf = (file: File): string => folders.get(file) ?? (file.webkitRelativePath || file.name)

export const isRunning = (item: UploadItem) => item.status === 'waiting' || item.status === 'sending' || item.status === 'registering'

/** Name, size and modification time are all a browser reveals to recognize a file chosen again. */
export const isSameFile = (item: UploadItem, file: File) =>
  item.name === file.name && item.size === file.size && item.lastModified === file.lastModified

/** The server also checks the content; this check saves sending the bytes. */
function fileProblem(file: File): string | null {
  if (isProgramName(file.name)) return 'Programs cannot be uploaded. Send the document itself, for example as a PDF.'
  if (file.size === 0) return 'This file is empty. Check it on your computer and choose it again.'
  if (file.size > UPLOAD_MAX_BYTES) return 'A file may be at most 5 GiB. Split it or compress it first.'
  return null
}

/** Whole percent. An upload in progress never shows 100. */
export const percentOf = (sent: number, size: number) => (size === 0 ? 0 : Math.min(99, Math.floor((sent / size) * 100)))

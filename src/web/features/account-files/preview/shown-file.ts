import type { SheetPreview } from '#contract/file-versions.ts'
import { createRangeReader } from './pdf-ranges.ts'

/** A file to preview: a document, one of its versions, or an attachment of an email. */
export interface ShownFile {
  /** Distinguishes files in caches. */
  key: string
  name: string
  type: string
  /** Bytes. */
  size: number
  /** The page that is shown first, from 1; that of a PDF. */
  page?: number | undefined
  content: StoredContent | LocalContent
  /** Absent: the user cannot download it. */
  download?: (() => void) | undefined
  /** Stores an attachment of this file as a document. Absent: the user cannot upload to the account. */
  store?: ((attachment: File) => void) | undefined
}

/** In the store, by links that are valid for a minute. */
interface StoredContent {
  kind: 'stored'
  url: string
  renew: () => Promise<string>
  readSheet: (sheet: number, signal: AbortSignal) => Promise<SheetPreview>
}

/** In the memory of the page. */
interface LocalContent {
  kind: 'local'
  blob: Blob
}

/** All bytes of a file, unless `closed` cancels the request. */
export async function readBytes({ content, size }: ShownFile, closed: AbortSignal): Promise<Uint8Array<ArrayBuffer>> {
  if (content.kind === 'local') return new Uint8Array(await content.blob.arrayBuffer())
  if (size === 0) return new Uint8Array()
  return new Uint8Array(await createRangeReader(content.url, content.renew, closed)(0, size))
}

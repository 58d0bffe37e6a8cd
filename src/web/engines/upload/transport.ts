import type { ArrivedPart, UploadItem } from './upload-item.ts'

export type OnBytes = (sent: number) => void

/**
 * The requests of an upload, each made once: no retries, no state. All reject with an UploadFailure, or with the signal's reason.
 * Sizes in bytes; etags as the store gives them, without quotes.
 */
export interface UploadTransport {
  /** Asks for permission and posts the whole file. Answers the key. */
  sendWhole(item: UploadItem, file: Blob, onBytes: OnBytes, signal: AbortSignal): Promise<string>
  startMultipart(item: UploadItem, signal: AbortSignal): Promise<{ uploadId: string; partSize: number }>
  listParts(item: UploadItem, uploadId: string, signal: AbortSignal): Promise<ArrivedPart[]>
  /** Asks for permission and puts one part (from 1). Answers its etag. */
  sendPart(item: UploadItem, uploadId: string, number: number, bytes: Blob, onBytes: OnBytes, signal: AbortSignal): Promise<string>
  completeMultipart(item: UploadItem, uploadId: string, parts: ArrivedPart[], signal: AbortSignal): Promise<string>
  abortMultipart(item: UploadItem, uploadId: string): Promise<void>
  register(item: UploadItem, key: string, signal: AbortSignal): Promise<{ fileId: string; duplicateOf: string | null }>
}

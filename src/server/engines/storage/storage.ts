import type { Readable } from 'node:stream'
import { invalid } from '#server/kernel/errors.ts'

export interface StoredObject {
  key: string
  /** Bytes. */
  size: number
  /** Without quotes; equal etags mean equal bytes. */
  etag: string
  modifiedAt: Date
}

/** The browser posts multipart/form-data: every field, then the bytes as `file`, last. */
export interface UploadTicket {
  postEndpoint: string
  fields: Record<string, string>
}

export interface UploadedPart {
  number: number
  size: number
  etag: string
}

export interface Checksums {
  crc32: number
  /** Hexadecimal. */
  sha256: string
  size: number
}

/** Both ends inclusive, in bytes from 0. */
export interface ByteRange {
  start: number
  end: number
}

export interface DownloadOptions {
  fileName: string
  contentType: string
  disposition: 'attachment' | 'inline'
  expiresInMs: number
  /** Becomes part of the signed link where the store is ours; a foreign store has no use for it. */
  viewerId?: string
}

/**
 * Where documents lie. Keys are made by the server (see `assertKey`); a browser sends and fetches bytes with signed links only.
 * Errors: AppError `not_found` for a key or upload that is not there, `unavailable` when the store is gone or full,
 * `conflict` when an upload's parts or an object's size are not as expected, `too_large` above a limit.
 */
export interface Storage {
  kind: 'disk' | 's3'
  /** Readiness; throws AppError `unavailable`. */
  check(): Promise<void>
  /** For one request of at most MULTIPART_ABOVE_BYTES; key, type and the size as upper limit are part of the signature. */
  uploadTicket(key: string, options: { contentType: string; size: number; expiresInMs: number }): Promise<UploadTicket>
  /** Returns the id of the upload. */
  startMultipart(key: string, options: { contentType: string }): Promise<string>
  /** Where the browser PUTs one part (numbered from 1); the answer's ETag header is what `completeMultipart` wants. */
  partUrl(key: string, uploadId: string, number: number, options?: { size?: number }): Promise<string>
  /** What has arrived so far, by number. */
  listParts(key: string, uploadId: string): Promise<UploadedPart[]>
  /** May be repeated after a lost answer. */
  completeMultipart(key: string, uploadId: string, parts: { number: number; etag: string }[]): Promise<StoredObject>
  abortMultipart(key: string, uploadId: string): Promise<void>
  put(key: string, body: Readable | Buffer | string, options: { contentType: string }): Promise<StoredObject>
  head(key: string): Promise<StoredObject | undefined>
  /** With `expectedSize`, an object of another size is refused as a conflict before the first byte. */
  read(key: string, range?: ByteRange, expectedSize?: number): Promise<Readable>
  remove(key: string): Promise<void>
  /** Every object whose key begins with the prefix, in no promised order. */
  list(prefix: string): AsyncGenerator<StoredObject>
  downloadUrl(key: string, options: DownloadOptions): Promise<string>
  /** Known without reading where the bytes passed through us; otherwise see `computeChecksums`. */
  checksums(key: string): Promise<Checksums | undefined>
  /** Removes what uploads begun before the given moment left unfinished; returns how many. */
  sweepTemporary(before: Date): Promise<number>
}

const KEY = /^[a-z0-9][a-z0-9_\-/.]{0,300}$/

/** Refuses anything that could lie outside the store or name one object in two ways. */
export function assertKey(key: string): void {
  const segments = key.split('/')
  const plain = KEY.test(key) && !key.includes('..') && !segments.includes('') && !segments.includes('.')
  if (!plain) throw invalid({ key: ['This is not the address of a stored file.'] })
}

export const withoutQuotes = (etag: string) => etag.replace(/^"|"$/g, '')

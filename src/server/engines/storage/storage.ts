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

/** The browser posts multipart/form-data: all fields, then the bytes as `file`. */
export type UploadTicket = { postEndpoint: string; fields: Record<string, string> }

export type PartTag = { number: number; etag: string }

export interface UploadedPart extends PartTag {
  size: number
}

export interface Checksums {
  crc32: number
  /** Hexadecimal. */
  sha256: string
  size: number
}

/** Both ends inclusive, in bytes from 0. */
export type ByteRange = { start: number; end: number }

export interface DownloadOptions extends LinkOwner {
  fileName: string
  contentType: string
  disposition: 'attachment' | 'inline'
  /** The page shows the bytes, so the disk store does not record a download. */
  isPreview?: boolean
  expiresInMs: number
}

/** The family of the sessions of a sign-in. A link of the disk store ends with it, and needs one; a link of S3 only expires. */
type LinkOwner = { familyId?: string | undefined }

interface UploadOptions extends LinkOwner {
  contentType: string
  size: number
  expiresInMs: number
}

/**
 * A store for documents. The server chooses the keys (see `checkedKey`); browsers send and fetch bytes with signed links only.
 * Errors: AppError `not_found` for a missing object or upload, `unavailable` when the store cannot be reached or is full,
 * `conflict` when an upload's parts or an object's size are not as expected, `too_large` above a limit.
 */
export interface Storage {
  kind: 'disk' | 's3'
  /** Readiness; throws AppError `unavailable`. */
  check(): Promise<void>
  /** For one request of at most MULTIPART_ABOVE_BYTES. Key, type and maximum size are part of the signature. */
  uploadTicket(key: string, options: UploadOptions): Promise<UploadTicket>
  /** Returns the id of the upload. */
  startMultipart(key: string, options: { contentType: string }): Promise<string>
  /** The browser PUTs one part (numbered from 1) and passes the ETag header of the response to `completeMultipart`. */
  partUrl(key: string, uploadId: string, number: number, options?: LinkOwner & { size?: number }): Promise<string>
  /** The parts received so far, by number. */
  listParts(key: string, uploadId: string): Promise<UploadedPart[]>
  /** Can be repeated after a lost response. */
  completeMultipart(key: string, uploadId: string, parts: PartTag[]): Promise<StoredObject>
  /**
   * Returns the key of the same bytes that no link of `uploadTicket` can replace. Throws `conflict` unless the object has this etag.
   * The disk store returns the same key, because its links are checked when they are used; S3 returns that of a copy.
   */
  sealUpload(key: string, etag: string): Promise<string>
  abortMultipart(key: string, uploadId: string): Promise<void>
  put(key: string, body: Readable | Buffer | string, options: { contentType: string }): Promise<StoredObject>
  head(key: string): Promise<StoredObject | undefined>
  /** Bytes of each of these objects that exists, by key. Cheaper than `head` for many objects of one folder. */
  sizes(keys: readonly string[]): Promise<Map<string, number>>
  /** Throws `conflict` for an object that does not have the expected size. */
  read(key: string, range?: ByteRange, expectedSize?: number): Promise<Readable>
  remove(key: string): Promise<void>
  /** All objects whose key starts with the prefix, in no particular order. */
  list(prefix: string): AsyncGenerator<StoredObject>
  downloadUrl(key: string, options: DownloadOptions): Promise<string>
  /** Undefined if the store has none; then use `computeChecksums`, which reads the object. */
  checksums(key: string): Promise<Checksums | undefined>
  /** Removes unfinished uploads that started before the given time; returns how many. */
  sweepTemporary(before: Date): Promise<number>
}

const KEY = /^[a-z0-9][a-z0-9_\-/.]{0,300}$/

/** Returns the key; throws for one that could point outside the store or name the same object as another key. */
export function checkedKey(key: string): string {
  const segments = key.split('/')
  const plain = KEY.test(key) && !key.includes('..') && !segments.includes('') && !segments.includes('.')
  if (!plain) throw invalid({ key: ['This is not the key of a stored file.'] })
  return key
}

const SEALED_SUFFIX = '.sealed'
/** The key of the copy that `sealUpload` of S3 makes. */
export const sealedKey = (uploadKey: string): string => uploadKey + SEALED_SUFFIX
/** The key under which the bytes of a document were uploaded. */
export const uploadKeyOf = (key: string): string => (key.endsWith(SEALED_SUFFIX) ? key.slice(0, -SEALED_SUFFIX.length) : key)

export const withoutQuotes = (etag: string) => etag.replace(/^"|"$/g, '')

export const sortedParts = (parts: readonly PartTag[]): PartTag[] =>
  parts.map(({ number, etag }) => ({ number, etag: withoutQuotes(etag) })).sort((a, b) => a.number - b.number)

import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CopyObjectCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  HeadObjectCommand,
  ListPartsCommand,
  paginateListObjectsV2,
  PutObjectCommand,
  UploadPartCommand,
} from '@aws-sdk/client-s3'
import { UPLOAD_PART_BYTES } from '#contract/limits.ts'
import { blocksOf } from '#server/kernel/blocks.ts'
import { conflict } from '#server/kernel/errors.ts'
import { isMissing, mapErrors, s3Failure, type S3Connection } from './s3-client.ts'
import {
  checkedKey,
  sealedKey,
  sortedParts,
  withoutQuotes,
  type PartTag,
  type Storage,
  type StoredObject,
  type UploadedPart,
} from './storage.ts'

type S3Metadata = { ETag?: string | undefined; LastModified?: Date | undefined }

const storedObject = (key: string, size: number, { ETag = '', LastModified = new Date(0) }: S3Metadata): StoredObject => ({
  key,
  size,
  etag: withoutQuotes(ETag),
  modifiedAt: LastModified,
})

export function s3Objects(connection: S3Connection): Pick<Storage, 'head' | 'sizes' | 'put' | 'sealUpload' | 'remove' | 'list'> {
  const { client, bucket } = connection
  const list: Storage['list'] = async function* (prefix) {
    try {
      for await (const page of paginateListObjectsV2({ client }, { Bucket: bucket, Prefix: prefix })) {
        for (const found of page.Contents ?? []) if (found.Key !== undefined) yield storedObject(found.Key, found.Size ?? 0, found)
      }
    } catch (error) {
      throw s3Failure(error)
    }
  }
  return {
    list,
    /** One request for a thousand objects of the folder. */
    async sizes(keys) {
      const found = new Map<string, number>()
      if (keys.length === 0) return found
      const wanted = new Set(keys)
      for await (const { key, size } of list(commonStart(keys))) if (wanted.has(key)) found.set(key, size)
      return found
    },
    head: async (key) => headS3(connection, key),
    /** Uploads a long stream in parts, with one part in memory at a time. A failed upload leaves nothing. */
    async put(key, body, { contentType }) {
      if (typeof body === 'string' || Buffer.isBuffer(body)) return putWhole(connection, key, body, contentType)
      const blocks = blocksOf(body, { least: UPLOAD_PART_BYTES })
      const first = await blocks.next()
      if (first.done || first.value.length < UPLOAD_PART_BYTES) {
        return putWhole(connection, key, first.done ? Buffer.alloc(0) : first.value, contentType)
      }
      const uploads = s3Uploads(connection)
      const uploadId = await uploads.startMultipart(key, { contentType })
      try {
        const parts = [await putPart(connection, key, uploadId, 1, first.value)]
        for await (const block of blocks) parts.push(await putPart(connection, key, uploadId, parts.length + 1, block))
        return await uploads.completeMultipart(key, uploadId, parts)
      } catch (error) {
        // The first error is the one to report; the sweep removes an upload that could not be aborted.
        await uploads.abortMultipart(key, uploadId).catch(() => undefined)
        throw error
      }
    },
    /** A signed form can be posted again until it expires, and the store has no condition against that. So documents have another key. */
    async sealUpload(key, etag) {
      const input = { Bucket: bucket, Key: sealedKey(key), CopySource: `${bucket}/${checkedKey(key)}`, CopySourceIfMatch: `"${etag}"` }
      await mapErrors(() => client.send(new CopyObjectCommand(input)))
      // Ceph ignores the condition.
      if ((await headS3(connection, key))?.etag !== etag) throw conflict('The stored file was replaced. Please upload it again.')
      return sealedKey(key)
    },
    async remove(key) {
      await mapErrors(() => client.send(new DeleteObjectCommand({ Bucket: bucket, Key: checkedKey(key) })))
    },
  }
}

function commonStart(keys: readonly string[]): string {
  const [first = '', ...others] = keys
  let length = first.length
  for (const key of others) while (!key.startsWith(first.slice(0, length))) length -= 1
  return first.slice(0, length)
}

async function headS3({ client, bucket }: S3Connection, key: string): Promise<StoredObject | undefined> {
  try {
    const metadata = await client.send(new HeadObjectCommand({ Bucket: bucket, Key: checkedKey(key) }))
    return storedObject(key, metadata.ContentLength ?? 0, metadata)
  } catch (error) {
    if (isMissing(error)) return undefined
    throw s3Failure(error)
  }
}

async function headWritten(connection: S3Connection, key: string): Promise<StoredObject> {
  const stored = await headS3(connection, key)
  if (!stored) throw new Error('The object store does not return an object that it has just accepted.')
  return stored
}

async function putWhole(connection: S3Connection, key: string, body: Buffer | string, contentType: string): Promise<StoredObject> {
  const command = new PutObjectCommand({ Bucket: connection.bucket, Key: checkedKey(key), Body: body, ContentType: contentType })
  await mapErrors(() => connection.client.send(command))
  return headWritten(connection, key)
}

async function putPart({ client, bucket }: S3Connection, key: string, uploadId: string, number: number, block: Buffer): Promise<PartTag> {
  const input = { Bucket: bucket, Key: key, UploadId: uploadId, PartNumber: number, Body: block }
  const { ETag = '' } = await mapErrors(() => client.send(new UploadPartCommand(input)))
  return { number, etag: ETag }
}

const INVALID_PARTS = new Set(['InvalidPart', 'InvalidPartOrder', 'EntityTooSmall', 'MalformedXML', 'InvalidRequest'])

export function s3Uploads(
  connection: S3Connection,
): Pick<Storage, 'startMultipart' | 'listParts' | 'completeMultipart' | 'abortMultipart'> {
  const { client, bucket } = connection
  const listParts: Storage['listParts'] = (key, uploadId) =>
    mapErrors(async () => {
      const parts: UploadedPart[] = []
      let more = true
      // Not the SDK's paginator: Ceph sends a next marker on the last page too, so the paginator never ends.
      while (more) {
        const last = parts.at(-1)
        const marker = last && { PartNumberMarker: String(last.number) }
        const page = await client.send(new ListPartsCommand({ Bucket: bucket, Key: checkedKey(key), UploadId: uploadId, ...marker }))
        for (const { PartNumber = 0, Size = 0, ETag = '' } of page.Parts ?? []) {
          parts.push({ number: PartNumber, size: Size, etag: withoutQuotes(ETag) })
        }
        more = page.IsTruncated === true && parts.at(-1) !== last
      }
      return parts
    })
  return {
    listParts,
    async startMultipart(key, { contentType }) {
      const input = { Bucket: bucket, Key: checkedKey(key), ContentType: contentType }
      const { UploadId } = await mapErrors(() => client.send(new CreateMultipartUploadCommand(input)))
      if (UploadId === undefined) throw new Error('The object store started an upload without an id.')
      return UploadId
    },
    async completeMultipart(key, uploadId, parts) {
      const listed = sortedParts(parts).map(({ number, etag }) => ({ PartNumber: number, ETag: etag }))
      const input = { Bucket: bucket, Key: checkedKey(key), UploadId: uploadId, MultipartUpload: { Parts: listed } }
      try {
        await client.send(new CompleteMultipartUploadCommand(input))
      } catch (error) {
        if (error instanceof Error && INVALID_PARTS.has(error.name))
          throw conflict('A part of the upload has not arrived as announced. Send it again.')
        // The response to an earlier, successful call may have been lost.
        const completed = await headS3(connection, key)
        if (completed) return completed
        // Ceph answers 500 for a missing upload; listing its parts throws `not_found`.
        await listParts(key, uploadId)
        throw s3Failure(error)
      }
      return headWritten(connection, key)
    },
    async abortMultipart(key, uploadId) {
      await mapErrors(() => client.send(new AbortMultipartUploadCommand({ Bucket: bucket, Key: checkedKey(key), UploadId: uploadId })))
    },
  }
}

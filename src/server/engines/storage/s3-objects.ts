import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  HeadObjectCommand,
  ListPartsCommand,
  paginateListObjectsV2,
} from '@aws-sdk/client-s3'
import { conflict } from '#server/kernel/errors.ts'
import { asking, isMissing, s3Failure, type S3Connection } from './s3-client.ts'
import { withoutQuotes, type StoredObject, type UploadedPart } from './storage.ts'

export async function headS3({ client, bucket }: S3Connection, key: string): Promise<StoredObject | undefined> {
  try {
    const {
      ContentLength = 0,
      ETag = '',
      LastModified = new Date(0),
    } = await client.send(new HeadObjectCommand({ Bucket: bucket, Key: key }))
    return { key, size: ContentLength, etag: withoutQuotes(ETag), modifiedAt: LastModified }
  } catch (error) {
    if (isMissing(error)) return undefined
    throw s3Failure(error)
  }
}

export async function removeS3({ client, bucket }: S3Connection, key: string): Promise<void> {
  await asking(() => client.send(new DeleteObjectCommand({ Bucket: bucket, Key: key })))
}

export async function* listS3({ client, bucket }: S3Connection, prefix: string): AsyncGenerator<StoredObject> {
  try {
    for await (const page of paginateListObjectsV2({ client }, { Bucket: bucket, Prefix: prefix })) {
      for (const { Key, Size = 0, ETag = '', LastModified = new Date(0) } of page.Contents ?? []) {
        if (Key !== undefined) yield { key: Key, size: Size, etag: withoutQuotes(ETag), modifiedAt: LastModified }
      }
    }
  } catch (error) {
    throw s3Failure(error)
  }
}

export async function startS3Upload({ client, bucket }: S3Connection, key: string, contentType: string): Promise<string> {
  const input = { Bucket: bucket, Key: key, ContentType: contentType }
  const { UploadId } = await asking(() => client.send(new CreateMultipartUploadCommand(input)))
  if (UploadId === undefined) throw new Error('The object store began an upload without naming it.')
  return UploadId
}

export async function listS3Parts({ client, bucket }: S3Connection, key: string, uploadId: string): Promise<UploadedPart[]> {
  return asking(async () => {
    const parts: UploadedPart[] = []
    let more = true
    // Not the SDK's paginator: Ceph names a next marker on the last page too, and the paginator never ends.
    while (more) {
      const last = parts.at(-1)
      const input = { Bucket: bucket, Key: key, UploadId: uploadId, ...(last && { PartNumberMarker: String(last.number) }) }
      const page = await client.send(new ListPartsCommand(input))
      for (const { PartNumber = 0, Size = 0, ETag = '' } of page.Parts ?? []) {
        parts.push({ number: PartNumber, size: Size, etag: withoutQuotes(ETag) })
      }
      more = page.IsTruncated === true && parts.at(-1) !== last
    }
    return parts
  })
}

const PARTS_REFUSED = new Set(['InvalidPart', 'InvalidPartOrder', 'EntityTooSmall', 'MalformedXML', 'InvalidRequest'])

export async function completeS3Upload(
  connection: S3Connection,
  key: string,
  uploadId: string,
  parts: { number: number; etag: string }[],
): Promise<StoredObject> {
  const sorted = parts
    .toSorted((a, b) => a.number - b.number)
    .map(({ number, etag }) => ({ PartNumber: number, ETag: withoutQuotes(etag) }))
  const input = { Bucket: connection.bucket, Key: key, UploadId: uploadId, MultipartUpload: { Parts: sorted } }
  try {
    await connection.client.send(new CompleteMultipartUploadCommand(input))
  } catch (error) {
    if (error instanceof Error && PARTS_REFUSED.has(error.name))
      throw conflict('A part of the upload has not arrived as announced. Send it again.')
    // The answer to an earlier, successful completion may have been lost on its way.
    const done = await headS3(connection, key)
    if (done) return done
    // Ceph answers 500 for an upload that is gone; asking for its parts tells the two apart.
    await listS3Parts(connection, key, uploadId)
    throw s3Failure(error)
  }
  const stored = await headS3(connection, key)
  if (!stored) throw new Error('The object store does not show an object it has just taken.')
  return stored
}

export async function abortS3Upload({ client, bucket }: S3Connection, key: string, uploadId: string): Promise<void> {
  await asking(() => client.send(new AbortMultipartUploadCommand({ Bucket: bucket, Key: key, UploadId: uploadId })))
}

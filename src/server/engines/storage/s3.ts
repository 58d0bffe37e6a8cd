import { GetObjectCommand, UploadPartCommand } from '@aws-sdk/client-s3'
import { createPresignedPost } from '@aws-sdk/s3-presigned-post'
import { getSignedUrl } from '@aws-sdk/s3-request-presigner'
import { MULTIPART_ABOVE_BYTES, UPLOAD_LINK_LIFE_MS } from '#contract/limits.ts'
import { tooLarge } from '#server/kernel/errors.ts'
import { contentDisposition, DOWNLOAD_HEADERS } from './download-headers.ts'
import { abortUploadsBefore, checkBucket, prepareBucket } from './s3-bucket.ts'
import { connectS3, type S3Connection } from './s3-client.ts'
import { abortS3Upload, completeS3Upload, headS3, listS3, listS3Parts, removeS3, startS3Upload } from './s3-objects.ts'
import { readS3 } from './s3-read.ts'
import { parseStorageUrl } from './s3-url.ts'
import { putS3 } from './s3-write.ts'
import { assertKey, type Storage } from './storage.ts'

export interface S3Storage extends Storage {
  kind: 's3'
  close(): void
}

/** Documents in a bucket of any S3-compatible store. Opens without it: until the store answers, every call is refused as `unavailable`. */
export async function openS3Storage(storageUrl: string, appUrl: string): Promise<S3Storage> {
  const connection = connectS3(parseStorageUrl(storageUrl))
  let prepared = false
  const check = async () => {
    if (prepared) return checkBucket(connection)
    await prepareBucket(connection, appUrl)
    prepared = true
  }
  await check().catch(() => undefined)

  return {
    kind: 's3',
    close: () => connection.client.destroy(),
    check,
    ...linkCalls(connection),
    startMultipart: async (key, { contentType }) => startS3Upload(connection, checked(key), contentType),
    listParts: async (key, uploadId) => listS3Parts(connection, checked(key), uploadId),
    completeMultipart: async (key, uploadId, parts) => completeS3Upload(connection, checked(key), uploadId, parts),
    abortMultipart: async (key, uploadId) => abortS3Upload(connection, checked(key), uploadId),
    put: async (key, body, { contentType }) => putS3(connection, checked(key), body, contentType),
    head: async (key) => headS3(connection, checked(key)),
    read: async (key, range, expectedSize) => readS3(connection, checked(key), range, expectedSize),
    remove: async (key) => removeS3(connection, checked(key)),
    list: (prefix) => listS3(connection, prefix),
    checksums: async () => undefined,
    sweepTemporary: (before) => abortUploadsBefore(connection, before),
  }
}

function checked(key: string): string {
  assertKey(key)
  return key
}

const seconds = (ms: number) => Math.max(1, Math.ceil(ms / 1000))

function linkCalls({ client, bucket }: S3Connection): Pick<Storage, 'uploadTicket' | 'partUrl' | 'downloadUrl'> {
  return {
    async uploadTicket(key, { contentType, size, expiresInMs }) {
      if (size > MULTIPART_ABOVE_BYTES) throw tooLarge('A file of this size is uploaded in parts.')
      const { url, fields } = await createPresignedPost(client, {
        Bucket: bucket,
        Key: checked(key),
        Fields: { 'Content-Type': contentType },
        Conditions: [['content-length-range', 0, size]],
        Expires: seconds(expiresInMs),
      })
      return { postEndpoint: url, fields }
    },
    async partUrl(key, uploadId, number, { size } = {}) {
      const input = { Bucket: bucket, Key: checked(key), UploadId: uploadId, PartNumber: number }
      const command = new UploadPartCommand(size === undefined ? input : { ...input, ContentLength: size })
      // Signed, the length cannot be exceeded; browsers set the header themselves from the bytes they send.
      return getSignedUrl(client, command, {
        expiresIn: seconds(UPLOAD_LINK_LIFE_MS),
        signableHeaders: new Set(['host', 'content-length']),
      })
    },
    async downloadUrl(key, { fileName, contentType, disposition, expiresInMs }) {
      const command = new GetObjectCommand({
        Bucket: bucket,
        Key: checked(key),
        ResponseContentDisposition: contentDisposition(disposition, fileName),
        ResponseContentType: contentType,
        ResponseCacheControl: DOWNLOAD_HEADERS['cache-control'],
      })
      return getSignedUrl(client, command, { expiresIn: seconds(expiresInMs) })
    },
  }
}

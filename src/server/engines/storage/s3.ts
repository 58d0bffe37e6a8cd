import {
  AbortMultipartUploadCommand,
  CreateBucketCommand,
  GetObjectCommand,
  HeadBucketCommand,
  ListMultipartUploadsCommand,
  PutBucketCorsCommand,
  UploadPartCommand,
  type ListMultipartUploadsCommandOutput,
} from '@aws-sdk/client-s3'
import { createPresignedPost } from '@aws-sdk/s3-presigned-post'
import { getSignedUrl } from '@aws-sdk/s3-request-presigner'
import { DOWNLOAD_LINK_LIFE_MS, MULTIPART_ABOVE_BYTES, UPLOAD_LINK_LIFE_MS } from '#contract/limits.ts'
import { tooLarge } from '#server/kernel/errors.ts'
import { contentDisposition, DOWNLOAD_HEADERS } from './download.ts'
import { connectS3, isMissing, mapErrors, parseStorageUrl, type S3Connection } from './s3-client.ts'
import { s3Objects, s3Uploads } from './s3-objects.ts'
import { readS3 } from './s3-read.ts'
import { checkedKey, type Storage } from './storage.ts'

export interface S3Storage extends Storage {
  kind: 's3'
  close(): void
}

/** Documents in a bucket of an S3-compatible store. Opens without a connection; calls throw `unavailable` until the store responds. */
export async function openS3Storage(storageUrl: string, appUrl: string): Promise<S3Storage> {
  const connection = connectS3(parseStorageUrl(storageUrl))
  let prepared = false
  const check = async () => {
    await (prepared ? checkBucket(connection) : prepareBucket(connection, appUrl))
    prepared = true
  }
  // The store may start later: the health check and every call report that it is missing.
  await check().catch(() => undefined)

  return {
    kind: 's3',
    close: () => connection.client.destroy(),
    check,
    ...linkCalls(connection),
    ...s3Objects(connection),
    ...s3Uploads(connection),
    read: async (key, range, expectedSize) => readS3(connection, checkedKey(key), range, expectedSize),
    checksums: async () => undefined,
    sweepTemporary: (before) => abortUploadsBefore(connection, before),
  }
}

async function checkBucket({ client, bucket }: S3Connection): Promise<void> {
  await mapErrors(() => client.send(new HeadBucketCommand({ Bucket: bucket })))
}

/** Creates the bucket if it is missing and allows browsers of `appUrl` to reach it. */
async function prepareBucket({ client, bucket }: S3Connection, appUrl: string): Promise<void> {
  await mapErrors(async () => {
    try {
      await client.send(new HeadBucketCommand({ Bucket: bucket }))
    } catch (error) {
      if (!isMissing(error)) throw error
      await client.send(new CreateBucketCommand({ Bucket: bucket }))
    }
  })
  const rule = {
    AllowedOrigins: originsOf(new URL(appUrl)),
    AllowedMethods: ['GET', 'HEAD', 'PUT', 'POST'],
    AllowedHeaders: ['*'],
    ExposeHeaders: ['ETag', 'Content-Range', 'Accept-Ranges'],
    MaxAgeSeconds: 3600,
  }
  // Many operators configure CORS themselves and do not permit the application to do so.
  await client.send(new PutBucketCorsCommand({ Bucket: bucket, CORSConfiguration: { CORSRules: [rule] } })).catch(() => undefined)
}

const LOOPBACK = ['localhost', '127.0.0.1']

/** On a local machine the page is opened by name or by number. */
const originsOf = ({ protocol, hostname, port, origin }: URL): string[] =>
  LOOPBACK.includes(hostname) ? LOOPBACK.map((name) => `${protocol}//${name}${port === '' ? '' : `:${port}`}`) : [origin]

async function abortUploadsBefore({ client, bucket }: S3Connection, before: Date): Promise<number> {
  return mapErrors(async () => {
    let aborted = 0
    let next: { KeyMarker?: string | undefined; UploadIdMarker?: string | undefined } | undefined = {}
    while (next) {
      const page: ListMultipartUploadsCommandOutput = await client.send(new ListMultipartUploadsCommand({ Bucket: bucket, ...next }))
      for (const { Key, UploadId, Initiated } of page.Uploads ?? []) {
        if (!Initiated || Initiated >= before) continue
        await client.send(new AbortMultipartUploadCommand({ Bucket: bucket, Key, UploadId }))
        aborted += 1
      }
      next = page.IsTruncated ? { KeyMarker: page.NextKeyMarker, UploadIdMarker: page.NextUploadIdMarker } : undefined
    }
    return aborted
  })
}

const seconds = (ms: number) => Math.max(1, Math.ceil(ms / 1000))

function linkCalls({ client, bucket }: S3Connection): Pick<Storage, 'uploadTicket' | 'partUrl' | 'downloadUrl'> {
  return {
    async uploadTicket(key, { contentType, size, expiresInMs }) {
      if (size > MULTIPART_ABOVE_BYTES) throw tooLarge('A file of this size is uploaded in parts.')
      const { url, fields } = await createPresignedPost(client, {
        Bucket: bucket,
        Key: checkedKey(key),
        Fields: { 'Content-Type': contentType },
        Conditions: [['content-length-range', 0, size]],
        Expires: seconds(expiresInMs),
      })
      return { postEndpoint: url, fields }
    },
    async partUrl(key, uploadId, number, { size } = {}) {
      const input = { Bucket: bucket, Key: checkedKey(key), UploadId: uploadId, PartNumber: number }
      const command = new UploadPartCommand(size === undefined ? input : { ...input, ContentLength: size })
      // A signed length cannot be exceeded; browsers set the header themselves from the bytes they send.
      return getSignedUrl(client, command, {
        expiresIn: seconds(UPLOAD_LINK_LIFE_MS),
        signableHeaders: new Set(['host', 'content-length']),
      })
    },
    async downloadUrl(key, { fileName, contentType, disposition, expiresInMs }) {
      const command = new GetObjectCommand({
        Bucket: bucket,
        Key: checkedKey(key),
        ResponseContentDisposition: contentDisposition(disposition, fileName),
        ResponseContentType: contentType,
        ResponseCacheControl: DOWNLOAD_HEADERS['cache-control'],
      })
      // The store cannot see that a session has ended, so no link lives longer than a download link.
      return getSignedUrl(client, command, { expiresIn: seconds(Math.min(expiresInMs, DOWNLOAD_LINK_LIFE_MS)) })
    },
  }
}

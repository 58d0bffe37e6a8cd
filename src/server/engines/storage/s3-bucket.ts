import {
  AbortMultipartUploadCommand,
  CreateBucketCommand,
  HeadBucketCommand,
  ListMultipartUploadsCommand,
  PutBucketCorsCommand,
  type ListMultipartUploadsCommandOutput,
} from '@aws-sdk/client-s3'
import { asking, isMissing, type S3Connection } from './s3-client.ts'

/** Makes the bucket when it is missing and allows browsers of `appUrl` to reach it; a store that refuses to be configured stays as it is. */
export async function prepareBucket({ client, bucket }: S3Connection, appUrl: string): Promise<void> {
  await asking(async () => {
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
  // Many operators set CORS themselves and give the application no right to.
  await client.send(new PutBucketCorsCommand({ Bucket: bucket, CORSConfiguration: { CORSRules: [rule] } })).catch(() => undefined)
}

const LOOPBACK = ['localhost', '127.0.0.1']

/** On one's own machine the page is opened by name and by number alike. */
const originsOf = ({ protocol, hostname, port, origin }: URL): string[] =>
  LOOPBACK.includes(hostname) ? LOOPBACK.map((name) => `${protocol}//${name}${port === '' ? '' : `:${port}`}`) : [origin]

export async function checkBucket({ client, bucket }: S3Connection): Promise<void> {
  await asking(() => client.send(new HeadBucketCommand({ Bucket: bucket })))
}

export async function abortUploadsBefore({ client, bucket }: S3Connection, before: Date): Promise<number> {
  return asking(async () => {
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

import { PutObjectCommand, UploadPartCommand } from '@aws-sdk/client-s3'
import type { Readable } from 'node:stream'
import { UPLOAD_PART_BYTES } from '#contract/limits.ts'
import { asking, type S3Connection } from './s3-client.ts'
import { abortS3Upload, completeS3Upload, headS3, startS3Upload } from './s3-objects.ts'
import { withoutQuotes, type StoredObject } from './storage.ts'

/** Streams of unknown length go up in parts, one part in memory at a time; after a failure nothing is left. */
export async function putS3(
  connection: S3Connection,
  key: string,
  body: Readable | Buffer | string,
  contentType: string,
): Promise<StoredObject> {
  if (typeof body === 'string' || Buffer.isBuffer(body)) return putWhole(connection, key, body, contentType)
  const blocks = blocksOf(body)
  const first = await blocks.next()
  if (first.done || first.value.length < UPLOAD_PART_BYTES) {
    return putWhole(connection, key, first.done ? Buffer.alloc(0) : first.value, contentType)
  }
  const uploadId = await startS3Upload(connection, key, contentType)
  try {
    const parts = [await putPart(connection, key, uploadId, 1, first.value)]
    for await (const block of blocks) parts.push(await putPart(connection, key, uploadId, parts.length + 1, block))
    return await completeS3Upload(connection, key, uploadId, parts)
  } catch (error) {
    await abortS3Upload(connection, key, uploadId).catch(() => undefined)
    throw error
  }
}

async function putWhole(connection: S3Connection, key: string, body: Buffer | string, contentType: string): Promise<StoredObject> {
  const { client, bucket } = connection
  await asking(() => client.send(new PutObjectCommand({ Bucket: bucket, Key: key, Body: body, ContentType: contentType })))
  const stored = await headS3(connection, key)
  if (!stored) throw new Error('The object store does not show an object it has just taken.')
  return stored
}

async function putPart({ client, bucket }: S3Connection, key: string, uploadId: string, number: number, block: Buffer) {
  const input = { Bucket: bucket, Key: key, UploadId: uploadId, PartNumber: number, Body: block }
  const { ETag = '' } = await asking(() => client.send(new UploadPartCommand(input)))
  return { number, etag: withoutQuotes(ETag) }
}

async function* blocksOf(body: Readable): AsyncGenerator<Buffer> {
  let chunks: Buffer[] = []
  let gathered = 0
  for await (const piece of body) {
    const chunk = typeof piece === 'string' ? Buffer.from(piece) : piece
    chunks.push(chunk)
    gathered += chunk.length
    if (gathered < UPLOAD_PART_BYTES) continue
    yield Buffer.concat(chunks)
    chunks = []
    gathered = 0
  }
  if (gathered > 0) yield Buffer.concat(chunks)
}

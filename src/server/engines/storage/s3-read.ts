import { GetObjectCommand } from '@aws-sdk/client-s3'
import { Readable } from 'node:stream'
import { conflict } from '#server/kernel/errors.ts'
import { byteStream } from './byte-stream.ts'
import { mapErrors, s3Failure, type S3Connection } from './s3-client.ts'
import type { ByteRange } from './storage.ts'

const RESUMES_WITHOUT_PROGRESS = 3

interface Opened {
  body: Readable
  /** Position of the first byte and of the byte after the last one. */
  start: number
  end: number
  etag: string | undefined
}

/** A stream that resumes after a broken connection, as long as the object is unchanged. */
export async function readS3(connection: S3Connection, key: string, range?: ByteRange, expectedSize?: number): Promise<Readable> {
  const opened = await openAt(connection, key, range ? `bytes=${range.start}-${range.end}` : undefined, undefined, expectedSize)
  let current = opened
  let closed = false
  const reopen = async (start: number) => {
    current = await openAt(connection, key, `bytes=${start}-${opened.end - 1}`, opened.etag, expectedSize)
    if (closed) current.body.destroy()
    return current
  }
  return byteStream(resuming(opened, reopen), () => {
    closed = true
    current.body.destroy()
  })
}

async function* resuming(first: Opened, reopen: (start: number) => Promise<Opened>): AsyncGenerator<Buffer> {
  let position = first.start
  let body = first.body
  let failures = 0
  while (position < first.end) {
    try {
      for await (const chunk of body) {
        position += chunk.length
        failures = 0
        yield chunk
      }
      if (position < first.end) throw new Error('The object store ended the response early.')
    } catch (error) {
      failures += 1
      if (failures > RESUMES_WITHOUT_PROGRESS) throw s3Failure(error)
      body = (await reopen(position)).body
    }
  }
}

async function openAt(
  { client, bucket }: S3Connection,
  key: string,
  range: string | undefined,
  etag: string | undefined,
  expectedSize: number | undefined,
): Promise<Opened> {
  const input = { Bucket: bucket, Key: key, ...(range !== undefined && { Range: range }), ...(etag !== undefined && { IfMatch: etag }) }
  const response = await mapErrors(() => client.send(new GetObjectCommand(input)))
  const body = response.Body
  if (!(body instanceof Readable)) throw new Error('The object store sent no stream.')
  const [, first = '0', total] = /^bytes (\d+)-\d+\/(\d+)$/.exec(response.ContentRange ?? '') ?? []
  const size = Number(total ?? response.ContentLength)
  if (expectedSize !== undefined && size !== expectedSize) {
    body.destroy()
    throw conflict('The stored file does not have the registered size.')
  }
  return { body, start: Number(first), end: Number(first) + (response.ContentLength ?? 0), etag: response.ETag }
}

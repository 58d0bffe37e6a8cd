import { createServer, type Server } from 'node:http'
import { once } from 'node:events'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { connectS3, type S3Connection } from './s3-client.ts'
import { readS3 } from './s3-read.ts'
import { randomContent } from './storage.fixture.ts'

/** A store that ends each response after `breakAfter` bytes. */
const content = randomContent(300_000)
let breakAfter = 100_000
let etag = '"one"'
let stalled = false
const ranges: string[] = []
let server: Server
let connection: S3Connection

beforeAll(async () => {
  server = createServer((request, response) => {
    const [, first = '0', last = String(content.length - 1)] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? []
    ranges.push(request.headers.range ?? 'all')
    if (request.headers['if-match'] !== undefined && request.headers['if-match'] !== etag) return response.writeHead(412).end()
    const body = content.subarray(Number(first), Number(last) + 1)
    response.writeHead(206, { etag, 'content-length': body.length, 'content-range': `bytes ${first}-${last}/${content.length}` })
    response.write(body.subarray(0, breakAfter), () => {
      if (stalled) return
      if (breakAfter < body.length) response.destroy()
      else response.end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : undefined
  const credentials = { accessKeyId: 'a', secretAccessKey: 'b' }
  connection = connectS3({ endpoint: `http://127.0.0.1:${port}`, region: 'us-east-1', bucket: 'bucket', credentials })
})
beforeEach(() => {
  ranges.length = 0
  breakAfter = 100_000
  etag = '"one"'
  stalled = false
})
afterAll(() => {
  connection.client.destroy()
  server.closeAllConnections()
  server.close()
})

test('resumes a read where the connection broke', async () => {
  const read = Buffer.concat(await (await readS3(connection, 'k')).toArray())
  expect(read.equals(content)).toBe(true)
  expect(ranges).toEqual(['all', 'bytes=100000-299999', 'bytes=200000-299999'])
})

test('resumes a range where the connection broke', async () => {
  const read = Buffer.concat(await (await readS3(connection, 'k', { start: 50_000, end: 249_999 }, content.length)).toArray())
  expect(read.equals(content.subarray(50_000, 250_000))).toBe(true)
})

test('throws a conflict if the object was replaced during the read', async () => {
  const stream = await readS3(connection, 'k')
  etag = '"two"'
  await expect(stream.toArray()).rejects.toMatchObject({ kind: 'conflict' })
})

test('throws unavailable if the store sends no more bytes', async () => {
  const stream = await readS3(connection, 'k')
  breakAfter = 0
  await expect(stream.toArray()).rejects.toMatchObject({ kind: 'unavailable' })
})

test('closes a stalled connection as soon as the reader stops', async () => {
  stalled = true
  breakAfter = 10
  const stream = await readS3(connection, 'k')
  await once(stream.resume(), 'data')
  stream.destroy()
  await expect.poll(() => new Promise((resolve) => server.getConnections((_error, count) => resolve(count)))).toBe(0)
})

import Fastify from 'fastify'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { bytesOf, sampleArchive } from './archive.fixture.ts'
import type { Delivery } from '#server/engines/storage/send-download.ts'
import type { ByteRange } from '#server/engines/storage/storage.ts'
import { serveZip } from './zip-serve.ts'

const archive = sampleArchive([100_000, 2_000_000, 5, 0, 700_000])
const app = Fastify()
let url: string
let whole: Buffer
let delivery: Delivery

beforeAll(async () => {
  whole = await bytesOf(archive)
  app.addHook('onRequest', async (_request, reply) => void reply.header('x-from-a-hook', 'set'))
  // As in the API, where the server adds HEAD to each GET.
  app.get('/archive', async (request, reply) =>
    serveZip(request, reply, archive.layout, archive.storage, { fileName: 'Tower A – Organized.zip', delivery }),
  )
  url = `${await app.listen({ host: '127.0.0.1', port: 0 })}/archive`
})
afterAll(() => app.close())

let recorded: ByteRange[]
beforeEach(() => {
  recorded = []
  delivery = {
    requireRest: async () => undefined,
    recordStart: async () => undefined,
    recordSent: async (sent) => void recorded.push(sent),
  }
})

const get = (headers: Record<string, string> = {}, method = 'GET') => fetch(url, { headers, method })

test('a download has a name, a length and an etag, and accepts ranges', async () => {
  const response = await get()
  expect(response.status).toBe(200)
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'content-type': 'application/zip',
    'content-length': String(whole.length),
    'content-disposition': `attachment; filename="Tower A _ Organized.zip"; filename*=UTF-8''Tower%20A%20%E2%80%93%20Organized.zip`,
    'accept-ranges': 'bytes',
    etag: `"${archive.layout.etag}"`,
    'x-content-type-options': 'nosniff',
    'x-from-a-hook': 'set',
  })
  expect(Buffer.from(await response.arrayBuffer()).equals(whole)).toBe(true)
})

test('an interrupted download resumes to the identical file', async () => {
  const first = await get()
  const reader = first.body?.getReader()
  const chunks: Buffer[] = []
  for (let received = 0; received < 500_000; received = chunks.reduce((sum, chunk) => sum + chunk.length, 0)) {
    chunks.push(Buffer.from((await reader?.read())?.value ?? []))
  }
  await reader?.cancel()
  const head = Buffer.concat(chunks)
  const rest = await get({ range: `bytes=${head.length}-`, 'if-range': first.headers.get('etag') ?? '' })
  expect(rest.status).toBe(206)
  expect(rest.headers.get('content-range')).toBe(`bytes ${head.length}-${whole.length - 1}/${whole.length}`)
  expect(Buffer.concat([head, Buffer.from(await rest.arrayBuffer())]).equals(whole)).toBe(true)
  await pause(20)
  expect(archive.storage.open.size).toBe(0)
})

test('a resumed download of an archive that has changed starts again', async () => {
  const response = await get({ range: 'bytes=100-', 'if-range': '"another"' })
  expect(response.status).toBe(200)
  expect((await response.arrayBuffer()).byteLength).toBe(whole.length)
})

test('HEAD returns the length without reading an object', async () => {
  const response = await get({}, 'HEAD')
  expect([response.status, response.headers.get('content-length')]).toEqual([200, String(whole.length)])
  expect(archive.storage.open.size).toBe(0)
})

test('a range beyond the end is rejected with the length', async () => {
  const response = await get({ range: `bytes=${whole.length}-` })
  expect([response.status, response.headers.get('content-range')]).toEqual([416, `bytes */${whole.length}`])
})

test('a missing object closes the connection, so that the client never gets a complete but corrupt file', async () => {
  const content = archive.objects.get('k/4') ?? Buffer.alloc(0)
  archive.objects.delete('k/4')
  const response = await get()
  await expect(response.arrayBuffer()).rejects.toThrow('terminated')
  archive.objects.set('k/4', content)
  expect((await get()).status).toBe(200)
})

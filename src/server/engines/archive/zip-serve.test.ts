import Fastify from 'fastify'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bytesOf, sampleArchive } from './archive.fixture.ts'
import { serveZip } from './zip-serve.ts'

const archive = sampleArchive([100_000, 2_000_000, 5, 0, 700_000])
const app = Fastify()
let url: string
let whole: Buffer

beforeAll(async () => {
  whole = await bytesOf(archive)
  app.addHook('onRequest', async (_request, reply) => void reply.header('x-from-a-hook', 'kept'))
  app.route({
    method: ['GET', 'HEAD'],
    url: '/archive',
    handler: async (request, reply) => serveZip(request, reply, archive.layout, archive.storage, 'Tower A – Organized.zip'),
  })
  url = `${await app.listen({ host: '127.0.0.1', port: 0 })}/archive`
})
afterAll(() => app.close())

const get = (headers: Record<string, string> = {}, method = 'GET') => fetch(url, { headers, method })

test('a download has a name, a length, an etag and offers ranges', async () => {
  const answer = await get()
  expect(answer.status).toBe(200)
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    'content-type': 'application/zip',
    'content-length': String(whole.length),
    'content-disposition': `attachment; filename="Tower A _ Organized.zip"; filename*=UTF-8''Tower%20A%20%E2%80%93%20Organized.zip`,
    'accept-ranges': 'bytes',
    etag: `"${archive.layout.etag}"`,
    'x-content-type-options': 'nosniff',
    'x-from-a-hook': 'kept',
  })
  expect(Buffer.from(await answer.arrayBuffer()).equals(whole)).toBe(true)
})

test('a download that was cut resumes to the identical file', async () => {
  const first = await get()
  const reader = first.body?.getReader()
  const begun: Buffer[] = []
  for (let received = 0; received < 500_000; received = begun.reduce((sum, chunk) => sum + chunk.length, 0)) {
    begun.push(Buffer.from((await reader?.read())?.value ?? []))
  }
  await reader?.cancel()
  const head = Buffer.concat(begun)
  const rest = await get({ range: `bytes=${head.length}-`, 'if-range': first.headers.get('etag') ?? '' })
  expect(rest.status).toBe(206)
  expect(rest.headers.get('content-range')).toBe(`bytes ${head.length}-${whole.length - 1}/${whole.length}`)
  expect(Buffer.concat([head, Buffer.from(await rest.arrayBuffer())]).equals(whole)).toBe(true)
  await pause(20)
  expect(archive.storage.open.size).toBe(0)
})

test('a resumed download of an archive that has changed starts again', async () => {
  const answer = await get({ range: 'bytes=100-', 'if-range': '"another"' })
  expect(answer.status).toBe(200)
  expect((await answer.arrayBuffer()).byteLength).toBe(whole.length)
})

test('HEAD tells the length without reading anything', async () => {
  const answer = await get({}, 'HEAD')
  expect([answer.status, answer.headers.get('content-length')]).toEqual([200, String(whole.length)])
  expect(archive.storage.open.size).toBe(0)
})

test('a range beyond the end is refused with the length', async () => {
  const answer = await get({ range: `bytes=${whole.length}-` })
  expect([answer.status, answer.headers.get('content-range')]).toEqual([416, `bytes */${whole.length}`])
})

test('an object that is gone cuts the connection: never a complete file that is corrupt', async () => {
  const content = archive.objects.get('k/4') ?? Buffer.alloc(0)
  archive.objects.delete('k/4')
  const answer = await get()
  await expect(answer.arrayBuffer()).rejects.toThrow('terminated')
  archive.objects.set('k/4', content)
  expect((await get()).status).toBe(200)
})

import { Readable } from 'node:stream'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { MINUTE_MS, MULTIPART_ABOVE_BYTES, UPLOAD_PART_BYTES } from '#contract/limits.ts'
import { computeChecksums, createDigest } from './checksums.ts'
import { contentOf, toArray, freshKey, openDisk, openS3, postFile, putPart, randomContent, type Opened } from './storage.fixture.ts'
import { describeNeeding } from '#server/testing/needs.ts'

const s3Url = process.env['PLUMBLINE_TEST_S3_URL']
const MiB = 1024 ** 2
const type = { contentType: 'application/pdf' }
const link = { contentType: 'application/pdf', expiresInMs: MINUTE_MS }

describe('on disk', () => storageTests(() => openDisk()))
// scripts/rgw.sh starts a store for this.
describeNeeding('S3 store')('in an S3 bucket', () => storageTests(() => openS3(s3Url ?? '')))

function storageTests(open: () => Promise<Opened>): void {
  let opened: Opened
  beforeAll(async () => {
    opened = await open()
  })
  afterAll(() => opened.close())

  test('is ready', () => expect(opened.storage.check()).resolves.toBeUndefined())

  describe('objects', () => objects(() => opened))
  describe('uploads in one request', () => tickets(() => opened))
  describe('uploads in parts', () => multipart(() => opened))
  describe('downloads', () => downloads(() => opened))
}

function objects(opened: () => Opened): void {
  test.each([
    ['a buffer', (bytes: Buffer) => bytes],
    ['a stream', (bytes: Buffer) => Readable.from([bytes.subarray(0, 10), bytes.subarray(10)])],
  ])('stores %s', async (_what, bodyOf) => {
    const { storage } = opened()
    const key = freshKey()
    const content = randomContent(100_000)
    const stored = await storage.put(key, bodyOf(content), type)
    expect(stored).toMatchObject({ key, size: 100_000 })
    expect(await storage.head(key)).toEqual(stored)
    expect((await contentOf(storage, key)).equals(content)).toBe(true)
  })

  test('stores a stream longer than one part', async () => {
    const { storage } = opened()
    const key = freshKey()
    const block = randomContent(MiB)
    const digest = createDigest()
    const blocks = Array.from({ length: 20 }, () => block)
    for (const each of blocks) digest.update(each)
    expect((await storage.put(key, Readable.from(blocks), type)).size).toBe(20 * MiB)
    expect(await computeChecksums(storage, key)).toEqual(digest.result())
  })

  test('stores nothing of a stream that fails', async () => {
    const { storage } = opened()
    const key = freshKey()
    const broken = Readable.from(
      (async function* () {
        yield randomContent(UPLOAD_PART_BYTES + 1)
        throw new Error('the source broke')
      })(),
    )
    await expect(storage.put(key, broken, type)).rejects.toThrow('the source broke')
    expect(await storage.head(key)).toBeUndefined()
  })

  test('stores an empty object', async () => {
    const { storage } = opened()
    const key = freshKey()
    await storage.put(key, '', type)
    expect((await storage.head(key))?.size).toBe(0)
    expect(await contentOf(storage, key)).toHaveLength(0)
  })

  test('reads any range of bytes', async () => {
    const { storage } = opened()
    const key = freshKey()
    await storage.put(key, '0123456789', type)
    expect(String(await contentOf(storage, key, { start: 2, end: 4 }))).toBe('234')
    expect(String(await contentOf(storage, key, { start: 9, end: 9 }))).toBe('9')
  })

  test('rejects a read if the object does not have the expected size', async () => {
    const { storage } = opened()
    const key = freshKey()
    await storage.put(key, '0123456789', type)
    await expect(storage.read(key, { start: 0, end: 3 }, 11)).rejects.toMatchObject({ kind: 'conflict' })
    await expect(storage.read(key, undefined, 11)).rejects.toMatchObject({ kind: 'conflict' })
    await expect(storage.read(key, { start: 0, end: 3 }, 10).then((stream) => stream.toArray())).resolves.toBeDefined()
  })

  test('answers undefined or not_found for a missing object', async () => {
    const { storage } = opened()
    expect(await storage.head(freshKey())).toBeUndefined()
    await expect(storage.read(freshKey())).rejects.toMatchObject({ kind: 'not_found' })
  })

  test('removes an object, also when it is already removed', async () => {
    const { storage } = opened()
    const key = freshKey()
    await storage.put(key, 'x', type)
    await storage.remove(key)
    await storage.remove(key)
    expect(await storage.head(key)).toBeUndefined()
  })

  test('lists the objects with a prefix and no others', async () => {
    const { storage } = opened()
    const account = freshKey()
    const keys = [`${account}/a`, `${account}/b`, `${account}/deeper/c`]
    for (const key of [...keys, `${account}2/a`]) await storage.put(key, 'listed', type)
    const found = await toArray(storage.list(`${account}/`))
    expect(found.map(({ key }) => key).sort()).toEqual(keys)
    const { size, etag } = (await storage.head(found[0]?.key ?? '')) ?? {}
    expect(found[0]).toMatchObject({ size, etag })
    expect(await toArray(storage.list(`${freshKey()}/`))).toEqual([])
  })

  test('answers the sizes of the objects that exist', async () => {
    const { storage } = opened()
    const [one, two, other] = [freshKey(), freshKey(), freshKey()]
    await storage.put(one, 'x', type)
    await storage.put(two, 'four', type)
    expect(await storage.sizes([one, two, other])).toEqual(
      new Map([
        [one, 1],
        [two, 4],
      ]),
    )
    expect(await storage.sizes([one])).toEqual(new Map([[one, 1]]))
    expect(await storage.sizes([])).toEqual(new Map())
  })

  test.each(['../x', '/etc/passwd', 'a/../b', 'a//b', 'a/./b', 'A', '', 'a b', `a/${'x'.repeat(300)}`, 'a/'])(
    'rejects the key %j',
    async (key) => {
      const { storage } = opened()
      await expect(storage.put(key, 'x', type)).rejects.toMatchObject({ kind: 'invalid' })
      await expect(storage.head(key)).rejects.toMatchObject({ kind: 'invalid' })
      await expect(storage.read(key)).rejects.toMatchObject({ kind: 'invalid' })
      await expect(storage.uploadTicket(key, { ...link, size: 1 })).rejects.toMatchObject({ kind: 'invalid' })
      await expect(storage.startMultipart(key, type)).rejects.toMatchObject({ kind: 'invalid' })
    },
  )
}

function tickets(opened: () => Opened): void {
  test('stores exactly the bytes sent', async () => {
    const { storage, origin } = opened()
    const key = freshKey()
    const content = randomContent(3 * MiB + 7)
    const answer = await postFile(origin, await storage.uploadTicket(key, { ...link, size: content.length }), content)
    expect(answer.status).toBe(204)
    expect((await contentOf(storage, key)).equals(content)).toBe(true)
  })

  test('rejects a file above the announced size', async () => {
    const { storage, origin } = opened()
    const key = freshKey()
    const answer = await postFile(origin, await storage.uploadTicket(key, { ...link, size: 1000 }), randomContent(1001))
    expect([400, 413]).toContain(answer.status)
    expect(await storage.head(key)).toBeUndefined()
  })

  test('rejects another key or type', async () => {
    const { storage, origin } = opened()
    const key = freshKey()
    const other = freshKey()
    const ticket = await storage.uploadTicket(key, { ...link, size: 10 })
    expect((await postFile(origin, ticket, randomContent(10), { key: other })).status).toBe(403)
    expect((await postFile(origin, ticket, randomContent(10), { 'Content-Type': 'text/html' })).status).toBe(403)
    expect(await storage.head(other)).toBeUndefined()
    expect(await storage.head(key)).toBeUndefined()
  })

  test('are sealed under a key that the posted form no longer reaches, and only with the checked bytes', async () => {
    const { storage, origin } = opened()
    const key = freshKey()
    const ticket = await storage.uploadTicket(key, { ...link, size: 10 })
    await postFile(origin, ticket, Buffer.from('first'))
    const { etag = '' } = (await storage.head(key)) ?? {}
    await postFile(origin, ticket, Buffer.from('good'))
    await expect(storage.sealUpload(key, etag)).rejects.toMatchObject({ kind: 'conflict' })
    const sealed = await storage.sealUpload(key, (await storage.head(key))?.etag ?? '')
    if (storage.kind === 's3') await postFile(origin, ticket, Buffer.from('evil'))
    expect(String(await contentOf(storage, sealed))).toBe('good')
  })

  test('rejects files above the multipart limit', async () => {
    const ticket = opened().storage.uploadTicket(freshKey(), { ...link, size: MULTIPART_ABOVE_BYTES + 1 })
    await expect(ticket).rejects.toMatchObject({ kind: 'too_large' })
  })
}

function multipart(opened: () => Opened): void {
  const send = async (key: string, upload: string, number: number, content: Buffer) => {
    const { storage, origin } = opened()
    const answer = await putPart(origin, await storage.partUrl(key, upload, number, { size: content.length }), content)
    return { status: answer.status, number, etag: answer.headers.get('etag') ?? '' }
  }

  test('joins parts that arrive in any order, one of them twice', async () => {
    const { storage } = opened()
    const key = freshKey()
    const contents = [randomContent(5 * MiB), randomContent(5 * MiB), randomContent(1234)] as const
    const upload = await storage.startMultipart(key, type)
    const third = await send(key, upload, 3, contents[2])
    await send(key, upload, 1, randomContent(5 * MiB))
    const first = await send(key, upload, 1, contents[0])
    const second = await send(key, upload, 2, contents[1])
    expect(first.status).toBe(200)
    const listed = await storage.listParts(key, upload)
    expect(listed.map(({ number, size }) => [number, size])).toEqual([
      [1, 5 * MiB],
      [2, 5 * MiB],
      [3, 1234],
    ])
    expect(`"${listed[0]?.etag}"`).toBe(first.etag)

    expect(await storage.head(key)).toBeUndefined()
    const stored = await storage.completeMultipart(key, upload, [third, first, second])
    expect(stored.size).toBe(10 * MiB + 1234)
    expect((await contentOf(storage, key)).equals(Buffer.concat(contents))).toBe(true)
    // Repeated, as after a lost response.
    expect(await storage.completeMultipart(key, upload, [first, second, third])).toEqual(stored)
  })

  test('rejects completion with a missing or different part', async () => {
    const { storage } = opened()
    const key = freshKey()
    const upload = await storage.startMultipart(key, type)
    const first = await send(key, upload, 1, randomContent(1000))
    await expect(storage.completeMultipart(key, upload, [first, { number: 2, etag: first.etag }])).rejects.toMatchObject({
      kind: 'conflict',
    })
    await expect(storage.completeMultipart(key, upload, [])).rejects.toMatchObject({ kind: 'conflict' })
    expect(await storage.head(key)).toBeUndefined()
    await storage.abortMultipart(key, upload)
  })

  test('rejects a part that is too large or has a changed link', async () => {
    const { storage, origin } = opened()
    const key = freshKey()
    const upload = await storage.startMultipart(key, type)
    const url = await storage.partUrl(key, upload, 1, { size: 100 })
    expect([403, 413]).toContain((await putPart(origin, url, randomContent(101))).status)
    const other = url.replace(/(number|partNumber)=1/, '$1=2')
    expect((await putPart(origin, other, randomContent(100))).status).toBe(403)
    expect(await storage.listParts(key, upload)).toEqual([])
    await storage.abortMultipart(key, upload)
  })

  test('leaves nothing after an abort', async () => {
    const { storage } = opened()
    const key = freshKey()
    const upload = await storage.startMultipart(key, type)
    const first = await send(key, upload, 1, randomContent(1000))
    await storage.abortMultipart(key, upload)
    await expect(storage.listParts(key, upload)).rejects.toMatchObject({ kind: 'not_found' })
    await expect(storage.completeMultipart(key, upload, [first])).rejects.toMatchObject({ kind: 'not_found' })
    expect((await send(key, upload, 2, randomContent(10))).status).toBe(404)
  })

  test('sweeps uploads that started before the given time', async () => {
    const { storage } = opened()
    const key = freshKey()
    const upload = await storage.startMultipart(key, type)
    await storage.sweepTemporary(new Date(Date.now() - MINUTE_MS))
    expect(await storage.listParts(key, upload)).toEqual([])
    expect(await storage.sweepTemporary(new Date(Date.now() + MINUTE_MS))).toBeGreaterThanOrEqual(1)
    await expect(storage.listParts(key, upload)).rejects.toMatchObject({ kind: 'not_found' })
  })
}

function downloads(opened: () => Opened): void {
  const fileName = 'Größe "final" 100%.pdf'
  const options = { fileName, contentType: 'application/pdf', disposition: 'attachment', expiresInMs: MINUTE_MS } as const

  test('send name, type and length, and a requested range', async () => {
    const { storage, origin } = opened()
    const key = freshKey()
    await storage.put(key, '0123456789', type)
    const url = new URL(await storage.downloadUrl(key, options), origin)
    const whole = await fetch(url)
    expect(whole.status).toBe(200)
    expect(await whole.text()).toBe('0123456789')
    expect(whole.headers.get('content-type')).toBe('application/pdf')
    expect(whole.headers.get('content-length')).toBe('10')
    expect(whole.headers.get('content-disposition')).toBe(
      `attachment; filename="Gro_e _final_ 100%.pdf"; filename*=UTF-8''Gr%C3%B6%C3%9Fe%20%22final%22%20100%25.pdf`,
    )
    const part = await fetch(url, { headers: { range: 'bytes=3-5', 'if-range': whole.headers.get('etag') ?? '' } })
    expect([part.status, await part.text(), part.headers.get('content-range')]).toEqual([206, '345', 'bytes 3-5/10'])
    expect((await fetch(url, { headers: { range: 'bytes=10-' } })).status).toBe(416)
  })

  test('are rejected with a changed link', async () => {
    const { storage, origin } = opened()
    const key = freshKey()
    await storage.put(key, 'secret', type)
    const url = new URL(await storage.downloadUrl(key, options), origin)
    for (const name of url.searchParams.keys()) {
      const changed = new URL(url)
      changed.searchParams.set(name, `${changed.searchParams.get(name)}1`)
      expect((await fetch(changed)).status, name).toBeGreaterThanOrEqual(400)
    }
  })
}

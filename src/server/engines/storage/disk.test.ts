import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdir, mkdtemp, readdir, rename, rm, rmdir, stat, utimes, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { MINUTE_MS } from '#contract/limits.ts'
import { computeChecksums } from './checksums.ts'
import { openDiskStorage } from './disk.ts'
import { contentOf, freshKey, openDisk, postFile, putPart, randomContent, toArray, type OpenedDisk } from './storage.fixture.ts'
import { testNeeding } from '#server/testing/needs.ts'

const type = { contentType: 'application/pdf' }
const link = { contentType: 'application/pdf', expiresInMs: MINUTE_MS }
const attachment = { ...link, fileName: 'a.pdf', disposition: 'attachment' } as const

let disk: OpenedDisk
beforeAll(async () => {
  disk = await openDisk()
})
afterAll(() => disk.close())

const unfinishedFiles = () => readdir(disk.storage.folders.incoming)

describe('checksums', () => {
  test('are stored for put, form and multipart uploads', async () => {
    const { storage, origin } = disk
    const content = randomContent(2_500_000)
    const put = freshKey()
    await storage.put(put, content, type)
    const posted = freshKey()
    await postFile(origin, await storage.uploadTicket(posted, { ...link, size: content.length }), content)
    const joined = freshKey()
    const upload = await storage.startMultipart(joined, type)
    for (const number of [1, 2]) {
      await putPart(origin, await storage.partUrl(joined, upload, number), content.subarray((number - 1) * 1_250_000, number * 1_250_000))
    }
    await storage.completeMultipart(joined, upload, await storage.listParts(joined, upload))

    const expected = await computeChecksums(storage, put)
    for (const key of [put, posted, joined]) expect(await storage.checksums(key)).toEqual(expected)
  })

  test('are undefined if they belong to other bytes', async () => {
    const { storage } = disk
    const key = freshKey()
    await storage.put(key, 'as it was', type)
    await writeFile(`${join(storage.folders.objects, key)}@object`, 'as it is')
    expect(await storage.checksums(key)).toBeUndefined()
    expect((await storage.head(key))?.size).toBe(8)
  })
})

describe('an upload in parts', () => {
  const contents = [randomContent(1_000_000), randomContent(600_000), randomContent(7)] as const
  const whole = Buffer.concat(contents)
  const sendPart = async (key: string, upload: string, number: number, content: Buffer) =>
    (await putPart(disk.origin, await disk.storage.partUrl(key, upload, number), content)).status
  const started = async () => {
    const key = freshKey()
    const upload = await disk.storage.startMultipart(key, type)
    for (const [at, content] of contents.entries()) expect(await sendPart(key, upload, at + 1, content)).toBe(200)
    const folder = join(disk.storage.folders.parts, upload)
    const parts = await disk.storage.listParts(key, upload)
    return { key, upload, folder, parts, complete: () => disk.storage.completeMultipart(key, upload, parts) }
  }
  const stored = async (key: string) => (await contentOf(disk.storage, key)).equals(whole)

  test('is completed without writing its bytes again', async () => {
    const { key, folder, complete } = await started()
    const [first = ''] = (await readdir(folder)).sort()
    const { ino } = await stat(join(folder, first))
    await complete()
    expect(await stored(key)).toBe(true)
    expect((await stat(join(`${join(disk.storage.folders.objects, key)}@object`, first))).ino).toBe(ino)
    expect(await disk.storage.checksums(key)).toEqual(await computeChecksums(disk.storage, key))
  })

  test('is read in ranges within and across parts', async () => {
    const { key, complete } = await started()
    await complete()
    for (const [start, end] of [
      [0, 0],
      [999_990, 1_000_010],
      [999_999, 999_999],
      [1_000_000, 1_600_000],
      [5, 1_600_006],
      [1_600_006, 1_600_006],
    ] as const)
      expect((await contentOf(disk.storage, key, { start, end })).equals(whole.subarray(start, end + 1)), `${start} to ${end}`).toBe(true)
    const url = await disk.storage.downloadUrl(key, attachment)
    const answer = await fetch(new URL(url, disk.origin), { headers: { range: 'bytes=999990-1000009' } })
    expect([answer.status, Buffer.from(await answer.arrayBuffer()).equals(whole.subarray(999_990, 1_000_010))]).toEqual([206, true])
  })

  test('is completed by a repeated call after the process was killed during the first', async () => {
    const { key, upload, folder, parts, complete } = await started()
    await rename(folder, `${folder}@sealed`)
    expect(await disk.storage.listParts(key, upload)).toEqual(parts)
    expect(await sendPart(key, upload, 1, randomContent(10))).toBe(404)
    expect(await complete()).toMatchObject({ size: whole.length })
    expect(await stored(key)).toBe(true)
  })

  test('is completed once by calls at the same time', async () => {
    const { key, complete } = await started()
    const [first, second] = await Promise.all([complete(), complete()])
    expect(second).toMatchObject({ key, size: first.size, etag: first.etag })
    expect(await stored(key)).toBe(true)
  })

  test('accepts no part after its completion, and another one after a rejected completion', async () => {
    const { key, upload, folder, complete } = await started()
    const [first = ''] = (await readdir(folder)).sort()
    await writeFile(join(folder, first), randomContent(1_000_000))
    await expect(complete()).rejects.toThrow('Part 1 of the upload was damaged on the disk. Send it again.')
    expect(await disk.storage.head(key)).toBeUndefined()
    expect(await sendPart(key, upload, 1, contents[0])).toBe(200)
    await complete()
    expect(await sendPart(key, upload, 1, randomContent(1_000_000))).toBe(404)
    expect(await stored(key)).toBe(true)
  })

  test('has one intact body of a part of which several different ones arrive at the same moment', async () => {
    const remaining: number[] = []
    for (let round = 0; round < 15; round += 1) {
      const { key, upload } = await started()
      const bodies = Array.from({ length: 4 }, () => randomContent(200))
      const statuses = await Promise.all(bodies.map((body) => sendPart(key, upload, 2, body)))
      expect(statuses).toEqual([200, 200, 200, 200])
      const parts = await disk.storage.listParts(key, upload)
      remaining.push(parts.length)
      await disk.storage.completeMultipart(key, upload, parts)
      const content = await contentOf(disk.storage, key)
      expect(bodies.some((body) => content.equals(Buffer.concat([contents[0], body, contents[2]])))).toBe(true)
    }
    expect(new Set(remaining)).toEqual(new Set([3]))
  })

  test('has only the parts that are named in its completion', async () => {
    const { key, upload } = await started()
    expect(await sendPart(key, upload, 4, randomContent(50))).toBe(200)
    const parts = (await disk.storage.listParts(key, upload)).filter(({ number }) => number < 4)
    expect((await disk.storage.completeMultipart(key, upload, parts)).size).toBe(whole.length)
    expect(await stored(key)).toBe(true)
  })

  test('is listed, replaced and removed like any other object', async () => {
    const { key, complete } = await started()
    const { size, etag } = await complete()
    expect(await toArray(disk.storage.list(key))).toMatchObject([{ key, size, etag }])
    await disk.storage.put(key, 'replaced', type)
    expect(String(await contentOf(disk.storage, key))).toBe('replaced')
    const upload = await disk.storage.startMultipart(key, type)
    await sendPart(key, upload, 1, whole)
    await disk.storage.completeMultipart(key, upload, await disk.storage.listParts(key, upload))
    expect(await stored(key)).toBe(true)
    await disk.storage.remove(key)
    expect(await disk.storage.head(key)).toBeUndefined()
  })
})

describe('an interrupted upload', () => {
  test.each([0, 1, 200, 900, 70_000, 199_000])('leaves nothing after %i bytes', async (bytes) => {
    const key = freshKey()
    const ticket = await disk.storage.uploadTicket(key, { ...link, size: 200_000 })
    const boundary = 'interrupted'
    const fields = Object.entries(ticket.fields).map(
      ([name, value]) => `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
    )
    const file = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="f"\r\n\r\n${'x'.repeat(200_000)}`
    const body = fields.join('') + file
    await sendPartially('POST', ticket.postEndpoint, `multipart/form-data; boundary=${boundary}`, body.length + 20, body.slice(0, bytes))
    expect(await disk.storage.head(key)).toBeUndefined()
    await expect.poll(unfinishedFiles).toEqual([])
  })

  test('leaves no part', async () => {
    const key = freshKey()
    const upload = await disk.storage.startMultipart(key, type)
    const url = await disk.storage.partUrl(key, upload, 1)
    await sendPartially('PUT', url, 'application/octet-stream', 100_000, 'x'.repeat(70_000))
    expect(await disk.storage.listParts(key, upload)).toEqual([])
    await expect.poll(unfinishedFiles).toEqual([])
  })

  test('leaves the earlier object unchanged', async () => {
    const key = freshKey()
    await disk.storage.put(key, 'before', type)
    const broken = Readable.from(
      (async function* () {
        yield Buffer.from('after')
        throw new Error('interrupted')
      })(),
    )
    await expect(disk.storage.put(key, broken, type)).rejects.toThrow('interrupted')
    expect(String(await contentOf(disk.storage, key))).toBe('before')
  })
})

async function sendPartially(method: string, path: string, contentType: string, length: number, body: string): Promise<void> {
  const { port } = new URL(disk.origin)
  const socket = connect(Number(port), '127.0.0.1')
  await new Promise((resolve) => socket.once('connect', resolve))
  socket.write(`${method} ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: ${contentType}\r\nContent-Length: ${length}\r\n\r\n${body}`)
  await pause(60)
  socket.destroy()
  await pause(60)
}

test('answers 413 to an upload above its announced size and leaves nothing', async () => {
  const key = freshKey()
  const ticket = await disk.storage.uploadTicket(key, { ...link, size: 1000 })
  const answer = await postFile(disk.origin, ticket, randomContent(30_000_000))
  expect(answer.status).toBe(413)
  expect(await answer.text()).toContain('larger than announced')
  expect(await unfinishedFiles()).toEqual([])
})

test('rejects a form without a file', async () => {
  const body = new FormData()
  body.append('key', 'x')
  expect((await fetch(`${disk.origin}/storage/upload`, { method: 'POST', body })).status).toBe(400)
})

test.each([
  ['no body', {}],
  ['JSON', { headers: { 'content-type': 'application/json' }, body: '{}' }],
  ['a form without a boundary', { headers: { 'content-type': 'multipart/form-data' }, body: 'x' }],
  ['an empty form', { headers: { 'content-type': 'multipart/form-data; boundary=x' }, body: '' }],
  [
    'a form that ends early',
    { headers: { 'content-type': 'multipart/form-data; boundary=x' }, body: '--x\r\nContent-Disposition: form-data; name="key"\r\n' },
  ],
])('answers an upload with %s with a sentence about the file', async (_case, request) => {
  const answer = await fetch(`${disk.origin}/storage/upload`, { method: 'POST', ...request })
  expect([answer.status, await answer.json()]).toEqual([400, { message: 'The upload contains no file. Choose it again.' }])
})

test.each([
  ['in the middle of its file', 'half of the'],
  ['within the boundary after its file', 'all of it\r\n--x'],
])('answers a form that ends %s with a sentence about the interruption', async (_case, content) => {
  const key = freshKey()
  const ticket = await disk.storage.uploadTicket(key, { ...link, size: 200_000 })
  const fields = Object.entries(ticket.fields).map(
    ([name, value]) => `--x\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  )
  const file = `--x\r\nContent-Disposition: form-data; name="file"; filename="a.pdf"\r\n\r\n${content}`
  const answer = await fetch(new URL(ticket.postEndpoint, disk.origin), {
    method: 'POST',
    headers: { 'content-type': 'multipart/form-data; boundary=x' },
    body: fields.join('') + file,
  })
  expect([answer.status, await answer.json()]).toEqual([400, { message: 'The upload was interrupted. Send the file again.' }])
  expect(await disk.storage.head(key)).toBeUndefined()
})

test('removes files of interrupted uploads, and nothing else, on start', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'plumbline-sweep-'))
  const first = await openDiskStorage({ dataDir, secret: 's' })
  const upload = await first.startMultipart('some/upload', type)
  await first.put('some/object', 'content', type)
  const interrupted = join(first.folders.incoming, randomUUID())
  await writeFile(interrupted, 'half')
  await utimes(interrupted, new Date(), new Date(Date.now() - 11 * MINUTE_MS))

  const second = await openDiskStorage({ dataDir, secret: 's' })
  expect(await readdir(second.folders.incoming)).toEqual([])
  expect(String(await contentOf(second, 'some/object'))).toBe('content')
  expect(await second.listParts('some/upload', upload)).toEqual([])
  await rm(dataDir, { recursive: true })
})

test('another process that starts on the folder leaves a running upload alone', async () => {
  const key = freshKey()
  let finish = () => undefined as void
  const body = Readable.from(
    (async function* () {
      yield Buffer.from('first half, ')
      await new Promise<void>((resolve) => (finish = resolve))
      yield Buffer.from('second half')
    })(),
  )
  const stored = disk.storage.put(key, body, type)
  await expect.poll(async () => (await unfinishedFiles()).length).toBe(1)
  await openDiskStorage({ dataDir: disk.dataDir, secret: 's' })
  finish()
  await stored
  expect(String(await contentOf(disk.storage, key))).toBe('first half, second half')
})

describe('a link', () => {
  test('is rejected after its expiry', async () => {
    const key = freshKey()
    await disk.storage.put(key, 'x', type)
    const url = `${disk.origin}${await disk.storage.downloadUrl(key, attachment)}`
    const ticket = await disk.storage.uploadTicket(key, { ...link, size: 1 })
    disk.clock.at = new Date(Date.now() + 2 * MINUTE_MS)
    const answer = await fetch(url)
    const upload = await postFile(disk.origin, ticket, Buffer.from('y'))
    disk.clock.at = new Date()
    expect([answer.status, upload.status]).toEqual([403, 403])
    expect(await answer.text()).toContain('This link has expired.')
  })

  test('is valid for its own purpose only', async () => {
    const key = freshKey()
    const upload = await disk.storage.startMultipart(key, type)
    const query = new URL(await disk.storage.partUrl(key, upload, 1), disk.origin).search
    expect((await fetch(`${disk.origin}/storage/object${query}`)).status).toBe(403)
    expect((await fetch(`${disk.origin}/storage/object`)).status).toBe(403)
  })

  test('to a missing object answers 404', async () => {
    const url = await disk.storage.downloadUrl(freshKey(), attachment)
    expect((await fetch(`${disk.origin}${url}`)).status).toBe(404)
  })
})

test('GET and HEAD of a download prevent scripts, content sniffing and caching', async () => {
  const key = freshKey()
  await disk.storage.put(key, '<script>', type)
  const url = `${disk.origin}${await disk.storage.downloadUrl(key, { ...attachment, disposition: 'inline' })}`
  for (const method of ['GET', 'HEAD']) {
    const { headers, status } = await fetch(url, { method })
    expect(status).toBe(200)
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-security-policy': "sandbox; default-src 'none'",
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': 'same-origin',
      'cache-control': 'private, no-store',
      'accept-ranges': 'bytes',
      'content-length': '8',
      'content-disposition': `inline; filename="a.pdf"; filename*=UTF-8''a.pdf`,
    })
  }
})

const mounted = await mountSmallDisk()
afterAll(async () => {
  if (mounted === undefined) return
  execFileSync('umount', [mounted])
  await rmdir(mounted)
})

async function mountSmallDisk(): Promise<string | undefined> {
  const folder = join(tmpdir(), `plumbline-full-${randomUUID()}`)
  try {
    await mkdir(folder)
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=2m', 'tmpfs', folder], { stdio: 'ignore' })
    return folder
  } catch {
    await rmdir(folder)
    return undefined
  }
}

testNeeding('permission to mount')('answers 503 on a full disk and leaves nothing', async () => {
  const small = await openDisk(join(mounted ?? '', 'data'))
  const key = freshKey()
  const answer = await postFile(small.origin, await small.storage.uploadTicket(key, { ...link, size: 5_000_000 }), randomContent(5_000_000))
  expect(answer.status).toBe(503)
  expect(await answer.text()).toContain('The disk is full')
  expect(await small.storage.head(key)).toBeUndefined()
  expect(await readdir(small.storage.folders.incoming)).toEqual([])
  await small.storage.put(key, 'small enough', type)
  const filling = join(mounted ?? '', 'filling')
  await writeFile(filling, randomContent(5_000_000)).catch(() => undefined)
  await expect(small.storage.check()).rejects.toMatchObject({ message: expect.stringContaining('The disk is full') })
  expect(await readdir(small.storage.folders.incoming)).toEqual([])
  await rm(filling)
  await small.close()
})

testNeeding('permission to mount')('answers 503 with a sentence while the disk is read-only', async () => {
  const { storage, close } = await openDisk(join(mounted ?? '', 'read-only'))
  const key = freshKey()
  const upload = await storage.startMultipart(key, type)
  execFileSync('mount', ['-o', 'remount,ro', mounted ?? ''])
  const statuses = { kind: 'unavailable', message: expect.stringContaining('The document storage cannot be written') }
  await expect(storage.startMultipart(freshKey(), type)).rejects.toMatchObject(statuses)
  await expect(storage.put(key, 'x', type)).rejects.toMatchObject(statuses)
  await expect(storage.check()).rejects.toMatchObject(statuses)
  execFileSync('mount', ['-o', 'remount,rw', mounted ?? ''])
  await storage.abortMultipart(key, upload)
  await close()
})

test('answers 503 with a sentence while the folder is missing', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'plumbline-missing-'))
  const storage = await openDiskStorage({ dataDir, secret: 's' })
  await rm(join(dataDir, 'objects'), { recursive: true })
  await expect(storage.startMultipart(freshKey(), type)).rejects.toMatchObject({ kind: 'unavailable' })
  await rm(dataDir, { recursive: true })
})

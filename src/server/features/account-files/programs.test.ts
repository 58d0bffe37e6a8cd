import { ARCHIVE_PART_CHARACTERS } from '#contract/limits.ts'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { sealedKey } from '#server/engines/storage/storage.ts'
import { testApp, type As, type TestApp } from '#server/testing/app.ts'
import { makeAccount } from '#server/testing/factories/accounts.ts'
import { makeUser } from '#server/testing/factories/people.ts'
import { testNeeding } from '#server/testing/needs.ts'
import { downloadName, pathGiver } from './file-names.ts'

interface Desk {
  app: TestApp
  broker: As
  accountId: string
  files: string
  origin: string
}

let desk: Desk
const stopping: (() => Promise<void>)[] = []

async function openDesk(env: Record<string, string> = {}): Promise<Desk> {
  const app = await testApp({ env })
  stopping.push(app.stop)
  const { id, companyId } = await makeUser(app.system)
  const account = await makeAccount(app.system, { companyId })
  const origin = await app.api.server.listen({ port: 0, host: '127.0.0.1' })
  return { app, broker: app.as(id), accountId: account.id, files: `/api/v1/accounts/${account.id}/files`, origin }
}

beforeAll(async () => {
  desk = await openDesk()
})
afterAll(async () => {
  for (const stop of stopping) await stop()
})

const requestOf = (name: string, bytes: Buffer) => ({ filePath: name, contentType: 'application/pdf', size: bytes.length })

async function sendWhole({ broker, files, origin }: Desk, name: string, bytes: Buffer): Promise<string> {
  const { postEndpoint, fields } = (await broker.post(`${files}/signed-url`, requestOf(name, bytes))).body.data
  const form = new FormData()
  for (const [field, value] of Object.entries<string>(fields)) form.append(field, value)
  form.append('file', new Blob([new Uint8Array(bytes)]), name)
  expect((await fetch(new URL(postEndpoint, origin), { method: 'POST', body: form })).status).toBe(204)
  return fields.key
}

async function sendInParts({ broker, files, origin }: Desk, name: string, bytes: Buffer): Promise<string> {
  const { upload_id: id } = (await broker.post(`${files}/multipart`, requestOf(name, bytes))).body.data
  const { url } = (await broker.post(`${files}/multipart/${id}/part`, { number: 1 })).body.data
  const sent = await fetch(new URL(url, origin), { method: 'PUT', body: new Uint8Array(bytes) })
  const parts = [{ number: 1, etag: sent.headers.get('etag') }]
  return (await broker.post(`${files}/multipart/${id}/complete`, { parts })).body.data.key
}

const register = ({ broker, accountId }: Desk, key: string, name: string, bytes: Buffer) =>
  broker.post('/api/v1/account_files', { file: { name, size: bytes.length }, s3ObjectLocation: key, account_id: accountId })

/** What two ways to upload the bytes lead to. */
async function outcomes(at: Desk, bytes: Buffer): Promise<unknown[]> {
  const all = []
  for (const send of [sendWhole, sendInParts]) {
    const key = await send(at, 'Roof report.pdf', bytes)
    const { status, body } = await register(at, key, 'Roof report.pdf', bytes)
    const repeated = (await register(at, key, 'Roof report.pdf', bytes)).status
    const documents = (await at.broker.get(at.files)).body.meta.total
    all.push({ status, errors: body.errors, repeated, documents, stored: await at.app.system.storage.head(key) })
  }
  return all
}
const MESSAGE = 'The content of Roof report.pdf is a program. Programs are not accepted as documents.'
const REJECTED = { status: 400, errors: { file: [MESSAGE] }, repeated: 404, documents: 0, stored: undefined }

// Text in quotes that starts with it would look like an import path to the convention test.
const HASH = '#'
const startOf = (hex: string) => Buffer.concat([Buffer.from(hex, 'hex'), Buffer.alloc(600)])
const PROGRAMS: [string, Buffer][] = [
  ['Windows', startOf('4d5a90000300')],
  ['Linux', startOf('7f454c460201')],
  ['macOS', startOf('cffaedfe0700')],
  ['macOS on 32 bits', startOf('feedface0000')],
  ['macOS on several processors', startOf('cafebabe00000002')],
  ['Windows without an inner header', Buffer.from('MZ\u0001run this')],
  ['Java', startOf('cafebabe0000003400')],
  ['Windows as a shortcut', startOf('4c0000000114020000000000c000000000000046')],
  ['a shell after a byte order mark', Buffer.from(`\uFEFF${HASH}!/bin/sh\nrm -rf /\n`)],
  ['a shell', Buffer.from(`${HASH}!/bin/sh\nrm -rf /\n`)],
  ['an interpreter', Buffer.from(`${HASH}! /usr/bin/env python3\nprint(1)\n`)],
]

describe('an upload whose bytes are a program', () => {
  it.each(PROGRAMS)('for %s is rejected with the name of the file, and its bytes are removed', async (_system, bytes) => {
    expect(await outcomes(desk, bytes)).toEqual([REJECTED, REJECTED])
  })

  // scripts/rgw.sh starts a store for this.
  testNeeding('S3 store')('is rejected in S3, too', async () => {
    const s3 = await openDesk({ STORAGE_URL: process.env['PLUMBLINE_TEST_S3_URL'] ?? '' })
    for (const [, bytes] of PROGRAMS) expect(await outcomes(s3, bytes)).toEqual([REJECTED, REJECTED])
  })

  it.each([
    ['the upload', (key: string) => key],
    ['a copy', sealedKey],
  ])('is rejected and removed if it replaced the checked bytes before %s was sealed', async (_what, keyOf) => {
    const { storage } = desk.app.system
    const good = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')
    const program = Buffer.concat([Buffer.from('7f454c460201', 'hex'), Buffer.alloc(good.length - 6)])
    const key = await sendWhole(desk, 'Photo.png', good)
    const sealing = vi.spyOn(storage, 'sealUpload').mockImplementation(async () => {
      await storage.put(keyOf(key), program, { contentType: 'image/png' })
      return keyOf(key)
    })
    const { status, body } = await register(desk, key, 'Photo.png', good)
    sealing.mockRestore()
    expect([status, body.message]).toEqual([409, 'Photo.png was replaced while it was checked. Please upload it again.'])
    expect(await storage.head(keyOf(key))).toBeUndefined()
    expect((await desk.broker.get(desk.files)).body.meta.total).toBe(0)
  })

  it('cannot be imported as a schedule', async () => {
    const [, [, bytes]] = PROGRAMS as [unknown, (typeof PROGRAMS)[number]]
    const key = await sendWhole(desk, 'Schedule.xlsx', bytes)
    const { status, body } = await desk.broker.post(`/api/v1/properties/import/${desk.accountId}`, { source: { key } })
    expect([status, body.message]).toEqual([400, expect.stringContaining('The content of Schedule.xlsx is a program.')])
  })
})

describe('a document whose descriptive name is that of a program', () => {
  it.each(['Open me.bat', 'Open me.BAT.', 'Open me.b\u3164at', 'Open me.\uFF42at', 'Open me.command'])(
    'is not saved as %j',
    async (name) => {
      const bytes = Buffer.from('Notes about the roof\n')
      const { body } = await register(desk, await sendWhole(desk, 'readme', bytes), 'readme', bytes)
      const { status, body: answer } = await desk.broker.patch(`${desk.files}/${body.data.id}`, { vanity_name: name })
      expect([status, Object.keys(answer.errors ?? {})]).toEqual([400, ['vanity_name']])
    },
  )

  it('is saved if the document is downloaded with its own extension', async () => {
    const bytes = Buffer.from('Notes about the roof\n')
    const { body } = await register(desk, await sendWhole(desk, 'readme.txt', bytes), 'readme.txt', bytes)
    expect((await desk.broker.patch(`${desk.files}/${body.data.id}`, { vanity_name: 'Open me.bat' })).status).toBe(200)
  })

  it('is downloaded and archived under another name, if it was stored before', () => {
    const file = { vanity_name: 'Open me.bat', original_file_name: 'readme' }
    expect(downloadName(file)).toBe('Open me.bat_')
    expect(pathGiver()('Documents/', 'run.exe.')).toBe('Documents/run.exe_')
    expect(pathGiver()('', `${'n'.repeat(ARCHIVE_PART_CHARACTERS - 4)}.exe more words`)).not.toMatch(/\.exe$/)
  })

  it('is downloaded under another name, if the request for a link contains that name', async () => {
    const bytes = Buffer.from('Notes about the roof\n')
    const { body } = await register(desk, await sendWhole(desk, 'readme', bytes), 'readme', bytes)
    const shown = await desk.broker.get(`${desk.files}/${body.data.id}?file_name=Open%20me.bat`)
    expect(new URL(shown.body.data.url, desk.origin).searchParams.get('name')).toBe('Open me.bat_')
  })
})

describe('an upload whose bytes have another type than its name says', () => {
  it.each([
    ['a picture', 'Photo.pdf', Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'), 'image/png'],
    [
      'a text that starts like a program',
      'MZ.txt',
      Buffer.from('MZ Properties, list of buildings\n1 Main St\n'),
      'application/octet-stream',
    ],
    ['a text with a hash sign', 'Notes.txt', Buffer.from(`${HASH}! Important notes\n`), 'application/octet-stream'],
  ])('is a document if it is %s', async (_what, name, bytes, type) => {
    const { status, body } = await register(desk, await sendWhole(desk, name, bytes), name, bytes)
    expect(status).toBe(201)
    expect((await desk.broker.get(`${desk.files}/${body.data.id}`)).body.data.file.type).toBe(type)
  })
})

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { testApp, type TestApp } from '#server/testing/app.ts'
import { makeAccount } from '#server/testing/factories/accounts.ts'
import { makeUser } from '#server/testing/factories/people.ts'

let app: TestApp
let broker: Awaited<ReturnType<typeof makeUser>>
let account: Awaited<ReturnType<typeof makeAccount>>
let files: string
let origin: string

beforeAll(async () => {
  app = await testApp()
  broker = await makeUser(app.system)
  account = await makeAccount(app.system, { companyId: broker.companyId })
  files = `/api/v1/accounts/${account.id}/files`
  origin = await app.api.server.listen({ port: 0, host: '127.0.0.1' })
})
afterAll(() => app.stop())

const requestOf = (name: string, bytes: Buffer) => ({ filePath: name, contentType: 'application/pdf', size: bytes.length })

async function sendWhole(name: string, bytes: Buffer): Promise<string> {
  const { postEndpoint, fields } = (await app.as(broker.id).post(`${files}/signed-url`, requestOf(name, bytes))).body.data
  const form = new FormData()
  for (const [field, value] of Object.entries<string>(fields)) form.append(field, value)
  form.append('file', new Blob([new Uint8Array(bytes)]), name)
  expect((await fetch(new URL(postEndpoint, origin), { method: 'POST', body: form })).status).toBe(204)
  return fields.key
}

async function sendInParts(name: string, bytes: Buffer): Promise<string> {
  const { upload_id: id } = (await app.as(broker.id).post(`${files}/multipart`, requestOf(name, bytes))).body.data
  const { url } = (await app.as(broker.id).post(`${files}/multipart/${id}/part`, { number: 1 })).body.data
  const sent = await fetch(new URL(url, origin), { method: 'PUT', body: new Uint8Array(bytes) })
  const parts = [{ number: 1, etag: sent.headers.get('etag') }]
  return (await app.as(broker.id).post(`${files}/multipart/${id}/complete`, { parts })).body.data.key
}

const register = (key: string, name: string, bytes: Buffer) =>
  app.as(broker.id).post('/api/v1/account_files', { file: { name, size: bytes.length }, s3ObjectLocation: key, account_id: account.id })
const documents = async () => (await app.as(broker.id).get(files)).body.meta.total

const startOf = (hex: string) => Buffer.concat([Buffer.from(hex, 'hex'), Buffer.alloc(600)])
const PROGRAMS: [string, Buffer][] = [
  ['Windows', startOf('4d5a90000300')],
  ['Linux', startOf('7f454c460201')],
  ['macOS', startOf('cffaedfe0700')],
  ['macOS on 32 bits', startOf('feedface0000')],
  ['macOS on several processors', startOf('cafebabe00000002')],
  ['a shell', Buffer.from('#!/bin/sh\nrm -rf /\n')],
  ['an interpreter', Buffer.from('#! /usr/bin/env python3\nprint(1)\n')],
]

describe('an upload whose bytes are a program', () => {
  it.each(PROGRAMS)('for %s is rejected with the name of the file, and its bytes are removed', async (_system, bytes) => {
    for (const send of [sendWhole, sendInParts]) {
      const before = await documents()
      const key = await send('Roof report.pdf', bytes)
      const { status, body } = await register(key, 'Roof report.pdf', bytes)
      expect([status, body.errors]).toEqual([
        400,
        { file: ['The content of Roof report.pdf is a program. Programs are not accepted as documents.'] },
      ])
      expect(await documents()).toBe(before)
      expect(await app.system.storage.head(key)).toBeUndefined()
      expect((await register(key, 'Roof report.pdf', bytes)).status).toBe(404)
    }
  })

  it('cannot be imported as a schedule', async () => {
    const [, [, bytes]] = PROGRAMS as [unknown, (typeof PROGRAMS)[number]]
    const key = await sendWhole('Schedule.xlsx', bytes)
    const { status, body } = await app.as(broker.id).post(`/api/v1/properties/import/${account.id}`, { source: { key } })
    expect([status, body.message]).toEqual([400, expect.stringContaining('The content of Schedule.xlsx is a program.')])
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
    ['a text with a hash sign', 'Notes.txt', Buffer.from('#! Important notes\n'), 'application/octet-stream'],
  ])('is a document if it is %s', async (_what, name, bytes, type) => {
    const { status, body } = await register(await sendWhole(name, bytes), name, bytes)
    expect(status).toBe(201)
    expect((await app.as(broker.id).get(`${files}/${body.data.id}`)).body.data.file.type).toBe(type)
  })
})

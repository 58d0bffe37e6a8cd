import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from 'kysely'
import { testApp, type TestApp } from '#server/testing/app.ts'
import { makeAccount } from '#server/testing/factories/accounts.ts'
import { makeFile } from '#server/testing/factories/files.ts'
import { makeUser } from '#server/testing/factories/people.ts'

let app: TestApp
let origin: string

beforeAll(async () => {
  app = await testApp()
  origin = await app.api.server.listen({ port: 0, host: '127.0.0.1' })
})
afterAll(() => app.stop())

type Ticket = { postEndpoint: string; fields: Record<string, string> }

/** A broker with an account, and the calls of an upload to it. */
async function desk() {
  const broker = await makeUser(app.system)
  const account = await makeAccount(app.system, { companyId: broker.companyId })
  const as = () => app.as(broker.id)
  const files = (path = '') => `/api/v1/accounts/${account.id}/files${path}`
  const context = { ...app.system, viewer: await app.viewer(broker.id) }
  return {
    broker,
    account,
    as,
    files,
    add: (name: string, options = {}) => makeFile(context, account.id, { name, ...options }),
    url: async (id: string): Promise<string> => (await as().get(files(`/${id}`))).body.data.url,
    sign: async (size: number): Promise<Ticket> =>
      (await as().post(files('/signed-url'), { filePath: 'a.txt', contentType: 'text/plain', size })).body.data,
    register: ({ fields }: Ticket, size: number) =>
      as().post('/api/v1/account_files', { file: { name: 'a.txt', size }, s3ObjectLocation: fields['key'], account_id: account.id }),
    archive: async (): Promise<{ url: string; total: number }> => {
      const { body } = await as().post(files('/action'), { action: 'archive' })
      return { url: body.data.url, total: body.data.progress.total_files }
    },
  }
}

async function post({ postEndpoint, fields }: Ticket, bytes: string): Promise<number> {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.append(name, value)
  form.append('file', new Blob([bytes]), 'a.txt')
  return (await fetch(new URL(postEndpoint, origin), { method: 'POST', body: form })).status
}

async function open(url: string) {
  const answer = await app.anonymous.get(url)
  return { status: answer.status, text: answer.raw.toString() }
}

describe('an upload link', () => {
  it('replaces the bytes until they are registered, and never a document', async () => {
    const { sign, register, url } = await desk()
    const ticket = await sign(4)
    expect([await post(ticket, 'lost'), await post(ticket, 'good')]).toEqual([204, 204])
    const { body } = await register(ticket, 4)
    expect(await post(ticket, 'evil')).toBe(409)
    expect(await open(await url(body.data.id))).toEqual({ status: 200, text: 'good' })
  })

  it('that is used while the document is registered replaces nothing', async () => {
    const { sign, register, url } = await desk()
    for (let round = 0; round < 5; round += 1) {
      const ticket = await sign(4)
      await post(ticket, 'good')
      const [registered, ...statuses] = await Promise.all([register(ticket, 4), ...['ev1l', 'evil'].map((bytes) => post(ticket, bytes))])
      expect(statuses.every((status) => status === 204 || status === 409)).toBe(true)
      const { body } = registered.status === 201 ? registered : await register(ticket, 4)
      const { text } = await open(await url(body.data.id))
      const row = await sql<{ sha256: string }>`SELECT sha256 FROM account_files WHERE id = ${body.data.id}
        AND sha256 = encode(sha256(convert_to(${text}, 'UTF8')), 'hex')`.execute(app.system.db)
      expect(row.rows).toHaveLength(1)
    }
  })

  it('of a document that was permanently deleted is rejected, and its key is not registered again', async () => {
    const { sign, register, as } = await desk()
    const ticket = await sign(4)
    await post(ticket, 'good')
    const { body } = await register(ticket, 4)
    expect((await as().delete('/api/v1/account_files', { ids: [body.data.id] })).status).toBe(200)
    expect(await post(ticket, 'evil')).toBe(409)
    expect((await as().delete('/api/v1/account_files', { ids: [body.data.id], force: true })).status).toBe(200)
    expect(await post(ticket, 'evil')).toBe(403)
    expect((await register(ticket, 4)).status).toBe(404)
  })

  it('ends with the sign-in, also for a part', async () => {
    const { sign, as, files } = await desk()
    const ticket = await sign(4)
    const started = await as().post(files('/multipart'), { filePath: 'b.dat', contentType: 'application/octet-stream', size: 120_000_000 })
    const part = await as().post(files(`/multipart/${started.body.data.upload_id}/part`), { number: 1 })
    const put = async () => (await fetch(new URL(part.body.data.url, origin), { method: 'PUT', body: 'part' })).status
    expect([await post(ticket, 'good'), await put()]).toEqual([204, 200])
    expect((await as().post('/api/v1/logout')).status).toBe(200)
    expect([await post(ticket, 'evil'), await put()]).toEqual([403, 403])
  })

  it('ends when the user is deleted or no longer sees the account', async () => {
    const { sign, broker, account } = await desk()
    const ticket = await sign(4)
    const change = (table: 'users' | 'accounts', id: string, deleted: Date | null) =>
      app.system.db.updateTable(table).set({ deleted_at: deleted }).where('id', '=', id).execute()
    await change('accounts', account.id, new Date())
    expect(await post(ticket, 'evil')).toBe(404)
    await change('accounts', account.id, null)
    await change('users', broker.id, new Date())
    expect(await post(ticket, 'evil')).toBe(403)
  })
})

describe('an archive', () => {
  it.each(['', '?expires=1', '?expires=soon&viewer=x'])('is not found without the signature of a link: %j', async (query) => {
    const { status, body } = await app.anonymous.get(`/api/v1/archives/019a0000-0000-7000-8000-000000000000/download${query}`)
    expect([status, body.message]).toEqual([404, 'Archive not found.'])
  })
})

describe('a link to a document', () => {
  it('ends when the document is moved to the trash, also that of a preview', async () => {
    const { add, url, as, files } = await desk()
    const { id } = await add('gone.txt')
    const download = await url(id)
    const preview = (await as().get(files(`/${id}/preview`))).body.data.url
    expect([(await open(download)).status, (await open(preview)).status]).toEqual([200, 200])
    await as().delete('/api/v1/account_files', { ids: [id] })
    expect([(await open(download)).status, (await open(preview)).status]).toEqual([404, 404])
    await as().delete('/api/v1/account_files', { ids: [id], force: true })
    expect((await open(download)).status).toBe(404)
  })

  it('ends for a carrier when the document is made private, and when the carrier leaves the account', async () => {
    const { add, as, files, account } = await desk()
    const carrier = await makeUser(app.system, { role: 'carrier' })
    const setCarrier = (company: string | null) =>
      app.system.db.updateTable('accounts').set({ carrier_company_id: company }).where('id', '=', account.id).execute()
    await setCarrier(carrier.companyId)
    const { id } = await add('shared.txt')
    const path = files(`/${id}/preview`)
    const { url } = (await app.as(carrier.id).get(path)).body.data
    expect((await open(url)).status).toBe(200)
    await as().patch(files(`/${id}`), { private: true })
    expect((await open(url)).status).toBe(404)
    await as().patch(files(`/${id}`), { private: false })
    expect((await open(url)).status).toBe(200)
    await setCarrier(null)
    expect((await open(url)).status).toBe(404)
  })

  it('without a sign-in opens nothing', async () => {
    const { add } = await desk()
    const { key } = await add('a.txt')
    const options = { fileName: 'a.txt', contentType: 'text/plain', disposition: 'attachment', expiresInMs: 60_000 } as const
    for (const familyId of [undefined, randomUUID(), 'none'])
      expect((await open(await app.system.storage.downloadUrl(key, { ...options, familyId }))).status).toBe(403)
  })
})

describe('a link to an archive', () => {
  it('ends when one of its documents is made private for the viewer or deleted', async () => {
    const { add, archive, as } = await desk()
    const { id } = await add('one.txt')
    await add('two.txt')
    const { url } = await archive()
    expect((await open(url)).status).toBe(200)
    await as().delete('/api/v1/account_files', { ids: [id] })
    expect((await open(url)).status).toBe(403)
  })

  it('is rejected with the name of a document that was damaged since, before the first byte', async () => {
    const { add, archive } = await desk()
    const { key } = await add('damaged.txt', { bytes: Buffer.from('0123456789') })
    const { url } = await archive()
    await app.system.storage.put(key, 'x', { contentType: 'text/plain' })
    const { status, text } = await open(url)
    expect([status, text]).toEqual([409, expect.stringContaining('damaged.txt cannot be read')])
  })
})

describe('an archive', () => {
  it('leaves out a damaged and a missing document, and names them', async () => {
    const { add, archive } = await desk()
    await add('whole.txt', { bytes: Buffer.from('all of it') })
    const damaged = await add('damaged.txt', { bytes: Buffer.from('0123456789') })
    const missing = await add('missing.txt')
    await app.system.storage.put(damaged.key, 'x', { contentType: 'text/plain' })
    await app.system.storage.remove(missing.key)
    const { url, total } = await archive()
    expect(total).toBe(3)
    const { status, text } = await open(url)
    expect(status).toBe(200)
    expect(text).toContain('01 Account Documents/Other/whole.txt')
    expect(text).not.toContain('Other/damaged.txt')
    const [, skipped = ''] = text.split('These files could not be read and are not in this archive:\r\n')
    expect(skipped.split('\r\n').slice(0, 2).sort()).toEqual(['damaged.txt', 'missing.txt'])
  })
})

import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { FILES_PER_ACCOUNT_MAX } from '#contract/limits.ts'
import { testApp, type TestApp } from '#server/testing/app.ts'
import { readArchive } from '#server/testing/archive-members.fixture.ts'
import { makeAccount, makeProperty } from '#server/testing/factories/accounts.ts'
import { makeFile } from '#server/testing/factories/files.ts'
import { makeUser } from '#server/testing/factories/people.ts'
import type { Context } from '#server/engines/context.ts'

let app: TestApp
let broker: Awaited<ReturnType<typeof makeUser>>
let account: Awaited<ReturnType<typeof makeAccount>>
let asBroker: Context
let origin: string

beforeAll(async () => {
  app = await testApp()
  broker = await makeUser(app.system)
  account = await makeAccount(app.system, { companyId: broker.companyId, name: 'Harbor: Terminals' })
  origin = await app.api.server.listen({ port: 0, host: '127.0.0.1' })
  asBroker = { ...app.system, viewer: await app.viewer(broker.id) }
})
afterAll(() => app.stop())

const files = (path = '') => `/api/v1/accounts/${account.id}/files${path}`

async function upload(name: string, bytes: Buffer, type = 'application/pdf', more: { private?: boolean } = {}, by = broker.id) {
  const signed = await app.as(by).post(files('/signed-url'), { filePath: name, contentType: type, size: bytes.length })
  expect(signed.status).toBe(200)
  const form = new FormData()
  for (const [field, value] of Object.entries<string>(signed.body.data.fields)) form.append(field, value)
  form.append('file', new Blob([new Uint8Array(bytes)], { type }), name)
  const sent = await fetch(new URL(signed.body.data.postEndpoint, origin), { method: 'POST', body: form })
  expect(sent.ok).toBe(true)
  return app.as(by).post('/api/v1/account_files', {
    file: { name, size: bytes.length, type },
    s3ObjectLocation: signed.body.data.fields.key,
    account_id: account.id,
    ...more,
  })
}

describe('an upload', () => {
  it('through a signed request becomes a document with type, category and a possible duplicate', async () => {
    const pdf = Buffer.from('%PDF-1.4\n%âãÏÓ\n1 0 obj<<>>endobj\ntrailer<<>>\n%%EOF\n', 'latin1')
    const first = await upload('Roof report.pdf', pdf)
    expect(first.status).toBe(201)
    expect(first.body.data.duplicate_of).toBeNull()
    const again = await upload('copy.pdf', pdf)
    expect(again.body.data.duplicate_of).toBe('Roof report.pdf')
    const shown = await app.as(broker.id).get(files(`/${first.body.data.id}`))
    expect(shown.body.data).toMatchObject({ category: 'roof', sov: false, file: { type: 'application/pdf', size: pdf.length } })
    const bytes = await app.api.server.inject({ method: 'GET', url: shown.body.data.url })
    expect(bytes.rawPayload.equals(pdf)).toBe(true)
    expect(bytes.headers['content-disposition']).toContain('Roof%20report.pdf')
  })

  it('that is private has a line of activity only for those who see it', async () => {
    const { id } = await makeUser(app.system, { role: 'client' })
    await app.system.db.insertInto('account_users').values({ account_id: account.id, user_id: id }).execute()
    const uploads = async (user: string) => {
      const { data } = (await app.as(user).get(`/api/v1/accounts/${account.id}/activity`)).body
      return data.filter((line: { class: string }) => line.class === 'uploaded').length
    }
    const [seen, own] = [await uploads(id), await uploads(broker.id)]
    for (const name of ['memo.pdf', 'memo 2.pdf']) {
      expect((await upload(name, Buffer.from(`%PDF-1.4 ${name}`), 'application/pdf', { private: true })).status).toBe(201)
    }
    expect([await uploads(id), await uploads(broker.id)]).toEqual([seen, own + 1])
  })

  it('cannot be marked private by a user who cannot change documents', async () => {
    const { id } = await makeUser(app.system, { role: 'upload_only' })
    await app.system.db.insertInto('account_users').values({ account_id: account.id, user_id: id }).execute()
    const send = (more: { private?: boolean }) => upload('claims.pdf', Buffer.from('%PDF-1.4 claims'), 'application/pdf', more, id)
    expect((await send({ private: true })).status).toBe(403)
    expect((await send({})).status).toBe(201)
  })

  it('is rejected when the announced size is not the stored one', async () => {
    const signed = await app.as(broker.id).post(files('/signed-url'), { filePath: 'size.pdf', contentType: 'application/pdf', size: 9 })
    const form = new FormData()
    for (const [field, value] of Object.entries<string>(signed.body.data.fields)) form.append(field, value)
    form.append('file', new Blob(['%PDF-1.4 ']), 'size.pdf')
    expect((await fetch(new URL(signed.body.data.postEndpoint, origin), { method: 'POST', body: form })).status).toBe(204)
    const register = (size: number) =>
      app.as(broker.id).post('/api/v1/account_files', {
        file: { name: 'size.pdf', size, type: 'application/pdf' },
        s3ObjectLocation: signed.body.data.fields.key,
        account_id: account.id,
      })
    expect((await register(1_000)).status).toBe(409)
    expect((await register(9)).status).toBe(201)
  })

  it('has a name in one line, and cannot be given one with a line break', async () => {
    const made = await upload('two\r\nlines\tand\u0085more.pdf', Buffer.from('%PDF-1.4 lines'))
    const path = files(`/${made.body.data.id}`)
    expect((await app.as(broker.id).get(path)).body.data.file.original_file_name).toBe('two lines and more.pdf')
    const renamed = await app.as(broker.id).patch(path, { vanity_name: 'two\nlines' })
    expect([renamed.status, renamed.body.data.vanity_name]).toEqual([200, 'two lines'])
  })

  it('never exceeds the limit of an account, however many are registered at the same time', async () => {
    const full = await makeAccount(app.system, { companyId: broker.companyId })
    await sql`UPDATE account_totals SET files_disclosed = ${FILES_PER_ACCOUNT_MAX - 2} WHERE account_id = ${full.id}`.execute(app.system.db)
    const keys = await Promise.all(
      Array.from({ length: 6 }, async () => {
        const signed = await app.as(broker.id).post(`/api/v1/accounts/${full.id}/files/signed-url`, { filePath: 'a.pdf', size: 5 })
        const key = String(signed.body.data.fields.key)
        await app.system.storage.put(key, '%PDF-', { contentType: 'application/pdf' })
        return key
      }),
    )
    const statuses = await Promise.all(
      keys.map(async (key) => {
        const file = { name: 'a.pdf', size: 5, type: 'application/pdf' }
        return (await app.as(broker.id).post('/api/v1/account_files', { file, s3ObjectLocation: key, account_id: full.id })).status
      }),
    )
    expect([201, 409].map((status) => statuses.filter((one) => one === status).length)).toEqual([2, 4])
  })

  it('that is registered twice becomes one document', async () => {
    const made = await upload('once.pdf', Buffer.from('%PDF-1.4 once'))
    const key = (
      await app.system.db.selectFrom('account_files').select('storage_key').where('id', '=', made.body.data.id).executeTakeFirstOrThrow()
    ).storage_key
    const repeat = await app
      .as(broker.id)
      .post('/api/v1/account_files', { file: { name: 'once.pdf', size: 13 }, s3ObjectLocation: key, account_id: account.id })
    expect(repeat.body.data.id).toBe(made.body.data.id)
    expect([made.status, made.body.message, repeat.status, repeat.body.message]).toEqual([
      201,
      'The document was added.',
      200,
      'This upload is a document already.',
    ])
    const property = await makeProperty(app.system, account.id)
    for (const other of [
      { sov: true },
      { private: true },
      { category: 'lease' },
      { property_ids: [property.id] },
      { file: { name: 'once.pdf', size: 14 } },
    ]) {
      const body = { file: { name: 'once.pdf', size: 13 }, s3ObjectLocation: key, account_id: account.id, ...other }
      expect((await app.as(broker.id).post('/api/v1/account_files', body)).status, Object.keys(other)[0]).toBe(409)
    }
  })

  it.each([
    ['empty', 'empty.pdf', 0, /empty \(0 bytes\)/],
    ['larger than 5 GiB', 'big.pdf', 6 * 1024 ** 3, /at most 5 GiB/],
    ['a program', 'setup.exe', 10, /is a program/],
    ['a program with a mark behind its name', 'setup.exe\u200B', 10, /is a program/],
    ['nameless', '../..', 10, /no usable name/],
  ])('of a file is rejected with a message if it is %s', async (_case, name, size, message) => {
    const rejected = await app.as(broker.id).post(files('/signed-url'), { filePath: name, contentType: 'application/pdf', size })
    expect(rejected.status).toBe(400)
    expect(rejected.body.message).toMatch(message)
  })

  it.each([
    ['../../etc/passwd.txt', 'passwd.txt'],
    ['C:\\docs\\Größe 文書 😀.pdf', 'Größe 文書 😀.pdf'],
    ['invoice\u202Efdp.pdf', 'invoicefdp.pdf'],
    ['Roof\u200B re\u2060port\uFEFF.pdf\u200B', 'Roof report.pdf'],
    [`${'n'.repeat(300)}.pdf`, `${'n'.repeat(251)}.pdf`],
  ])('of %s has a clean file name', async (name, expected) => {
    await app.as(broker.id).post(files('/signed-url'), { filePath: name, contentType: 'application/pdf', size: 10 })
    const row = await app.system.db.selectFrom('uploads').select('file_name').orderBy('created_at', 'desc').executeTakeFirstOrThrow()
    expect(row.file_name).toBe(expected)
  })

  it('to an account that the user does not see is not found', async () => {
    const other = await makeUser(app.system)
    const rejected = await app.as(other.id).post(files('/signed-url'), { filePath: 'a.pdf', contentType: 'application/pdf', size: 10 })
    expect(rejected.status).toBe(404)
  })
})

describe('documents of an account', () => {
  it('are counted as far as the viewer sees them: private ones only in the own company', async () => {
    const own = await makeAccount(app.system, {
      companyId: broker.companyId,
      carrierCompanyId: (await makeUser(app.system, { role: 'carrier' })).companyId,
    })
    const carrier = await makeUser(app.system, { role: 'carrier' })
    await app.system.db.updateTable('accounts').set({ carrier_company_id: carrier.companyId }).where('id', '=', own.id).execute()
    await makeFile(asBroker, own.id, { name: 'open.txt' })
    await makeFile(asBroker, own.id, { name: 'secret.txt', private: true })
    await makeFile(asBroker, own.id, { name: 'sov.txt', sov: true })
    const mine = await app.as(broker.id).get(`/api/v1/accounts/${own.id}`)
    expect(mine.body.data.files).toMatchObject({ total: 3, disclosed: 2, sov: 1 })
    const theirs = await app.as(carrier.id).get(`/api/v1/accounts/${own.id}`)
    expect(theirs.body.data.files).toMatchObject({ total: 2, disclosed: 1, sov: 1 })
    const list = await app.as(carrier.id).get(`/api/v1/account_files?filter__account_id=${own.id}`)
    expect(list.body.data.map((row: { name: { text: string } }) => row.name.text).sort()).toEqual(['open.txt', 'sov.txt'])
    expect(list.body.meta.total).toBe(2)
  })

  it('can be renamed, marked, dated and linked, each with an activity line', async () => {
    const file = await makeFile(asBroker, account.id, { name: 'report.txt' })
    const property = await makeProperty(app.system, account.id)
    const patched = await app.as(broker.id).patch(files(`/${file.id}`), {
      vanity_name: 'Engineering report',
      private: true,
      report_author_date: '2026-05-01',
      properties: [property.id],
    })
    expect(patched.body.data).toMatchObject({ vanity_name: 'Engineering report', private: true, propertyIds: [property.id] })
    const activity = await app.as(broker.id).get(`/api/v1/accounts/${account.id}/activity`)
    expect(activity.body.data.map((item: { message: string }) => item.message)).toContain(
      `${broker.fullName} renamed report.txt to Engineering report`,
    )
    const foreign = await makeProperty(app.system, (await makeAccount(app.system)).id)
    expect((await app.as(broker.id).patch(files(`/${file.id}`), { properties: [foreign.id] })).status).toBe(400)
  })

  it('are not deleted again while they are in the trash', async () => {
    const { id } = await makeFile(asBroker, account.id)
    const remove = () => app.as(broker.id).delete(files(), { ids: [id] })
    expect((await remove()).status).toBe(200)
    const { status, body } = await remove()
    expect([status, body.message]).toEqual([409, 'This document is already in the trash. Reload the list.'])
  })

  it('have the ids of the previous and next document in the list and its filters', async () => {
    const other = await makeAccount(app.system, { companyId: broker.companyId })
    for (const name of ['a.txt', 'b.txt', 'c.txt']) await makeFile(asBroker, other.id, { name })
    const list = await app.as(broker.id).get(`/api/v1/accounts/${other.id}/files?sort=name&order=asc`)
    const [a, b, c] = list.body.data.map((file: { id: string }) => file.id)
    const details = await app.as(broker.id).get(`/api/v1/accounts/${other.id}/files/${b}/details?sort=name&order=asc`)
    expect(details.body.data).toMatchObject({ previous_id: a, next_id: c, position: 2, total: 3 })
    await app.as(broker.id).patch(`/api/v1/accounts/${other.id}/files/${b}`, { private: true })
    const filtered = await app.as(broker.id).get(`/api/v1/accounts/${other.id}/files/${c}/details?sort=name&order=asc&filter__private=0`)
    expect(filtered.body.data).toMatchObject({ previous_id: a, next_id: null, position: 2, total: 2 })
  })
})

describe('an organized archive', () => {
  it('is ready at once, has folders by property and category, and can be unpacked', async () => {
    const own = await makeAccount(app.system, { companyId: broker.companyId, name: 'Zip: Co' })
    const one = await makeProperty(app.system, own.id, {
      location_number: '7',
      property_name: 'Main plant',
      city: 'Reno',
      state: 'NV',
      postal_code: '89501',
    })
    await makeFile(asBroker, own.id, { name: 'sov.txt', sov: true })
    await makeFile(asBroker, own.id, { name: 'roof.txt', category: 'roof', property_ids: [one.id] })
    await makeFile(asBroker, own.id, { name: 'Roof.TXT', category: 'roof', property_ids: [one.id] })
    await makeFile(asBroker, own.id, { name: 'policy.txt', category: 'policy' })
    const requested = await app.as(broker.id).post(`/api/v1/accounts/${own.id}/files/action`, { action: 'archive' })
    expect(requested.body.data).toMatchObject({ status: 'accessible', progress: { percentage_complete: 100, total_files: 4 } })
    expect(requested.body.data.file.original_file_name).toMatch(/^Zip- Co - Organized Documents - \d{4}-\d\d-\d\d\.zip$/)
    const zip = await app.api.server.inject({ method: 'GET', url: requested.body.data.url })
    expect(zip.statusCode).toBe(200)
    expect(Number(zip.headers['content-length'])).toBe(zip.rawPayload.length)
    const path = join(app.dataDir, 'archive.zip')
    writeFileSync(path, zip.rawPayload)
    const listing = execFileSync(
      'python3',
      ['-c', 'import sys,zipfile; z=zipfile.ZipFile(sys.argv[1]); assert z.testzip() is None; print("\\n".join(z.namelist()))', path],
      { encoding: 'utf8' },
    )
    expect(listing.trim().split('\n')).toEqual([
      '00 Submission Documents/sov.txt',
      '01 Account Documents/Policy, binder, quote/policy.txt',
      'Properties/007 - Main plant, Reno NV/08 Roof report - warranty/Roof (2).TXT',
      'Properties/007 - Main plant, Reno NV/08 Roof report - warranty/roof.txt',
      'Document Index.xlsx',
      'Manifest.json',
    ])
    const middle = await app.api.server.inject({
      method: 'GET',
      url: requested.body.data.url,
      headers: { range: 'bytes=100-', 'if-range': String(zip.headers['etag']) },
    })
    expect(middle.statusCode).toBe(206)
    expect(middle.rawPayload.equals(zip.rawPayload.subarray(100))).toBe(true)
  })

  it('with a document of two properties is in both folders and can be downloaded', async () => {
    const own = await makeAccount(app.system, { companyId: broker.companyId })
    const linked = [(await makeProperty(app.system, own.id)).id, (await makeProperty(app.system, own.id)).id]
    await makeFile(asBroker, own.id, { name: 'lease.txt', category: 'lease', property_ids: linked })
    const requested = await app.as(broker.id).post(`/api/v1/accounts/${own.id}/files/action`, { action: 'archive' })
    const zip = await app.api.server.inject({ method: 'GET', url: requested.body.data.url })
    expect(zip.statusCode).toBe(200)
    const paths = [...readArchive(zip.rawPayload).members.keys()]
    expect(paths.filter((path) => /^Properties\/.*\/lease\.txt$/.test(path))).toHaveLength(2)
  })

  it('is pending while a checksum is missing, and visible to its requester only', async () => {
    const own = await makeAccount(app.system, { companyId: broker.companyId })
    const file = await makeFile(asBroker, own.id)
    await app.system.db.updateTable('account_files').set({ crc32: null }).where('id', '=', file.id).execute()
    const requested = await app.as(broker.id).post(`/api/v1/accounts/${own.id}/files/action`, { params: { action: 'archive' } })
    expect(requested.body.data).toMatchObject({ status: 'pending', url: null })
    const colleague = await makeUser(app.system, { companyId: broker.companyId })
    expect((await app.as(colleague.id).get(`/api/v1/accounts/${own.id}/files/${requested.body.data.id}`)).status).toBe(404)
    expect((await app.as(broker.id).get('/api/v1/archives')).body.data).toHaveLength(1)
  })

  it('is not served for a link with another signature', async () => {
    const own = await makeAccount(app.system, { companyId: broker.companyId })
    await makeFile(asBroker, own.id)
    const requested = await app.as(broker.id).post(`/api/v1/accounts/${own.id}/files/action`, { action: 'archive' })
    const tampered = String(requested.body.data.url).replace(/signature=.{4}/, 'signature=AAAA')
    expect((await app.anonymous.get(tampered)).status).toBe(403)
  })
})

import { buffer } from 'node:stream/consumers'
import { beforeEach, describe, expect, it } from 'vitest'
import { ARCHIVES_PER_MINUTE, ARCHIVE_LIFE_MS, ARCHIVE_LISTED_MS } from '#contract/limits.ts'
import type { Context } from '#server/engines/context.ts'
import { readOne, save, texts } from '#server/engines/spreadsheet/spreadsheet.fixture.ts'
import { decodeMember, openZip } from '#server/engines/spreadsheet/read/zip-reader.ts'
import { manifestIn } from '#server/engines/packages/manifest.fixture.ts'
import { rowsOfWord } from '#server/engines/word/word.fixture.ts'
import { sha256Of } from '#server/testing/archive-members.fixture.ts'
import { deskForEachTest } from '#server/testing/desk.fixture.ts'
import { makeProperty } from '#server/testing/factories/accounts.ts'
import { makeFile } from '#server/testing/factories/files.ts'
import { makeUser } from '#server/testing/factories/people.ts'
import { addToAccount } from '#server/testing/factories/register.ts'
import { makeArchive } from './archive.job.ts'
import { sweepUploads } from './files.job.ts'

const desk = deskForEachTest()
const call = () => desk.app.as(desk.userId)
const action = (body: object) => call().post(`/api/v1/accounts/${desk.accountId}/files/action`, body)
const exportExcel = (more: object = {}) =>
  call().post('/api/v1/account_properties/actions', {
    handle: 'json',
    model: 'account_properties',
    action: 'export_excel',
    input: 'all',
    account_id: desk.accountId,
    ...more,
  })
const open = (url: string) => desk.app.api.server.inject({ method: 'GET', url })
const linkOf = async (id: string) => (await call().get(`/api/v1/accounts/${desk.accountId}/files/${id}`)).body.data.url as string
const downloads = async () => (await call().get('/api/v1/downloads')).body.data as { id: string; status: string; source: string }[]

let ctx: Context
beforeEach(async () => {
  ctx = { ...desk.app.system, viewer: await desk.app.viewer(desk.userId) }
})
const add = (name: string, more: Parameters<typeof makeFile>[2] = {}) =>
  makeFile(ctx, desk.accountId, { name, sov: false, private: false, category: 'other', ...more })
const patch = (id: string, values: object) => call().patch(`/api/v1/accounts/${desk.accountId}/files/${id}`, values)
const forget = (id: string) => desk.app.system.db.updateTable('account_files').set({ crc32: null }).where('id', '=', id).execute()

describe('the disclosed document list', () => {
  it('has the documents that are not private, not submission documents and not provided by the broker', async () => {
    await add('listed.pdf')
    await add('private.pdf', { private: true })
    await add('sov.xlsx', { sov: true })
    const { id } = await add('broker.pdf')
    await patch(id, { provided_by_broker: true })
    const { status, body } = await action({ action: 'document_list' })
    expect([status, body.data.status, body.data.source]).toEqual([200, 'accessible', 'document-list'])
    expect(body.data.file.original_file_name).toMatch(/^Account \d+ - Disclosed Document List - \d{4}-\d\d-\d\d\.docx$/)
    const word = await open(body.data.url)
    expect(word.headers['content-type']).toContain('wordprocessingml')
    expect((await rowsOfWord(word.rawPayload)).map(([name]) => name)).toEqual(['Original File Name', 'Account Documents', 'listed.pdf'])
  })

  it('carries the checksums of its documents for programs, and of no other', async () => {
    const property = await makeProperty(desk.app.system, desk.accountId, { location_number: '4', address: '4 Pier Rd', city: 'Reno' })
    const listed = await add('listed.pdf', { property_ids: [property.id] })
    await patch(listed.id, { vanity_name: 'Lease' })
    await add('private.pdf', { private: true })
    const { body } = await action({ action: 'document_list' })
    const manifest = await manifestIn((await open(body.data.url)).rawPayload)
    expect(manifest).toMatchObject({ manifest_version: 1, account: expect.any(String), made_at: expect.any(String) })
    const described = { original_name: 'listed.pdf', descriptive_name: 'Lease', properties: ['4 4 Pier Rd Reno'] }
    expect(manifest.documents).toEqual([{ ...described, size: listed.bytes.length, sha256: sha256Of(listed.bytes) }])
  })

  it('of a selection has the disclosed ones of it', async () => {
    const [one, hidden] = [await add('one.pdf'), await add('hidden.pdf', { private: true })]
    await add('other.pdf')
    const { body } = await action({ action: 'document_list', files: [one.id, hidden.id] })
    expect((await rowsOfWord((await open(body.data.url)).rawPayload)).slice(2).map(([name]) => name)).toEqual(['one.pdf'])
  })

  it('is not downloaded by HEAD, which only has its headers', async () => {
    await add('one.pdf')
    const { url } = (await action({ action: 'document_list' })).body.data
    const recorded = async () =>
      (await call().get(`/api/v1/accounts/${desk.accountId}/activity`)).body.data.filter(
        (line: { class: string }) => line.class === 'downloaded',
      )
    const before = await recorded()
    const head = await desk.app.api.server.inject({ method: 'HEAD', url })
    expect([head.statusCode, head.headers['content-disposition'], head.body]).toEqual([200, expect.stringContaining('.docx'), ''])
    expect(await recorded()).toEqual(before)
    await open(url)
    expect(await recorded()).not.toEqual(before)
  })

  it('is an error without disclosed documents', async () => {
    const { id } = await add('private.pdf', { private: true })
    const all = await action({ action: 'document_list' })
    expect([all.status, all.body.message]).toEqual([404, 'This account does not have any disclosed documents to generate the list from.'])
    const selection = await action({ action: 'document_list', files: [id] })
    expect([selection.status, selection.body.message]).toEqual([404, 'Could not find those documents.'])
    expect(await downloads()).toEqual([])
  })

  it('has no document that became private after it was requested', async () => {
    const { id } = await add('later.pdf')
    await add('stays.pdf')
    const { body } = await action({ action: 'document_list' })
    await patch(id, { private: true })
    expect((await open(body.data.url)).body).not.toContain('later.pdf')
    expect((await rowsOfWord((await open(body.data.url)).rawPayload)).slice(2).map(([name]) => name)).toEqual(['stays.pdf'])
  })

  it('needs its permission when it is requested and when it is downloaded', async () => {
    await add('one.pdf')
    const { body } = await action({ action: 'document_list' })
    const { id: uploader } = await makeUser(desk.app.system, {
      role: 'upload_only',
      companyId: (await desk.app.viewer(desk.userId)).companyId,
    })
    const refused = await desk.app.as(uploader).post(`/api/v1/accounts/${desk.accountId}/files/action`, { action: 'document_list' })
    expect(refused.status).toBe(403)
    const role = desk.app.system.db.selectFrom('user_roles').select('role_id').where('user_id', '=', desk.userId)
    const { permissions } = await desk.app.system.db
      .selectFrom('roles')
      .select('permissions')
      .where('id', 'in', role)
      .executeTakeFirstOrThrow()
    const allow = (names: string[]) => desk.app.system.db.updateTable('roles').set({ permissions: names }).where('id', 'in', role).execute()
    await allow(permissions.filter((name) => name !== 'generate_disclosed_document_list'))
    const { statusCode } = await open(body.data.url)
    await allow(permissions)
    expect([statusCode, (await open(body.data.url)).statusCode]).toEqual([403, 200])
  })
})

/** Without the row of totals. */
const namesOf = async (bytes: Buffer) =>
  texts(await readOne(await save('list.xlsx', bytes)))
    .filter(([first]) => first !== 'Total')
    .map((row) => row[2])

describe('the property list', () => {
  it('is a download of the user, made when it is downloaded', async () => {
    await makeProperty(ctx, desk.accountId, { property_name: 'Main' })
    const { status, body } = await exportExcel()
    expect([status, body.export]).toMatchObject([200, { status: 'accessible', source: 'property-list', account_id: desk.accountId }])
    await makeProperty(ctx, desk.accountId, { property_name: 'Added later' })
    const file = await open(await linkOf(body.export.id))
    expect(file.headers['content-disposition']).toMatch(/Property%20List|Property List/)
    expect(await namesOf(file.rawPayload)).toEqual(['Property Name', 'Main', 'Added later'])
  })

  it('is the answer to a direct request, for all properties or some', async () => {
    const { id } = await makeProperty(ctx, desk.accountId, { property_name: 'Main' })
    await makeProperty(ctx, desk.accountId, { property_name: 'Mill' })
    const answer = async (ids?: string[]) => {
      const { status, raw, headers } = await call().post('/api/v1/account_properties/property-list/download', {
        account_id: desk.accountId,
        ...(ids && { ids }),
      })
      expect([status, headers['content-disposition']]).toEqual([200, expect.stringContaining('.xlsx')])
      return namesOf(raw)
    }
    expect(await answer()).toEqual(['Property Name', 'Main', 'Mill'])
    expect(await answer([id])).toEqual(['Property Name', 'Main'])
  })

  it('has percentages with the digits that users entered', async () => {
    await makeProperty(ctx, desk.accountId, { percent_occupied: 33.3 })
    await makeProperty(ctx, desk.accountId, { percent_occupied: 12.345678 })
    const { raw } = await call().post('/api/v1/account_properties/property-list/download', { account_id: desk.accountId })
    const { rows } = await readOne(await save('list.xlsx', raw))
    const column = rows[0]?.cells.find(({ text }) => text === 'Occupied')?.column
    const values = rows.slice(1).flatMap(({ cells }) => cells.filter((cell) => cell.column === column).map(({ value }) => value))
    expect(values).toEqual([0.333, 0.12345678])
  })

  it('is an error without properties, and for what the list cannot leave out', async () => {
    for (const refused of [await exportExcel(), await exportExcel({ with_documents: true })])
      expect([refused.status, refused.body.message]).toEqual([404, 'No properties found'])
    const direct = await call().post('/api/v1/account_properties/property-list/download', { account_id: desk.accountId })
    expect([direct.status, direct.body.message]).toEqual([404, 'No properties found'])
    expect((await exportExcel({ filters: { filter__state: 'CA' } })).status).toBe(400)
    expect((await exportExcel({ account_id: undefined })).status).toBe(400)
  })
})

describe('properties with documents', () => {
  const members = async (bytes: Buffer) => {
    const zip = await openZip(await save('archive.zip', bytes))
    return { zip, names: zip.names }
  }

  it('are an archive with the documents of the properties and a workbook that links to them', async () => {
    const one = await makeProperty(ctx, desk.accountId, { location_number: '7', property_name: 'Main plant' })
    await add('roof.pdf', { property_ids: [one.id] })
    await add('secret.pdf', { property_ids: [one.id], private: true })
    await add('policy.pdf')
    await add('sov.xlsx', { sov: true, property_ids: [one.id] })
    const { body } = await exportExcel({ with_documents: true })
    expect(body.export).toMatchObject({ status: 'accessible', source: 'with-documents' })
    const { zip, names } = await members((await open(await linkOf(body.export.id))).rawPayload)
    expect(names.filter((name) => !name.endsWith('/'))).toEqual([
      expect.stringMatching(/^properties\/007 - main plant, los angeles ca\/\d\d other\/roof\.pdf$/),
      expect.stringMatching(/secret\.pdf$/),
      'property list.xlsx',
      'manifest.json',
    ])
    const workbook = await openZip(await save('inner.xlsx', await buffer(zip.read('property list.xlsx'))))
    let links = ''
    for await (const chunk of decodeMember(workbook, 'xl/worksheets/_rels/sheet2.xml.rels')) links += chunk
    expect(links).toMatch(/Target="Properties\/007%20-%20Main%20plant%2C%20Los%20Angeles%20CA\/\d\d%20Other\/roof\.pdf"/)
  })

  it('are prepared by a job while a checksum is missing', async () => {
    const one = await makeProperty(ctx, desk.accountId)
    await forget((await add('kept.pdf', { property_ids: [one.id] })).id)
    const { body } = await exportExcel({ with_documents: true })
    expect(body).toMatchObject({ message: 'Preparing your file to download, please wait...', export: { status: 'pending' } })
    await expect.poll(async () => (await downloads())[0]?.status, { timeout: 20_000 }).toBe('accessible')
    const { names } = await members((await open(await linkOf(body.export.id))).rawPayload)
    expect(names.filter((name) => name.endsWith('/kept.pdf'))).toHaveLength(1)
  })

  const pending = () =>
    desk.app.system.db
      .insertInto('archives')
      .values({
        account_id: desk.accountId,
        requested_by: desk.userId,
        source: 'with-documents',
        file_name: 'Documents.zip',
        expires_at: new Date(Date.now() + ARCHIVE_LIFE_MS),
      })
      .returning('id')
      .executeTakeFirstOrThrow()
  const prepare = (system: Context, id: string) =>
    makeArchive.run(
      system,
      { archive_id: id, user_id: desk.userId },
      { id, attempt: 1, lastAttempt: true, signal: AbortSignal.timeout(60_000) },
    )

  it('leave out what was unlinked or deleted while they were prepared', async () => {
    const one = await makeProperty(ctx, desk.accountId)
    const linked = { property_ids: [one.id] }
    await add('kept.pdf', linked)
    const [unlinked, deleted] = [await add('unlinked.pdf', linked), await add('deleted.pdf', linked)]
    const { id } = await pending()
    const { storage } = desk.app.system
    // The sizes are read after the documents.
    const sizes: typeof storage.sizes = async (keys) => {
      await patch(unlinked.id, { properties: [] })
      await call().delete('/api/v1/account_files', { ids: [deleted.id] })
      return storage.sizes(keys)
    }
    await prepare({ ...desk.app.system, storage: Object.assign(Object.create(storage) as typeof storage, { sizes }) }, id)
    const { names } = await members((await open(await linkOf(id))).rawPayload)
    expect(names.filter((name) => name.endsWith('.pdf')).map((name) => name.split('/').at(-1))).toEqual(['kept.pdf'])
  })

  it('fail when the account is no longer visible', async () => {
    await makeProperty(ctx, desk.accountId)
    const { id } = await pending()
    await desk.app.system.db.updateTable('accounts').set({ deleted_at: new Date() }).where('id', '=', desk.accountId).execute()
    await prepare(desk.app.system, id)
    const row = await desk.app.system.db.selectFrom('archives').select('status').where('id', '=', id).executeTakeFirstOrThrow()
    expect(row.status).toBe('failed')
  })
})

it('the downloads of an account that are not empty for a user are those of documents and properties that the user sees', async () => {
  const have = async () => (await call().get(`/api/v1/accounts/${desk.accountId}/downloads`)).body.data
  expect(await have()).toEqual({ documents: false, disclosed_documents: false, linked_documents: false, properties: false })
  const { id } = await add('private.pdf', { private: true })
  expect(await have()).toEqual({ documents: true, disclosed_documents: false, linked_documents: false, properties: false })
  const property = await makeProperty(ctx, desk.accountId)
  await patch(id, { properties: [property.id] })
  expect(await have()).toEqual({ documents: true, disclosed_documents: false, linked_documents: true, properties: true })
  await patch(id, { private: false, provided_by_broker: true })
  expect((await have()).disclosed_documents).toBe(false)
  await patch(id, { provided_by_broker: false })
  expect(await have()).toEqual({ documents: true, disclosed_documents: true, linked_documents: true, properties: true })
  const { companyId } = await desk.app.viewer(desk.userId)
  const uploader = await makeUser(desk.app.system, { companyId, role: 'upload_only' })
  await addToAccount(desk.app, desk.accountId, uploader.id)
  const ofUploader = await desk.app.as(uploader.id).get(`/api/v1/accounts/${desk.accountId}/downloads`)
  expect(ofUploader.body.data).toEqual({ documents: false, disclosed_documents: false, linked_documents: false, properties: false })
})

describe('the downloads of a user', () => {
  it('are listed newest first with account and expiry, and can be deleted', async () => {
    await add('one.pdf')
    const list = (await action({ action: 'document_list' })).body.data
    const zip = (await action({ action: 'archive' })).body.data
    const [first, second] = (await call().get('/api/v1/downloads')).body.data
    expect([first, second]).toMatchObject([
      { id: zip.id, source: 'downloadall', status: 'accessible', file: { size: zip.file.size } },
      { id: list.id, source: 'document-list', status: 'accessible', account_name: expect.stringContaining('Account') },
    ])
    expect(Date.parse(first.expires_at) - Date.parse(first.created_at)).toBeGreaterThan(ARCHIVE_LIFE_MS - 60_000)
    const { id: colleague } = await makeUser(desk.app.system, { companyId: (await desk.app.viewer(desk.userId)).companyId })
    expect((await desk.app.as(colleague).get('/api/v1/downloads')).body.data).toEqual([])
    expect((await desk.app.as(colleague).delete(`/api/v1/downloads/${zip.id}`)).status).toBe(404)
    expect((await call().delete(`/api/v1/downloads/${zip.id}`)).status).toBe(200)
    expect((await downloads()).map(({ id }) => id)).toEqual([list.id])
    expect((await open(zip.url)).statusCode).toBe(404)
  })

  it('are expired after their time, and no longer listed later', async () => {
    await add('one.pdf')
    const { id, url } = (await action({ action: 'archive' })).body.data
    const expireAt = (moment: number) =>
      desk.app.system.db
        .updateTable('archives')
        .set({ expires_at: new Date(moment) })
        .where('id', '=', id)
        .execute()
    await expireAt(Date.now() - 1_000)
    expect(await downloads()).toMatchObject([{ id, status: 'expired' }])
    expect((await open(url)).statusCode).toBe(404)
    const stored = () => desk.app.system.db.selectFrom('archives').select('layout').where('id', '=', id).execute()
    const sweep = () => sweepUploads.run(desk.app.system, {}, { id, attempt: 1, lastAttempt: true, signal: AbortSignal.timeout(60_000) })
    await sweep()
    expect(await stored()).toEqual([{ layout: null }])
    expect((await call().post(`/api/v1/downloads/${id}/again`, {})).body.data.status).toBe('accessible')
    await expireAt(Date.now() - ARCHIVE_LISTED_MS - 1_000)
    expect((await downloads()).map((listed: { id: string }) => listed.id)).not.toContain(id)
    await sweep()
    expect(await stored()).toEqual([])
  })

  it('are the same archive for the same request while it is being prepared', async () => {
    const { id: file } = await add('one.pdf')
    const { id } = (await action({ action: 'archive' })).body.data
    await desk.app.system.db.updateTable('archives').set({ status: 'processing' }).where('id', '=', id).execute()
    expect((await action({ action: 'archive' })).body.data.id).toBe(id)
    expect((await action({ action: 'archive', files: [file] })).body.data.id).not.toBe(id)
    expect(await downloads()).toHaveLength(2)
  })

  it('are limited to some a minute', async () => {
    await add('one.pdf')
    const answers = await Promise.all(Array.from({ length: 50 }, () => action({ action: 'document_list' })))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(ARCHIVES_PER_MINUTE)
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(50 - ARCHIVES_PER_MINUTE)
    expect(await downloads()).toHaveLength(ARCHIVES_PER_MINUTE)
  })
})

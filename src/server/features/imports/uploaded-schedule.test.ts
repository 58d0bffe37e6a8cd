import { beforeEach, expect, test } from 'vitest'
import { SOV, begin, commit, settled, type Desk } from '#server/testing/factories/import-flow.ts'
import { makeAccount } from '#server/testing/factories/accounts.ts'
import { makeUser } from '#server/testing/factories/people.ts'
import { deskForEachTest } from '#server/testing/desk.fixture.ts'

const desk = deskForEachTest()

let shared: Desk
let carrierId: string
let colleagueId: string
beforeEach(async () => {
  const { app, userId } = desk
  const { companyId } = await app.system.db
    .selectFrom('users')
    .select('company_id as companyId')
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()
  const carrier = await makeUser(app.system, { role: 'carrier' })
  const colleague = await makeUser(app.system, { role: 'broker' })
  const users = [userId, carrier.id, colleague.id]
  const account = await makeAccount(app.system, { companyId, carrierCompanyId: carrier.companyId, users })
  shared = { app, userId, accountId: account.id }
  carrierId = carrier.id
  colleagueId = colleague.id
})

/** Uploads the file to the shared account and imports it up to the preview. */
async function beginUpload(userId: string, name = 'Upload.csv') {
  const { app, accountId } = shared
  const key = `accounts/${accountId}/upload-1`
  await app.system.storage.put(key, SOV, { contentType: 'text/csv' })
  const upload = { key, account_id: accountId, user_id: userId, file_name: name, content_type: 'text/csv', size: SOV.length }
  await app.system.db
    .insertInto('uploads')
    .values({ ...upload, expires_at: new Date(Date.now() + 60_000) })
    .execute()
  const answer = await app.as(userId).post(`/api/v1/properties/import/${accountId}`, { source: { key } })
  expect(answer.status).toBe(201)
  return settled(shared, answer.body.data.id)
}

const filesSeenBy = async (userId: string): Promise<string[]> => {
  const { body } = await shared.app.as(userId).get(`/api/v1/account_files?filter__account_id=${shared.accountId}`)
  return body.data.map(({ file }: { file: { file: { original_file_name: string } } }) => file.file.original_file_name)
}

const undo = (id: string) => shared.app.as(shared.userId).delete(`/api/v1/properties/import/${id}`)
const importAgain = async (fileId: string | null) => {
  const { app, userId, accountId } = shared
  const again = await app.as(userId).post(`/api/v1/properties/import/${accountId}`, { source: { file_id: fileId } })
  return settled(shared, again.body.data.id)
}

test('an uploaded schedule is visible to other companies only after the commit', async () => {
  const data = await beginUpload(shared.userId)
  expect(await filesSeenBy(shared.userId)).toEqual(['Upload.csv'])
  expect(await filesSeenBy(carrierId)).toEqual([])
  expect((await commit(shared, data)).status).toBe(200)
  expect(await filesSeenBy(carrierId)).toEqual(['Upload.csv'])
})

test('a canceled import leaves its upload private, and a later import of the document discloses it', async () => {
  const data = await beginUpload(shared.userId)
  await undo(data.id)
  expect(await filesSeenBy(carrierId)).toEqual([])
  await commit(shared, await importAgain(data.file_id))
  expect(await filesSeenBy(carrierId)).toEqual(['Upload.csv'])
})

const privacyLines = async (): Promise<string[]> => {
  const rows = await shared.app.system.db
    .selectFrom('activities')
    .select('message')
    .where('account_id', '=', shared.accountId)
    .orderBy('id')
    .execute()
  return rows.map(({ message }) => message).filter((message) => message.includes('private'))
}

test('an undo makes a schedule private again that the commit disclosed, and the next import discloses it', async () => {
  const data = await beginUpload(shared.userId)
  await commit(shared, data)
  expect((await undo(data.id)).body.data.state).toBe('undone')
  expect(await filesSeenBy(carrierId)).toEqual([])
  expect(await filesSeenBy(shared.userId)).toEqual(['Upload.csv'])
  expect(await privacyLines()).toEqual([
    expect.stringMatching(/^Upload\.csv is no longer private: .+ imported it$/),
    expect.stringMatching(/^Upload\.csv is private again: .+ undid its import$/),
  ])
  await commit(shared, await importAgain(data.file_id))
  expect(await filesSeenBy(carrierId)).toEqual(['Upload.csv'])
})

test('the undo of a later import of a disclosed schedule leaves it disclosed', async () => {
  const data = await beginUpload(shared.userId)
  await commit(shared, data)
  await shared.app.system.db.updateTable('account_properties').set({ city: 'Elsewhere', version: 2 }).execute()
  const later = await importAgain(data.file_id)
  expect((await commit(shared, later)).status).toBe(200)
  expect((await undo(later.id)).body.data.state).toBe('undone')
  expect(await filesSeenBy(carrierId)).toEqual(['Upload.csv'])
})

test('a schedule that a user made private before the undo is not disclosed by the next import', async () => {
  const { app, userId, accountId } = shared
  const data = await beginUpload(userId)
  await commit(shared, data)
  await app.as(userId).patch(`/api/v1/accounts/${accountId}/files/${data.file_id}`, { private: true })
  await undo(data.id)
  await commit(shared, await importAgain(data.file_id))
  expect(await filesSeenBy(carrierId)).toEqual([])
})

test('a commit does not disclose a document that a user made private', async () => {
  const { app, userId, accountId } = shared
  const data = await begin(shared, SOV, 'Register.csv')
  const hide = (id: string | null) => app.as(userId).patch(`/api/v1/accounts/${accountId}/files/${id}`, { private: true })
  expect((await hide(data.file_id)).status).toBe(200)
  expect((await commit(shared, data)).status).toBe(200)
  expect(await filesSeenBy(carrierId)).toEqual([])
})

test('a user of another company can import an upload, although private documents are hidden from that company', async () => {
  const client = await makeUser(shared.app.system, { role: 'client' })
  await shared.app.system.db.insertInto('account_users').values({ account_id: shared.accountId, user_id: client.id }).execute()
  const data = await beginUpload(client.id)
  expect(await filesSeenBy(client.id)).toEqual([])
  expect((await commit(shared, data)).status).toBe(200)
  expect(await filesSeenBy(client.id)).toEqual(['Upload.csv'])
})

/** A document that the broker keeps private, imported up to the preview. */
async function beginPrivate() {
  const { app, userId, accountId } = shared
  const upload = await beginUpload(userId, 'Internal pricing.csv')
  await app.as(userId).delete(`/api/v1/properties/import/${upload.id}`)
  await app.system.db.updateTable('uploads').set({ purpose: 'document' }).execute()
  const answer = await app.as(userId).post(`/api/v1/properties/import/${accountId}`, { source: { file_id: upload.file_id } })
  return settled(shared, answer.body.data.id)
}

const importPath = (id: string) => `/api/v1/properties/import/${id}`
const history = async (userId: string) => (await shared.app.as(userId).get(`${importPath(shared.accountId)}/history`)).body.data
const sourceOf = async (userId: string) => {
  const as = shared.app.as(userId)
  const { body } = await as.get(`/api/v1/account_properties?filter__account_id=${shared.accountId}`)
  return (await as.get(`/api/v1/account_properties/${body.data[0].id}`)).body.data.sources.city.ref
}

test('an import of a private document and its name are hidden from users who do not see the document', async () => {
  const data = await beginPrivate()
  const as = shared.app.as(colleagueId)
  const [path, body] = [importPath(data.id), { version: data.version }]
  for (const call of [as.get(path), as.get(`${path}/rows`), as.put(path, body), as.post(`${path}/commit`, body), as.delete(path)])
    expect((await call).status).toBe(404)
  expect(await history(colleagueId)).toEqual([])
  expect((await commit(shared, data)).status).toBe(200)
  expect((await history(shared.userId)).map(({ state }: { state: string }) => state)).toEqual(['committed', 'cancelled'])
  expect(await history(colleagueId)).toEqual([])
  expect(await sourceOf(shared.userId)).toMatch(/^Internal pricing\.csv, cell /)
  expect(await sourceOf(colleagueId)).toBeNull()
})

test('a permanently deleted document leaves neither its name nor its cells in its imports, which can still be undone', async () => {
  const { app, userId } = shared
  const data = await beginUpload(userId)
  await commit(shared, data)
  const again = await app.as(userId).post(importPath(shared.accountId), { source: { file_id: data.file_id } })
  await settled(shared, again.body.data.id)
  const file = { body: { selectedIds: [data.file_id] } }
  await app.as(userId).delete('/api/v1/account_files', file.body)
  expect((await app.as(userId).delete('/api/v1/account_files', { ...file.body, force: true })).status).toBe(200)
  const after = await history(userId)
  expect(after.map(({ file_name, state }: { file_name: string; state: string }) => [file_name, state])).toEqual([
    ['A deleted document', 'cancelled'],
    ['A deleted document', 'committed'],
  ])
  expect(JSON.stringify((await app.as(userId).get(importPath(data.id))).body)).not.toContain('Upload.csv')
  const rows: { cells: unknown[] }[] = (await app.as(userId).get(`${importPath(data.id)}/rows`)).body.data
  expect(rows.flatMap(({ cells }) => cells)).toEqual([])
  expect(await sourceOf(userId)).toBeNull()
  expect((await app.as(userId).delete(importPath(data.id))).body.data.state).toBe('undone')
})

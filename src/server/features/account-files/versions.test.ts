import { beforeEach, expect, it } from 'vitest'
import { FILE_VERSIONS_MAX } from '#contract/limits.ts'
import { makeAccount, makeProperty } from '#server/testing/factories/accounts.ts'
import { makeFile } from '#server/testing/factories/files.ts'
import { makeUser } from '#server/testing/factories/people.ts'
import { testBroker } from '#server/testing/tenants.fixture.ts'

const { app, broker, ctx } = await testBroker()
let accountId: string

beforeEach(async () => {
  accountId = (await makeAccount(app.system, { companyId: broker.companyId })).id
})

const path = (id: string, rest = '') => `/api/v1/accounts/${accountId}/files/${id}${rest}`
const shown = async (id: string) => (await app.as(broker.id).get(path(id))).body.data
const versions = async (id: string, user = broker.id) => (await app.as(user).get(path(id, '/versions'))).body.data
const total = async () => {
  const { data } = (await app.as(broker.id).get(`/api/v1/accounts/${accountId}`)).body
  return [data.files.total, data.files.size.total]
}
const bytesAt = async (url: string) => (await app.api.server.inject({ method: 'GET', url })).rawPayload.toString()
const text = (content: string) => ({ bytes: Buffer.from(content) })

it('a new version replaces the bytes of a document and keeps its id, name, flags and links', async () => {
  const property = await makeProperty(app.system, accountId)
  const file = await makeFile(ctx, accountId, {
    name: 'Roof.txt',
    private: true,
    category: 'roof',
    property_ids: [property.id],
    ...text('one'),
  })
  await app.as(broker.id).patch(path(file.id), { vanity_name: 'Roof survey' })
  await makeFile(ctx, accountId, { name: 'Roof final.csv', contentType: 'text/csv', replaces: file.id, ...text('second') })
  const after = await shown(file.id)
  expect(after).toMatchObject({ vanity_name: 'Roof survey', private: true, category: 'roof', propertyIds: [property.id], file_number: 2 })
  expect(after.file).toEqual({ original_file_name: 'Roof.csv', type: 'text/csv', size: 6 })
  expect(await bytesAt(after.url)).toBe('second')
  expect(await total()).toEqual([1, 6])
})

it('the versions are listed with name, size and user, newest first, and each can be opened', async () => {
  const file = await makeFile(ctx, accountId, { name: 'Roof.txt', ...text('one') })
  expect(await versions(file.id)).toMatchObject([{ number: 1, is_current: true, file_name: 'Roof.txt' }])
  await makeFile(ctx, accountId, { name: 'Roof v2.txt', replaces: file.id, ...text('second') })
  expect(await versions(file.id)).toMatchObject([
    { number: 2, is_current: true, file_name: 'Roof v2.txt', size: 6, created_by: { email: broker.email } },
    { number: 1, is_current: false, file_name: 'Roof.txt', size: 3 },
  ])
  for (const call of ['preview', 'download']) {
    const { body } = await app.as(broker.id).get(path(file.id, `/versions/1/${call}`))
    expect(await bytesAt(body.data.url)).toBe('one')
  }
  expect((await app.as(broker.id).get(path(file.id, '/versions/3/preview'))).status).toBe(404)
})

it('an earlier version becomes the current one again, and none is lost', async () => {
  const file = await makeFile(ctx, accountId, { name: 'Roof.txt', ...text('one') })
  await makeFile(ctx, accountId, { replaces: file.id, ...text('second') })
  expect((await app.as(broker.id).post(path(file.id, '/versions/1/current'))).body.message).toBe('Version 1 is the current one.')
  expect(await bytesAt((await shown(file.id)).url)).toBe('one')
  await makeFile(ctx, accountId, { replaces: file.id, ...text('third!!') })
  expect((await versions(file.id)).map(({ number }: { number: number }) => number)).toEqual([3, 2, 1])
  expect(await bytesAt((await shown(file.id)).url)).toBe('third!!')
  const lines = (await app.as(broker.id).get(`/api/v1/account_files/${file.id}/activity`)).body.data
  const messages = lines.map(({ message }: { message: string }) => message)
  expect(messages.some((line: string) => line.endsWith('made version 1 of Roof.txt the current one'))).toBe(true)
  expect(messages.some((line: string) => line.endsWith('uploaded version 3 of Roof.txt'))).toBe(true)
})

it('two versions that are added at the same time are both stored', async () => {
  const file = await makeFile(ctx, accountId, text('one'))
  await Promise.all(['a', 'bb', 'ccc'].map((content) => makeFile(ctx, accountId, { replaces: file.id, ...text(content) })))
  const stored: { number: number; size: number }[] = await versions(file.id)
  expect(stored.map(({ number }) => number)).toEqual([4, 3, 2, 1])
  expect(stored.map(({ size }) => size).sort((left, right) => left - right)).toEqual([1, 2, 3, 3])
})

it('the same file again is not a new version', async () => {
  const file = await makeFile(ctx, accountId, { name: 'Roof.txt', ...text('one') })
  await expect(makeFile(ctx, accountId, { name: 'Copy.txt', replaces: file.id, ...text('one') })).rejects.toThrow(
    /same content as the current/,
  )
  expect(await versions(file.id)).toHaveLength(1)
})

it('a version cannot be added with values of its own, to a hidden document, or beyond the limit', async () => {
  const file = await makeFile(ctx, accountId, text('one'))
  await expect(makeFile(ctx, accountId, { replaces: file.id, sov: true, ...text('two') })).rejects.toThrow()
  const client = await makeUser(app.system, { role: 'client' })
  await app.system.db.insertInto('account_users').values({ account_id: accountId, user_id: client.id }).execute()
  const hidden = await makeFile(ctx, accountId, { private: true, ...text('hidden') })
  const asClient = { ...app.system, viewer: await app.viewer(client.id) }
  await expect(makeFile(asClient, accountId, { replaces: hidden.id, ...text('two') })).rejects.toThrow()
  expect((await app.as(client.id).get(path(hidden.id, '/versions'))).status).toBe(404)
  const added = { account_id: accountId, file_id: file.id, file_name: 'a', content_type: 'text/plain', size: 1, created_at: new Date() }
  await app.system.db
    .insertInto('file_versions')
    .values({ ...added, number: FILE_VERSIONS_MAX, storage_key: `accounts/${accountId}/last` })
    .execute()
  await expect(makeFile(ctx, accountId, { replaces: file.id, ...text('two') })).rejects.toThrow(/the limit for one document/)
})

it('a document with the name of another one becomes its new version on request', async () => {
  const file = await makeFile(ctx, accountId, { name: 'Roof.txt', private: true, ...text('one') })
  const added = await makeFile(ctx, accountId, { name: 'ROOF.txt', ...text('second') })
  const { body, status } = await app.as(broker.id).post(path(file.id, '/versions'), { from: added.id })
  expect([status, body.data.file_number, body.data.private]).toEqual([200, 2, true])
  expect((await app.as(broker.id).get(path(added.id))).status).toBe(404)
  expect(await bytesAt((await shown(file.id)).url)).toBe('second')
  expect(await total()).toEqual([1, 6])
})

it('only the user who uploaded a document can make it a version of another one', async () => {
  const colleague = await makeUser(app.system, { companyId: broker.companyId })
  const file = await makeFile(ctx, accountId, text('one'))
  const added = await makeFile(ctx, accountId, text('second'))
  expect((await app.as(colleague.id).post(path(file.id, '/versions'), { from: added.id })).status).toBe(403)
  expect((await app.as(broker.id).post(path(file.id, '/versions'), { from: file.id })).status).toBe(409)
})

it('the store loses all versions of a document that is permanently deleted, and only then', async () => {
  const file = await makeFile(ctx, accountId, text('one'))
  const second = await makeFile(ctx, accountId, { replaces: file.id, ...text('second') })
  await app.as(broker.id).delete('/api/v1/account_files', { ids: [file.id] })
  const pending = () =>
    app.system.db.selectFrom('uploads').select('key').where('account_id', '=', accountId).where('registered_at', 'is', null).execute()
  expect(await pending()).toEqual([])
  expect((await app.as(broker.id).delete('/api/v1/account_files', { ids: [file.id], force: true })).status).toBe(200)
  expect((await pending()).map(({ key }) => key).sort()).toEqual([file.key, second.key].sort())
})

it('an archive that is ready when a document gets a new version still has the former file', async () => {
  const file = await makeFile(ctx, accountId, text('one'))
  const { body } = await app.as(broker.id).post(`/api/v1/accounts/${accountId}/files/action`, { action: 'archive', files: [file.id] })
  await makeFile(ctx, accountId, { replaces: file.id, ...text('second') })
  const url = (await app.as(broker.id).get(path(body.data.id))).body.data.url ?? body.data.url
  const answer = await app.api.server.inject({ method: 'GET', url })
  expect([answer.statusCode, answer.rawPayload.includes('one')]).toEqual([200, true])
})

it('people from outside do not see by which file a document was replaced', async () => {
  const file = await makeFile(ctx, accountId, { name: 'Roof.txt', sov: false, ...text('one') })
  await makeFile(ctx, accountId, { name: 'Roof corrected.txt', replaces: file.id, ...text('two') })
  const { body } = await app
    .as(broker.id)
    .post('/api/v1/account_invites', { account_id: accountId, role: 'invite_guest', email: 'a@buyer.example' })
  const { token } = (await app.anonymous.post('/api/v1/account_invites/accept', { invite_id: body.data.invite_id })).body
  const seen = (await app.bearing(`Bearer ${token}`).get(path(file.id, '/versions'))).body.data
  expect(seen).toMatchObject([{ number: 1, is_current: true, file_name: 'Roof.txt' }])
  expect((await versions(file.id))[0]).toMatchObject({ number: 2, file_name: 'Roof corrected.txt' })
})

it('a former version, which may have been private, is not shown to a user of another company', async () => {
  const file = await makeFile(ctx, accountId, { name: 'Contract.txt', private: true, ...text('secret') })
  await makeFile(ctx, accountId, { name: 'Contract.txt', replaces: file.id, ...text('redacted') })
  await app.as(broker.id).patch(path(file.id), { private: false })
  const client = await makeUser(app.system, { role: 'client' })
  await app.system.db.insertInto('account_users').values({ account_id: accountId, user_id: client.id }).execute()
  expect(await versions(file.id, client.id)).toMatchObject([{ number: 2, is_current: true }])
  const answers = ['preview', 'sheet', 'download'].map((call) => app.as(client.id).get(path(file.id, `/versions/1/${call}`)))
  expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([404, 404, 404])
  expect((await app.as(client.id).post(path(file.id, '/versions/1/current'), {})).status).toBe(404)
  expect(await versions(file.id)).toHaveLength(2)
})

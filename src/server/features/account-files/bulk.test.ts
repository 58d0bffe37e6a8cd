import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { makeAccount, makeProperty } from '#server/testing/factories/accounts.ts'
import { makeFile } from '#server/testing/factories/files.ts'
import { makeUser } from '#server/testing/factories/people.ts'
import { makeUserWithout, testBroker } from '#server/testing/tenants.fixture.ts'

const { app, broker, ctx } = await testBroker()
const { id: accountId } = await makeAccount(app.system, { companyId: broker.companyId })

const act = (body: object) => app.as(broker.id).post(`/api/v1/accounts/${accountId}/files/action`, body)
const shown = async (id: string) => (await app.as(broker.id).get(`/api/v1/accounts/${accountId}/files/${id}`)).body.data
const twoFiles = async () => [await makeFile(ctx, accountId, { private: true }), await makeFile(ctx, accountId)] as const

it('a bulk flag answers the previous values of the documents that it changed, and these restore it', async () => {
  const [hidden, open] = await twoFiles()
  const { body } = await act({ action: 'set_private', files: [hidden.id, open.id] })
  expect(body.before).toEqual([{ id: open.id, version: 2, private: false }])
  const restored = await act({ action: 'restore_values', before: body.before })
  expect([restored.status, restored.body.message]).toEqual([200, 'The change was undone.'])
  expect([(await shown(hidden.id)).private, (await shown(open.id)).private]).toEqual([true, false])
})

it('category and report date are set for many documents and restored', async () => {
  const [one, two] = await twoFiles()
  const fields = { category: 'application', report_author_date: '2026-01-31' }
  const { body } = await act({ action: 'set_values', files: [one.id, two.id], fields })
  expect(await shown(two.id)).toMatchObject({ ...fields, sov: true })
  await act({ action: 'restore_values', before: body.before })
  expect(await shown(two.id)).toMatchObject({ category: 'other', report_author_date: null, sov: false })
})

it.each([
  ['add', 'The documents were linked.'],
  ['replace', 'The links were replaced.'],
  ['remove', 'The links were removed.'],
])('links changed by %s are restored for each document', async (mode, message) => {
  const [one, two] = await twoFiles()
  const [a, b] = [(await makeProperty(app.system, accountId)).id, (await makeProperty(app.system, accountId)).id]
  await act({ action: 'assign_properties', files: [one.id], input: { properties: [a], mode: 'add' } })
  const chosen = mode === 'remove' ? a : b
  const { body } = await act({ action: 'assign_properties', files: [one.id, two.id], input: { properties: [chosen], mode } })
  expect(body.message).toBe(message)
  expect(new Set(body.before.map(({ id }: { id: string }) => id))).toEqual(new Set(mode === 'remove' ? [one.id] : [one.id, two.id]))
  await act({ action: 'restore_values', before: body.before })
  expect([(await shown(one.id)).propertyIds, (await shown(two.id)).propertyIds]).toEqual([[a], []])
})

it('a document that was changed since is not restored, and neither are the others', async () => {
  const [one, two] = await twoFiles()
  const { body } = await act({ action: 'set_sov', files: [one.id, two.id] })
  await app.as(broker.id).patch(`/api/v1/accounts/${accountId}/files/${two.id}`, { vanity_name: 'New name' })
  const rejected = await act({ action: 'restore_values', before: body.before })
  expect([rejected.status, rejected.body.message]).toEqual([409, 'One of the documents was changed since, so nothing was undone.'])
  expect((await shown(one.id)).sov).toBe(true)
})

it('a document that is made private makes the scores of its account out of date', async () => {
  const { id } = await makeFile(ctx, accountId, { private: false, sov: false, category: 'appraisal' })
  const state = () => app.system.db.selectFrom('check_states').selectAll().where('account_id', '=', accountId).execute()
  const before = await state()
  await act({ action: 'set_private', files: [id] })
  expect(await state()).not.toEqual(before)
})

it('values of a foreign document cannot be restored', async () => {
  const elsewhere = await makeUser(app.system)
  const own = await makeAccount(app.system, { companyId: elsewhere.companyId })
  const foreign = await makeFile({ ...app.system, viewer: await app.viewer(elsewhere.id) }, own.id)
  expect((await act({ action: 'restore_values', before: [{ id: foreign.id, private: true }] })).status).toBe(404)
})

const ON_SELECTION = [
  { action: 'archive' },
  { action: 'set_private' },
  { action: 'set_values', fields: { category: 'lease' } },
  { action: 'assign_properties', input: { properties: [], mode: 'add' } },
]

it.each([...ON_SELECTION, { action: 'delete' }])('the action $action on documents that do not exist finds no files', async (body) => {
  const known = await makeFile(ctx, accountId)
  const call = (ids: string[]) =>
    body.action === 'delete' ? app.as(broker.id).delete(`/api/v1/accounts/${accountId}/files`, { ids }) : act({ ...body, files: ids })
  const [none, one] = [await call([randomUUID(), randomUUID()]), await call([known.id, randomUUID()])]
  expect([none.status, none.body.message]).toEqual([404, 'Files not found.'])
  expect([one.status, one.body.message]).toEqual([404, 'One of the documents was not found.'])
})

it.each([
  ['archive', {}],
  ['document_list', {}],
  ['set_private', {}],
  ['set_values', { fields: { category: 'lease' } }],
])('the action %s on selected documents needs the permission for actions of the list', async (action, more) => {
  const { id } = await makeFile(ctx, accountId, { private: false, sov: false })
  const { id: userId } = await makeUserWithout(app, 'view_account_files_datatable_actions', broker.companyId)
  const call = (body: object) => app.as(userId).post(`/api/v1/accounts/${accountId}/files/action`, { action, ...more, ...body })
  expect((await call({ files: [id] })).status).toBe(403)
  expect((await act({ action, ...more, files: [id] })).status).toBe(200)
  // All documents are a download of the account, not a selection.
  expect((await call({ files: 'all' })).status).toBe(action === 'archive' || action === 'document_list' ? 200 : 403)
})

it.each([
  ['another action in the query', '?action=archive', { action: 'set_private' }],
  ['another action in params', '', { action: 'set_sov', params: { action: 'archive' } }],
  ['the input of another action', '', { action: 'set_private', input: { properties: [], mode: 'add' } }],
  ['fields of another action', '', { action: 'set_private', fields: { category: 'lease' } }],
])('an action with %s is rejected', async (_what, query, body) => {
  const [, open] = await twoFiles()
  const path = `/api/v1/accounts/${accountId}/files/action${query}`
  expect((await app.as(broker.id).post(path, { ...body, files: [open.id] })).status).toBe(400)
  expect((await shown(open.id)).private).toBe(false)
})

it('an action that is repeated in the query is run', async () => {
  const [, open] = await twoFiles()
  const path = `/api/v1/accounts/${accountId}/files/action?action=set_private`
  expect((await app.as(broker.id).post(path, { action: 'set_private', files: [open.id] })).status).toBe(200)
})

import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Context } from '#server/engines/context.ts'
import { testApp, type TestApp } from '#server/testing/app.ts'
import { makeAccount } from '#server/testing/factories/accounts.ts'
import { makeFile } from '#server/testing/factories/files.ts'
import { makeUser } from '#server/testing/factories/people.ts'

let app: TestApp
let accountId: string
let ownAccountId: string
let ownCompanyId: string
let client: Context

beforeAll(async () => {
  app = await testApp()
  const broker = await makeUser(app.system)
  const { id, companyId } = await makeUser(app.system, { role: 'client' })
  accountId = (await makeAccount(app.system, { companyId: broker.companyId, users: [id] })).id
  ownAccountId = (await makeAccount(app.system, { companyId })).id
  ownCompanyId = companyId
  client = { ...app.system, viewer: await app.viewer(id) }
})
afterAll(() => app.stop())

const as = () => app.as(client.viewer.kind === 'user' ? client.viewer.userId : '')
const filesOf = (account: string, path = '') => `/api/v1/accounts/${account}/files${path}`
const WHY = 'You would no longer see the document. Ask the company that owns this account to make it private.'

it('a user who does not see the private documents of an account cannot make one private', async () => {
  const { id } = await makeFile(client, accountId)
  const answers = [
    await as().patch(filesOf(accountId, `/${id}`), { private: true, vanity_name: 'Lost' }),
    await as().post(filesOf(accountId, '/action'), { action: 'set_private', files: [id] }),
    await as().post(filesOf(accountId, '/action'), { action: 'restore_values', before: [{ id, private: true }] }),
  ]
  expect(answers.map(({ status, body }) => [status, body.message])).toEqual(answers.map(() => [403, WHY]))
  const shown = await as().get(filesOf(accountId, `/${id}`))
  expect(shown.body.data).toMatchObject({ private: false, vanity_name: null })
  expect((await as().patch(filesOf(accountId, `/${id}`), { private: false, vanity_name: 'Renamed' })).status).toBe(200)
})

it('an upload of such a user is private because of its category only, and says that it is hidden', async () => {
  const file = { name: 'Roof.pdf', size: 4, type: 'application/pdf' }
  const upload = { file, s3ObjectLocation: 'accounts/upload', account_id: accountId, private: true }
  expect((await as().post('/api/v1/account_files', upload)).body.message).toBe(WHY)
  const { id, hidden } = await makeFile(client, accountId, { category: 'financial' })
  expect(hidden).toBe(true)
  expect((await as().get(filesOf(accountId, `/${id}`))).status).toBe(404)
  const own = await makeFile(client, ownAccountId, { category: 'financial' })
  expect(own.hidden).toBe(false)
  expect((await as().get(filesOf(ownAccountId, `/${own.id}`))).body.data.private).toBe(true)
})

it('financial statements of an upload-only user are private, too', async () => {
  const { id: userId } = await makeUser(app.system, { role: 'upload_only' })
  const { id: sharedId } = await makeAccount(app.system, { companyId: ownCompanyId, users: [userId] })
  const uploader = { ...app.system, viewer: await app.viewer(userId) }
  const { id, hidden } = await makeFile(uploader, sharedId, { category: 'financial' })
  expect(hidden).toBe(true)
  expect((await as().get(filesOf(sharedId, `/${id}`))).body.data).toMatchObject({ category: 'financial', private: true })
  expect((await app.as(userId).get(filesOf(sharedId, `/${id}`))).status).toBe(404)
  expect((await makeFile(uploader, sharedId, { category: 'other' })).hidden).toBe(false)
})

it('the account says whether its documents can be made private', async () => {
  const features = async (account: string) => (await as().get(`/api/v1/accounts/${account}`)).body.data.accessible_features
  expect(await features(accountId)).toMatchObject({ make_private: false })
  expect(await features(ownAccountId)).toMatchObject({ make_private: true })
  const { id } = await makeFile(client, ownAccountId)
  expect((await as().patch(filesOf(ownAccountId, `/${id}`), { private: true })).status).toBe(200)
})

import { readFile } from 'node:fs/promises'
import { beforeEach, expect, it } from 'vitest'
import { makeAccount } from '#server/testing/factories/accounts.ts'
import { makeFile } from '#server/testing/factories/files.ts'
import { makeUser } from '#server/testing/factories/people.ts'
import { testTenant } from '#server/testing/tenants.fixture.ts'

const { app, tenant, owner, ownerCtx } = await testTenant()

let account: string
let other: string
beforeEach(async () => {
  other = (await makeUser(app.system, { role: 'client' })).id
  account = (await makeAccount(app.system, { companyId: tenant.company.id, users: [other] })).id
})

const uploads = async (path: string, user = owner): Promise<string[]> =>
  (await user.get(`/api/v1/${path}/activity?paginate=100`)).body.data
    .filter((line: { class: string }) => line.class === 'uploaded')
    .map(({ message }: { message: string }) => message)
const ofFile = (id: string, user = owner) => uploads(`account_files/${id}`, user)
const ofAccount = (user = owner) => uploads(`accounts/${account}`, user)
const linesAbout = (ids: readonly string[]) => app.asOwner('SELECT message FROM activities WHERE model_id = ANY($1)', [ids])
const make = async (options: Parameters<typeof makeFile>[2] = {}) => (await makeFile(ownerCtx, account, options)).id

const OWN = 'Pat Zanzibar uploaded the document'

it('each of several documents that were uploaded together shows its upload, the account shows one line for all', async () => {
  const files = [await make(), await make(), await make()]
  expect(await Promise.all(files.map((id) => ofFile(id)))).toEqual([[OWN], [OWN], [OWN]])
  expect(await ofAccount()).toEqual(['Pat Zanzibar uploaded 3 documents'])
})

it('private documents show their own upload, which is neither shown nor counted to others', async () => {
  const shown = [await make(), await make()]
  const hidden = [await make({ private: true }), await make({ private: true })]
  expect(await Promise.all([...shown, ...hidden].map((id) => ofFile(id)))).toEqual([[OWN], [OWN], [OWN], [OWN]])
  expect(await ofAccount()).toEqual(['Pat Zanzibar uploaded 2 documents', 'Pat Zanzibar uploaded 2 documents'])
  const client = app.as(other)
  expect(await ofAccount(client)).toEqual(['Pat Zanzibar uploaded 2 documents'])
  expect(await Promise.all(shown.map((id) => ofFile(id, client)))).toEqual([[OWN], [OWN]])
  for (const id of hidden) expect((await client.get(`/api/v1/account_files/${id}/activity`)).status).toBe(404)
})

it('a document that is made private later is not mentioned in the panels of those it was uploaded with', async () => {
  const [first, second] = [await make(), await make()]
  expect((await owner.patch(`/api/v1/accounts/${account}/files/${first}`, { private: true })).status).toBe(200)
  const { data } = (await app.as(other).get(`/api/v1/account_files/${second}/activity`)).body
  expect(data.map(({ message }: { message: string }) => message)).toEqual([OWN])
})

it('a private document shows its upload after another one of the same upload is permanently deleted', async () => {
  const [first, second] = [await make({ private: true }), await make({ private: true })]
  await owner.delete('/api/v1/account_files', { ids: [first] })
  expect((await owner.delete('/api/v1/account_files', { ids: [first], force: true })).status).toBe(200)
  expect(await ofFile(second)).toEqual([OWN])
  expect((await linesAbout([first])).map(({ message }) => message)).not.toContain(OWN)
})

it('a document that becomes a version of another one leaves no line of its upload', async () => {
  const [first, second] = [await make(), await make()]
  expect((await owner.post(`/api/v1/accounts/${account}/files/${first}/versions`, { from: second })).status).toBe(200)
  expect(await linesAbout([second])).toEqual([])
  expect(await ofFile(first)).toContain(OWN)
})

it('the lines of documents are deleted with their account', async () => {
  const files = [await make(), await make({ private: true })]
  const admin = app.as((await makeUser(app.system, { role: 'admin' })).id)
  await admin.delete('/api/v1/accounts', { ids: [account] })
  expect((await admin.delete('/api/v1/accounts', { ids: [account], force: true })).status).toBe(200)
  expect(await linesAbout(files)).toEqual([])
})

it('documents from before have their own line after an update', async () => {
  const files = [await make(), await make()]
  await app.asOwner(`DELETE FROM activities WHERE model_id = ANY($1) AND account_id IS NULL`, [files])
  await app.asOwner(`UPDATE activities SET model_id = $1 WHERE model_id = $2 AND class = 'uploaded'`, [files[0], account])
  expect(await ofFile(files[1] ?? '')).toEqual([])
  const migration = new URL('../../db/migrations/082-uploads-of-documents.sql', import.meta.url)
  await app.asOwner(await readFile(migration, 'utf8'))
  expect(await Promise.all(files.map((id) => ofFile(id)))).toEqual([[OWN], [OWN]])
  expect(await ofAccount()).toEqual(['Pat Zanzibar uploaded 2 documents'])
})

it('an archive of chosen documents does not count private ones for users who do not see them', async () => {
  const files = [await make(), await make(), await make({ private: true })]
  const { body } = await owner.post(`/api/v1/accounts/${account}/files/action`, { action: 'archive', files })
  expect((await owner.get(body.data.url)).status).toBe(200)
  const downloads = async (user = owner) =>
    (await user.get(`/api/v1/accounts/${account}/activity?paginate=100`)).body.data
      .filter((line: { class: string }) => line.class === 'downloaded')
      .map(({ message }: { message: string }) => message)
  expect([(await downloads()).toSorted(), await downloads(app.as(other))]).toEqual([
    ['Pat Zanzibar downloaded 1 document', 'Pat Zanzibar downloaded 2 documents'],
    ['Pat Zanzibar downloaded 2 documents'],
  ])
})

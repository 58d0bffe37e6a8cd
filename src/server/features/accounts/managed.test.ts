import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { HAND_OVER_MS } from '#contract/managed.ts'
import type { Context } from '#server/engines/context.ts'
import { mailNotification } from '#server/engines/notification/mail-notifications.job.ts'
import { testApp, type TestApp } from '#server/testing/app.ts'
import { queuedMails } from '#server/testing/clients.fixture.ts'
import { makeAccount } from '#server/testing/factories/accounts.ts'
import { makeFile } from '#server/testing/factories/files.ts'
import { makeCompany, makeUser, subscribe } from '#server/testing/factories/people.ts'
import { handOverUploads } from './hand-over.commands.ts'

let app: TestApp
let staff: Awaited<ReturnType<typeof makeUser>>
beforeAll(async () => {
  app = await testApp()
})
afterAll(() => app.stop())
beforeEach(async () => {
  staff = await makeUser(app.system, { role: 'provider' })
})

const RUN = { id: 'job', attempt: 1, lastAttempt: false, signal: new AbortController().signal }

async function makeScene(type: 'managed' | 'standard' = 'managed') {
  const company = await makeCompany(app.system)
  const owner = await makeUser(app.system, { companyId: company.id, role: 'client' })
  const uploader = await makeUser(app.system, { companyId: company.id, role: 'upload_only' })
  const { id } = await makeAccount(app.system, { companyId: company.id, name: 'Pier Nine', type, users: [uploader.id] })
  return { company, owner, uploader, id }
}
const contextOf = async (userId: string): Promise<Context> => ({ ...app.system, viewer: await app.viewer(userId) })
const put = (userId: string, id: string, body: object) => app.as(userId).put(`/api/v1/accounts/${id}`, body)
const handOver = (userId: string, id: string) => app.as(userId).post(`/api/v1/accounts/${id}/hand-over`)
const receipt = async (userId: string, id: string) => (await app.as(userId).get(`/api/v1/accounts/${id}/receipt`)).body.data
const show = async (userId: string, id: string) => (await app.as(userId).get(`/api/v1/accounts/${id}`)).body.data
const notifications = async (userId: string): Promise<{ type: string; message: string; id: string }[]> =>
  (await app.as(userId).get('/api/v1/notifications?view=unread')).body.data
const activity = async (id: string) =>
  (await app.system.db.selectFrom('activities').select('message').where('account_id', '=', id).execute()).map(({ message }) => message)
const waiting = async (id: string) => {
  const query = "SELECT id FROM pgboss.job WHERE name = $1 AND state = 'created' AND data->>'account_id' = $2"
  return (await app.system.pool.query<{ id: string }>(query, [handOverUploads.name, id])).rows
}

describe('how documents are collected', () => {
  it('moves among upload, invite and assisted while they are collected', async () => {
    const { owner, id } = await makeScene()
    for (const method of ['invite', 'assisted', 'upload', 'assisted', 'invite']) {
      const answer = await put(owner.id, id, { account_id: id, file_retrieval_method: method })
      expect(answer.body.data).toMatchObject({ file_retrieval_method: method, status: { state: 'uploading' } })
    }
  })

  it('cannot change for a standard account or one that is being organized', async () => {
    const standard = await makeScene('standard')
    const expected = { file_retrieval_method: ['Only an account that is collecting documents can change this.'] }
    expect((await put(standard.owner.id, standard.id, { file_retrieval_method: 'assisted' })).body.errors).toEqual(expected)
    const { owner, id } = await makeScene()
    await put(staff.id, id, { status_state: 'processing' })
    expect((await put(owner.id, id, { file_retrieval_method: 'invite' })).body.errors).toEqual(expected)
    expect((await put(owner.id, id, { file_retrieval_method: 'upload', name: 'Pier Ten' })).status).toBe(200)
  })

  it('of a request notifies the staff at once on the page and by mail, and again when it is canceled', async () => {
    const { company, owner, id } = await makeScene()
    await put(owner.id, id, { file_retrieval_method: 'assisted' })
    const [asked] = await notifications(staff.id)
    const message = `${owner.fullName} (${owner.email}) of ${company.name} asks you to collect the documents of Pier Nine.`
    expect(asked).toMatchObject({ type: 'managed_assisted', message })
    await mailNotification.run(app.system, { id: asked?.id ?? '' }, RUN)
    const [mail] = await queuedMails(app, staff.email)
    expect(mail).toMatchObject({ subject: message })
    expect(mail?.text).toContain(`/accounts/${id}`)
    await put(owner.id, id, { file_retrieval_method: 'upload' })
    expect((await notifications(staff.id))[0]).toMatchObject({ type: 'managed_cancelled' })
    expect((await activity(id)).toSorted()).toEqual(
      [
        'Plumbline created this account',
        `${owner.fullName} asked the provider to collect the documents`,
        `${owner.fullName} canceled the request to collect documents`,
      ].toSorted(),
    )
    expect(await notifications(owner.id)).toEqual([])
  })

  it('of a request notifies the staff also if it is made with a new account, unless it is a standard one', async () => {
    const broker = await makeUser(app.system)
    await subscribe(app.system, broker.companyId)
    const create = (name: string, type: string) =>
      app.as(broker.id).post('/api/v1/accounts', { name, type, file_retrieval_method: 'assisted' })
    expect((await create('Pier Eleven', 'standard')).status).toBe(201)
    const { body } = await create('Pier Twelve', 'managed')
    const asked = await notifications(staff.id)
    expect(asked.map(({ message }) => message)).toEqual([expect.stringContaining('asks you to collect the documents of Pier Twelve.')])
    expect((await activity(body.data.id)).toSorted()).toEqual(
      [`${broker.fullName} asked the provider to collect the documents`, `${broker.fullName} created this account`].toSorted(),
    )
  })

  it('is a line of "Needs attention" for staff only', async () => {
    const { owner, id } = await makeScene()
    const listed = async () => (await app.as(staff.id).get('/api/v1/accounts?filter__attention=setup_requested&paginate=100')).body.data
    const ids = async () => (await listed()).map((row: { id: string }) => row.id)
    expect(await ids()).not.toContain(id)
    await put(owner.id, id, { file_retrieval_method: 'assisted' })
    expect(await ids()).toContain(id)
    const keys = async (userId: string): Promise<string[]> =>
      (await app.as(userId).get('/api/v1/metrics/accounts/attention')).body.data.statistics.map(({ key }: { key: string }) => key)
    expect(await keys(staff.id)).toContain('setup_requested')
    expect(await keys(owner.id)).not.toContain('setup_requested')
  })
})

describe('the request for the setup', () => {
  it('needs a document, except when the provider collects them', async () => {
    const { owner, id } = await makeScene()
    const rejected = await put(owner.id, id, { status_state: 'processing' })
    expect([rejected.status, rejected.body.message]).toEqual([409, 'Upload at least one document first.'])
    await put(owner.id, id, { file_retrieval_method: 'assisted' })
    expect((await put(owner.id, id, { status_state: 'processing' })).body.data.status).toMatchObject({ state: 'processing' })
  })

  it('prefers the status with the name Processing', async () => {
    const { company, owner, id } = await makeScene()
    const other = {
      company_id: company.id,
      model_type: 'simple_account',
      name: 'In review',
      color: '#000000',
      state: 'processing',
      position: -1,
    }
    await app.system.db.insertInto('statuses').values(other).execute()
    await makeFile(await contextOf(owner.id), id)
    expect((await put(owner.id, id, { status_state: 'processing' })).body.data.status).toMatchObject({ name: 'Processing' })
    expect((await put(owner.id, id, { status_state: null })).body.data.status).toMatchObject({ name: 'Processing' })
  })
})

describe('handing over', () => {
  it('by a user who only uploads needs a document of theirs and notifies the staff', async () => {
    const { owner, uploader, id } = await makeScene()
    await makeFile(await contextOf(owner.id), id)
    expect((await handOver(uploader.id, id)).status).toBe(409)
    await makeFile(await contextOf(uploader.id), id)
    expect((await handOver(uploader.id, id)).body.message).toBe('A review of your files has been requested.')
    expect((await show(owner.id, id)).status).toMatchObject({ name: 'Processing', state: 'processing' })
    const message = 'The documents of Pier Nine have arrived and wait to be organized.'
    expect((await notifications(staff.id))[0]).toMatchObject({ type: 'managed_uploaded', message })
    expect((await handOver(uploader.id, id)).body.message).toBe('This account is not collecting documents.')
  })

  it('does not exist for users without the permission to upload', async () => {
    const { company, id } = await makeScene()
    const carrier = await makeUser(app.system, { companyId: company.id, role: 'carrier' })
    expect((await handOver(carrier.id, id)).status).toBe(403)
  })

  it('happens by itself an hour after the last upload, not before', async () => {
    const { uploader, owner, id } = await makeScene()
    await makeFile(await contextOf(uploader.id), id)
    expect(await waiting(id)).toHaveLength(1)
    await handOverUploads.run(app.system, { account_id: id }, RUN)
    expect((await show(owner.id, id)).status).toMatchObject({ state: 'uploading' })
    const added = new Date(Date.now() - HAND_OVER_MS)
    await app.system.db.updateTable('account_files').set({ created_at: added }).where('account_id', '=', id).execute()
    await handOverUploads.run(app.system, { account_id: id }, RUN)
    expect((await show(owner.id, id)).status).toMatchObject({ state: 'processing' })
  })

  it('is not queued by staff, for standard accounts and while the provider collects', async () => {
    const [byStaff, standard, assisted] = [await makeScene(), await makeScene('standard'), await makeScene()]
    await makeFile(await contextOf(staff.id), byStaff.id)
    await makeFile(await contextOf(standard.owner.id), standard.id)
    await put(assisted.owner.id, assisted.id, { file_retrieval_method: 'assisted' })
    await makeFile(await contextOf(assisted.owner.id), assisted.id)
    expect(await Promise.all([byStaff, standard, assisted].map(({ id }) => waiting(id)))).toEqual([[], [], []])
  })
})

describe('the receipt', () => {
  it('has the own uploads of the last 24 hours, with duplicates of documents that the user sees', async () => {
    const { owner, uploader, id } = await makeScene()
    const bytes = Buffer.from('The same bytes')
    await makeFile(await contextOf(owner.id), id, { name: 'owner.txt', bytes })
    const mine = await contextOf(uploader.id)
    await makeFile(mine, id, { name: 'first.txt', bytes })
    await makeFile(mine, id, { name: 'again.txt', bytes })
    const hidden = await makeFile(mine, id, { name: 'accounts.txt', category: 'financial' })
    const earlier = await makeFile(mine, id, { name: 'old.txt' })
    const yesterday = new Date(Date.now() - 25 * HAND_OVER_MS)
    await app.system.db.updateTable('account_files').set({ created_at: yesterday }).where('id', '=', earlier.id).execute()
    const { account, documents } = await receipt(uploader.id, id)
    expect(account).toBe('Pier Nine')
    expect(documents).toMatchObject([
      { name: 'first.txt', size: bytes.length, duplicate_of: null, sha256: expect.stringMatching(/^[0-9a-f]{64}$/) },
      { name: 'again.txt', duplicate_of: 'first.txt' },
      { name: 'accounts.txt' },
    ])
    expect(hidden.hidden).toBe(true)
    await makeFile(await contextOf(owner.id), id, { name: 'copy.txt', bytes })
    expect((await receipt(owner.id, id)).documents[1]).toMatchObject({ name: 'copy.txt', duplicate_of: 'owner.txt' })
  })

  it('does not show the new version of another user', async () => {
    const { owner, uploader, id } = await makeScene()
    const { id: file } = await makeFile(await contextOf(uploader.id), id, { name: 'mine.txt' })
    await makeFile(await contextOf(owner.id), id, { name: 'secret.txt', replaces: file })
    const { documents } = await receipt(uploader.id, id)
    expect(documents.map(({ name }: { name: string }) => name)).toEqual(['mine.txt'])
  })
})

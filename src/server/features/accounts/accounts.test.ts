import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { removeAccountObjects } from './accounts.record.ts'
import type { Column } from '#contract/datatable.ts'
import type { WriteContext } from '#server/engines/context.ts'
import { makeAccount, makeProperty } from '#server/testing/factories/accounts.ts'
import { makeFile } from '#server/testing/factories/files.ts'
import { makeCompany, makeUser, subscribe } from '#server/testing/factories/people.ts'
import { callDuringChange } from '#server/testing/lock-wait.fixture.ts'
import { testBroker } from '#server/testing/tenants.fixture.ts'

const { app, broker } = await testBroker()

const names = (answer: { body: { data: { name: { text: string } }[] } }) => answer.body.data.map((row) => row.name.text)

describe('the accounts list', () => {
  it('contains accounts of the own company, those it is carrier of and those the user was added to', async () => {
    await makeAccount(app.system, { companyId: broker.companyId, name: 'Own' })
    await makeAccount(app.system, { name: 'Foreign' })
    await makeAccount(app.system, { name: 'As carrier', carrierCompanyId: broker.companyId })
    await makeAccount(app.system, { name: 'Added', users: [broker.id] })
    const list = await app.as(broker.id).get('/api/v1/accounts?sort=name&order=asc')
    expect(names(list)).toEqual(['Added', 'As carrier', 'Own'])
    expect(list.body.meta.total).toBe(3)
  })

  it('shows the company only to users who see accounts of several companies', async () => {
    const user = await makeUser(app.system, { role: 'broker' })
    const isShown = async (): Promise<boolean> =>
      (await app.as(user.id).get('/api/v1/accounts/columns')).body.data.find(({ src }: Column) => src === 'company').default
    await makeAccount(app.system, { companyId: user.companyId, users: [user.id] })
    expect(await isShown()).toBe(false)
    await makeAccount(app.system, { companyId: broker.companyId, users: [user.id] })
    expect(await isShown()).toBe(true)
  })

  it('finds accounts in the own scope by a part of name or number', async () => {
    await makeAccount(app.system, { companyId: broker.companyId, name: 'Harbor Freight Terminals' })
    await makeAccount(app.system, { name: 'Harbor of Another Company' })
    const found = await app.as(broker.id).get('/api/v1/accounts?search=rbor')
    expect(names(found)).toEqual(['Harbor Freight Terminals'])
    expect(found.body.meta.total).toBe(1)
    expect((await app.as(broker.id).get('/api/v1/accounts/search?search=another')).status).toBe(404)
  })

  it('has favorites of the viewer only', async () => {
    const colleague = await makeUser(app.system, { companyId: broker.companyId })
    const account = await makeAccount(app.system, { companyId: broker.companyId, name: 'Loved' })
    await app.as(broker.id).post('/api/v1/accounts/actions', { action: 'add-favorite', selectedIds: [account.id] })
    expect(names(await app.as(broker.id).get('/api/v1/accounts?filter__favorites=1'))).toEqual(['Loved'])
    expect(names(await app.as(colleague.id).get('/api/v1/accounts?filter__favorites=1'))).toEqual([])
  })

  it('sorts by total insured value within each currency, the most frequent one first', async () => {
    const user = await makeUser(app.system, { role: 'broker' })
    const account = async (name: string, currency: string | null, building_value: number) => {
      const { id } = await makeAccount(app.system, { companyId: user.companyId, name })
      await makeProperty(app.system, id, { building_value, contents_value: 0, bi_value: 0 })
      await app.system.db.updateTable('account_totals').set({ currency }).where('account_id', '=', id).execute()
    }
    await account('US large', 'USD', 9_000)
    await account('Euro', 'EUR', 500_000)
    await account('Canada large', 'CAD', 8_000)
    await account('Canada small', 'CAD', 1_000)
    await account('Canada middle', 'CAD', 5_000)
    await account('Both', null, 600_000)
    const sorted = async (order: string) => names(await app.as(user.id).get(`/api/v1/accounts?sort=tiv&order=${order}`))
    const others = ['Euro', 'US large', 'Both']
    expect(await sorted('desc')).toEqual(['Canada large', 'Canada middle', 'Canada small', ...others])
    expect(await sorted('asc')).toEqual(['Canada small', 'Canada middle', 'Canada large', ...others])
  })

  it('does not reveal by its order the totals that a viewer does not see', async () => {
    const user = await makeUser(app.system, { role: 'upload_only' })
    for (const value of [3_000, 1_000, 2_000]) {
      const { id } = await makeAccount(app.system, { companyId: user.companyId, name: `Worth ${value}`, users: [user.id] })
      await makeProperty(app.system, id, { building_value: value, contents_value: 0, bi_value: 0 })
    }
    const sorted = async (sort: string) => names(await app.as(user.id).get(`/api/v1/accounts?sort=${sort}&order=asc`))
    expect(await sorted('tiv')).toEqual(['Worth 3000', 'Worth 1000', 'Worth 2000'])
    expect(await sorted('tiv')).toEqual(await sorted('created_at'))
  })

  it('shows the totals of the register', async () => {
    const account = await makeAccount(app.system, { companyId: broker.companyId, name: 'Counted' })
    await makeProperty(app.system, account.id, { building_value: 1_000_000, contents_value: 0, bi_value: 0 })
    const list = await app.as(broker.id).get('/api/v1/accounts?search=counted')
    expect(list.body.data[0]).toMatchObject({ properties: { value: 1 }, tiv: { value: 1_000_000, text: '$1,000,000' } })
  })
})

describe('a user who can only upload', () => {
  it('sees only the accounts they were added to, with the number of their own uploads', async () => {
    const uploader = await makeUser(app.system, { role: 'upload_only' })
    const account = await makeAccount(app.system, { companyId: broker.companyId, name: 'Given', users: [uploader.id] })
    await makeAccount(app.system, { companyId: uploader.companyId, name: 'Of the own company, but not given' })
    await makeFile({ ...app.system, viewer: await app.viewer(broker.id) }, account.id, { name: 'Theirs.txt' })
    await makeFile({ ...app.system, viewer: await app.viewer(uploader.id) }, account.id, { name: 'Own.txt', bytes: Buffer.from('Mine.') })
    const list = await app.as(uploader.id).get('/api/v1/accounts')
    expect(names(list)).toEqual(['Given'])
    expect(list.body.data[0].documents.value).toBe(1)
    expect((await app.as(uploader.id).get(`/api/v1/accounts/${account.id}`)).body.data.files).toEqual({
      total: 1,
      disclosed: 1,
      sov: 0,
      size: { total: 5, disclosed: 5, sov: 0 },
    })
    expect((await app.as(uploader.id).get('/api/v1/accounts/columns')).status).toBe(403)
  })
})

describe('an account', () => {
  it('is created with the first status of its company and shown with all of them', async () => {
    const made = await app.as(broker.id).post('/api/v1/accounts', { name: 'Fresh', type: 'standard' })
    expect(made.status).toBe(201)
    expect(made.body.data).toMatchObject({ type: 'standard', status: { name: 'New' }, properties: 0 })
    expect(made.body.data.statuses).toHaveLength(8)
    const activity = await app.as(broker.id).get(`/api/v1/accounts/${made.body.data.id}/activity`)
    expect(activity.body.data[0].message).toBe(`${broker.fullName} created this account`)
  })

  it('cannot be created for a company without a subscription', async () => {
    const user = await makeUser(app.system)
    const rejected = await app.as(user.id).post('/api/v1/accounts', { name: 'No', type: 'standard' })
    expect(rejected.status).toBe(409)
    expect(rejected.body.message).toBe('Your company does not have a valid Subscription.')
  })

  it('is created for another company only by users who see all companies', async () => {
    const [user, admin] = [await makeUser(app.system), await makeUser(app.system, { role: 'admin' })]
    await subscribe(app.system, user.companyId)
    const create = (as: string) => app.as(as).post('/api/v1/accounts', { name: 'Given', type: 'standard', company_id: user.companyId })
    expect((await create(broker.id)).body.errors).toEqual({ company_id: ['Please choose a company.'] })
    expect((await create(admin.id)).body.data.company.id).toBe(user.companyId)
  })

  it('cannot have a broker or carrier that does not exist', async () => {
    for (const field of ['broker_company_id', 'carrier_company_id']) {
      const { status, body } = await app
        .as(broker.id)
        .post('/api/v1/accounts', { name: 'No broker', type: 'standard', [field]: randomUUID() })
      expect([status, body.errors], field).toEqual([400, { [field]: ['This company no longer exists.'] }])
    }
  })

  it.each<[object, string, string]>([
    [{ effective_date: '2999-01-01' }, 'effective_date', 'Please enter a date at most 3 years from now.'],
    [{ expiration_date: '2999-01-01' }, 'expiration_date', 'Please enter a date at most 13 years from now.'],
    [{ effective_date: '0000-01-01' }, 'effective_date', 'Please enter a date after 1799.'],
    [
      { effective_date: '2026-05-02', expiration_date: '2026-05-01' },
      'expiration_date',
      'The expiration date must not be before the effective date.',
    ],
    ...['http://a@b', 'https://www.bank.example@evil.example', 'https://localhost', 'ftp://a.example', 'example.com'].map(
      (website): [object, string, string] => [{ website }, 'website', 'Please enter a web address such as https://www.example.com'],
    ),
  ])('is rejected with %j', async (values, field, message) => {
    const created = await app.as(broker.id).post('/api/v1/accounts', { name: 'Dated', type: 'standard', ...values })
    expect([created.status, created.body.errors]).toEqual([400, { [field]: [message] }])
    const { id } = await makeAccount(app.system, { companyId: broker.companyId })
    const saved = await app.as(broker.id).put(`/api/v1/accounts/${id}`, values)
    expect([saved.status, saved.body.errors]).toEqual([400, { [field]: [message] }])
  })

  it('is rejected with a date that contradicts the stored one, but not for other fields', async () => {
    const { id } = await makeAccount(app.system, { companyId: broker.companyId })
    const put = (body: object) => app.as(broker.id).put(`/api/v1/accounts/${id}`, body)
    const address = 'http://www.münchen.example/über-uns?mail=a@b.example'
    expect((await put({ effective_date: '2026-05-01', expiration_date: '2027-05-01', website: address })).status).toBe(200)
    expect(Object.keys((await put({ effective_date: '2027-06-01' })).body.errors)).toEqual(['expiration_date'])
    await app.system.db.updateTable('accounts').set({ effective_date: '2027-06-01' }).where('id', '=', id).execute()
    expect((await put({ name: 'Renamed' })).status).toBe(200)
    expect((await put({ expiration_date: '2028-06-01' })).status).toBe(200)
  })

  it('can have any status of its company and none of another company', async () => {
    const account = await makeAccount(app.system, { companyId: broker.companyId })
    const shown = await app.as(broker.id).get(`/api/v1/accounts/${account.id}`)
    const bound = shown.body.data.statuses.find((status: { name: string }) => status.name === 'Bound')
    const set = await app.as(broker.id).patch('/api/v1/accounts/status', { accountId: account.id, statusId: bound.id })
    expect(set.body.data.name).toBe('Bound')
    const other = await makeCompany(app.system)
    const foreign = await app.system.db.selectFrom('statuses').select('id').where('company_id', '=', other.id).executeTakeFirstOrThrow()
    expect((await app.as(broker.id).patch('/api/v1/accounts/status', { account_id: account.id, status_id: foreign.id })).status).toBe(400)
  })

  it.each([
    ['accounts', (own: string, status: string) => ({ account_id: own, accountId: randomUUID(), status_id: status })],
    ['statuses', (own: string, status: string) => ({ account_id: own, status_id: status, statusId: randomUUID() })],
  ])('does not get a status from a request with two %s', async (_what, bodyOf) => {
    const account = await makeAccount(app.system, { companyId: broker.companyId })
    const { statuses } = (await app.as(broker.id).get(`/api/v1/accounts/${account.id}`)).body.data
    const { status } = await app.as(broker.id).patch('/api/v1/accounts/status', bodyOf(account.id, statuses[1].id))
    expect(status).toBe(400)
  })

  it('does not get a status after another user has moved it to the trash', async () => {
    const user = await makeUser(app.system)
    const account = await makeAccount(app.system, { companyId: user.companyId })
    const { statuses, status } = (await app.as(user.id).get(`/api/v1/accounts/${account.id}`)).body.data
    const other = statuses.find(({ id }: { id: string }) => id !== status.id)
    const change = () => app.as(user.id).patch('/api/v1/accounts/status', { account_id: account.id, status_id: other.id })
    const trash = (tx: WriteContext) => tx.db.updateTable('accounts').set({ deleted_at: new Date() }).where('id', '=', account.id).execute()
    expect((await callDuringChange(app, trash, change)).status).toBe(404)
    const stored = app.system.db.selectFrom('accounts').select('status_id').where('id', '=', account.id)
    expect(await stored.executeTakeFirst()).toEqual({ status_id: status.id })
  })

  it('answers another company with the same 404 as an id that does not exist', async () => {
    const account = await makeAccount(app.system)
    const foreign = await app.as(broker.id).get(`/api/v1/accounts/${account.id}`)
    const absent = await app.as(broker.id).get('/api/v1/accounts/0190a000-0000-7000-8000-000000000000')
    expect(foreign.status).toBe(404)
    expect(foreign.raw.equals(absent.raw)).toBe(true)
  })

  it('is permanently deleted together with its documents in the store', async () => {
    const admin = await makeUser(app.system, { role: 'admin', companyId: broker.companyId })
    const account = await makeAccount(app.system, { companyId: broker.companyId })
    const file = await makeFile({ ...app.system, viewer: await app.viewer(broker.id) }, account.id)
    await app.as(admin.id).delete('/api/v1/accounts', { ids: [account.id] })
    expect((await app.as(admin.id).delete('/api/v1/accounts', { ids: [account.id], force: true })).status).toBe(200)
    const run = { id: 'x', attempt: 1, lastAttempt: false, signal: new AbortController().signal }
    await removeAccountObjects.run(app.system, { account_id: account.id }, run)
    expect(await app.system.storage.head(file.key)).toBeUndefined()
  })

  it('can be trashed and restored', async () => {
    const account = await makeAccount(app.system, { companyId: broker.companyId, name: 'Trashed once' })
    await app.as(broker.id).delete(`/api/v1/accounts/${account.id}`)
    expect(names(await app.as(broker.id).get('/api/v1/accounts?search=trashed'))).toEqual([])
    expect(names(await app.as(broker.id).get('/api/v1/accounts?filter__trashed=only'))).toEqual(['Trashed once'])
    await app.as(broker.id).post('/api/v1/accounts/restore', { ids: [account.id] })
    expect((await app.as(broker.id).get(`/api/v1/accounts/${account.id}`)).status).toBe(200)
  })
})

import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { COMPANY_NAME_SEARCHES_PER_HOUR, HOUR_MS } from '#contract/limits.ts'
import { defaultPermissions } from '#contract/permissions.ts'
import type { WriteContext } from '#server/engines/context.ts'
import { testApp, type TestApp } from '#server/testing/app.ts'
import { makeAccount, makeProperty } from '#server/testing/factories/accounts.ts'
import { makeFile } from '#server/testing/factories/files.ts'
import { makeCompany, makeUser, subscribe } from '#server/testing/factories/people.ts'
import { callDuringChange } from '#server/testing/lock-wait.fixture.ts'

let app: TestApp
let provider: Awaited<ReturnType<typeof makeUser>>

beforeAll(async () => {
  app = await testApp()
  provider = await makeUser(app.system, { role: 'provider' })
})
afterAll(() => app.stop())

describe('the list of companies', () => {
  it('can be searched, sorted and counted', async () => {
    await makeCompany(app.system, 'Aardvark Holdings')
    await makeCompany(app.system, 'Zebra Stores')
    const list = await app.as(provider.id).get('/api/v1/companies?sort=name&order=asc')
    expect(list.status).toBe(200)
    expect(list.body.data[0].name.text).toBe('Aardvark Holdings')
    expect(list.body.meta.total).toBe(3)
    const found = await app.as(provider.id).get('/api/v1/companies?search=zebra')
    expect(found.body.data.map((row: { name: { text: string } }) => row.name.text)).toEqual(['Zebra Stores'])
  })

  it('counts the accounts that the users of a company see: those of the company, as carrier, and those they were added to', async () => {
    const user = await makeUser(app.system, { role: 'broker' })
    await makeAccount(app.system, { companyId: user.companyId, users: [user.id] })
    await makeAccount(app.system, { carrierCompanyId: user.companyId })
    await makeAccount(app.system, { users: [user.id] })
    await makeAccount(app.system)
    const list = await app.as(provider.id).get('/api/v1/companies')
    const company = list.body.data.find(({ id }: { id: string }) => id === user.companyId)
    expect((await app.as(user.id).get('/api/v1/accounts')).body.meta.total).toBe(3)
    expect(company.accounts.value).toBe(3)
  })

  it('counts the accounts that the list of accounts shows with its filter', async () => {
    const user = await makeUser(app.system, { role: 'broker' })
    const ids = [
      await makeAccount(app.system, { companyId: user.companyId, users: [user.id] }),
      await makeAccount(app.system, { carrierCompanyId: user.companyId }),
      await makeAccount(app.system, { users: [user.id] }),
    ].map(({ id }) => id)
    await makeAccount(app.system)
    const list = await app.as(provider.id).get(`/api/v1/accounts?filter__company=${user.companyId}`)
    expect(list.body.data.map(({ id }: { id: string }) => id).toSorted()).toEqual(ids.toSorted())
    const stranger = await makeUser(app.system, { role: 'broker' })
    await makeAccount(app.system, { companyId: stranger.companyId, users: [user.id] })
    const other = await app.as(stranger.id).get(`/api/v1/accounts?filter__company=${user.companyId}`)
    expect([other.status, other.body.meta.total]).toEqual([200, 0])
  })

  it('is answered with 304 while nothing changed, and again after a change', async () => {
    const first = await app.as(provider.id).get('/api/v1/companies')
    const etag = String(first.headers['etag'])
    expect((await app.as(provider.id).get('/api/v1/companies', { 'if-none-match': etag })).status).toBe(304)
    await app.as(provider.id).post('/api/v1/companies', { name: 'Fresh Company' })
    const after = await app.as(provider.id).get('/api/v1/companies', { 'if-none-match': etag })
    expect(after.status).toBe(200)
    expect(after.body.meta.total).toBe(first.body.meta.total + 1)
  })
})

describe('a company', () => {
  it('is created with default statuses and needs a name', async () => {
    const made = await app.as(provider.id).post('/api/v1/companies', { name: 'Statuses Inc' })
    expect(made.status).toBe(201)
    const statuses = await app.system.db.selectFrom('statuses').select('name').where('company_id', '=', made.body.data.id).execute()
    expect(statuses).toHaveLength(17)
    const rejected = await app.as(provider.id).post('/api/v1/companies', { name: '  ' })
    expect(rejected.status).toBe(400)
    expect(rejected.body).toMatchObject({ response: 'validationError', errors: { name: ['Please enter a company name.'] } })
  })

  it('has only the fields changed that were sent', async () => {
    const made = await app.as(provider.id).post('/api/v1/companies', { name: 'Mountain', timezone: 'America/Denver' })
    const saved = await app.as(provider.id).put(`/api/v1/companies/${made.body.data.id}`, { name: 'Mountain West' })
    expect(saved.body.data).toMatchObject({ name: 'Mountain West', timezone: 'America/Denver' })
  })

  it('answers a stale save with both values', async () => {
    const { id } = await makeCompany(app.system, 'Contested')
    const saved = await app.as(provider.id).put(`/api/v1/companies/${id}`, { name: 'First', version: 1 })
    expect(saved.body.data.version).toBe(2)
    const stale = await app.as(provider.id).put(`/api/v1/companies/${id}`, { name: 'Second', version: 1 })
    expect(stale.status).toBe(409)
    expect(stale.body.data).toMatchObject({ version: 2, current: { name: 'First' }, mine: { name: 'Second' } })
  })

  it('has a subscription that only users with update_subscriptions can set', async () => {
    const { id: subscription } = await app.system.db
      .insertInto('subscriptions')
      .values({ name: 'Unlimited' })
      .returning('id')
      .executeTakeFirstOrThrow()
    const fieldsFor = async (userId: string, id: string): Promise<string[]> => {
      const { sections } = (await app.as(userId).get(`/api/v1/forms/companies/${id}`)).body.data
      return sections.flatMap(({ fields }: { fields: { name: string }[] }) => fields.map(({ name }) => name))
    }
    const broker = await makeUser(app.system)
    const path = `/api/v1/companies/${broker.companyId}`
    for (const { id } of [broker, provider]) {
      expect(await fieldsFor(id, broker.companyId)).not.toContain('subscription_id')
      expect((await app.as(id).put(path, { subscription_id: subscription })).status).toBe(403)
    }
    expect((await app.as(provider.id).post('/api/v1/companies', { name: 'Free', subscription_id: subscription })).status).toBe(403)
    const admin = await makeUser(app.system, { role: 'admin' })
    expect(await fieldsFor(admin.id, broker.companyId)).toContain('subscription_id')
    expect((await app.as(admin.id).put(path, { subscription_id: subscription })).body.data.subscriptions).toMatchObject([
      { id: subscription },
    ])
    const saved = await app.as(broker.id).put(path, { name: 'Renamed', subscription_id: subscription })
    expect([saved.status, saved.body.data.subscriptions]).toMatchObject([200, [{ id: subscription }]])
    expect((await app.as(broker.id).put(path, { subscription_id: '' })).status).toBe(403)
  })

  it('has a subscription that starts on the same day in another time zone', async () => {
    const admin = app.as((await makeUser(app.system, { role: 'admin' })).id)
    const { id } = await app.system.db.insertInto('subscriptions').values({ name: 'Moving' }).returning('id').executeTakeFirstOrThrow()
    const company = { name: 'Moving west', timezone: 'Atlantic/Bermuda', subscription_id: id, subscription_start: '2026-06-01' }
    const { data } = (await admin.post('/api/v1/companies', company)).body
    for (const timezone of ['America/Adak', 'America/New_York']) {
      expect((await admin.put(`/api/v1/companies/${data.id}`, { timezone })).status).toBe(200)
      const { sections } = (await admin.get(`/api/v1/forms/companies/${data.id}`)).body.data
      const fields = sections.flatMap((section: { fields: { name: string; value: unknown }[] }) => section.fields)
      expect(fields.find(({ name }: { name: string }) => name === 'subscription_start')).toMatchObject({ value: '2026-06-01' })
    }
  })

  it('cannot get a subscription that does not exist', async () => {
    const admin = app.as((await makeUser(app.system, { role: 'admin' })).id)
    expect((await admin.post('/api/v1/companies', { name: 'Without a plan', subscription_id: '0' })).body.data.subscriptions).toEqual([])
    const { status, body } = await admin.post('/api/v1/companies', { name: 'No plan', subscription_id: randomUUID() })
    expect([status, Object.keys(body.errors ?? {})]).toEqual([400, ['subscription_id']])
  })

  it('has the subscription in the forms of a user of the provider who can set it', async () => {
    const staff = await makeUser(app.system, { companyId: provider.companyId, role: 'provider' })
    const permissions = [...defaultPermissions('provider'), 'update_subscriptions']
    const role = await app.system.db
      .insertInto('roles')
      .values({ company_id: provider.companyId, name: 'billing', label: 'Billing', permissions })
      .returning('id')
      .executeTakeFirstOrThrow()
    await app.system.db.updateTable('user_roles').set({ role_id: role.id }).where('user_id', '=', staff.id).execute()
    const { id } = await makeCompany(app.system)
    for (const path of ['companies', `companies/${id}`]) {
      const { sections } = (await app.as(staff.id).get(`/api/v1/forms/${path}`)).body.data
      expect(
        sections.flatMap(({ fields }: { fields: { name: string }[] }) => fields.map(({ name }) => name)),
        path,
      ).toContain('subscription_id')
    }
  })

  it('does not get a subscription that is moved to the trash at the same moment', async () => {
    const plan = await app.system.db.insertInto('subscriptions').values({ name: 'Vanishing' }).returning('id').executeTakeFirstOrThrow()
    const { id } = await makeCompany(app.system)
    const admin = app.as((await makeUser(app.system, { role: 'admin' })).id)
    const trash = (tx: WriteContext) =>
      tx.db.updateTable('subscriptions').set({ deleted_at: new Date() }).where('id', '=', plan.id).execute()
    const answer = await callDuringChange(app, trash, () => admin.put(`/api/v1/companies/${id}`, { subscription_id: plan.id }))
    expect([answer.status, answer.body.errors]).toEqual([
      400,
      { subscription_id: ['This subscription no longer exists. Choose another one.'] },
    ])
  })

  it('of another broker is not found', async () => {
    const broker = await makeUser(app.system)
    const other = await makeCompany(app.system)
    expect((await app.as(broker.id).get(`/api/v1/companies/${broker.companyId}`)).status).toBe(200)
    expect((await app.as(broker.id).get(`/api/v1/companies/${other.id}`)).status).toBe(404)
    expect((await app.as(broker.id).get('/api/v1/companies')).status).toBe(403)
  })

  it('keeps its accounts and users in the trash with it: neither is restored alone', async () => {
    const company = await makeCompany(app.system)
    const user = await makeUser(app.system, { companyId: company.id })
    const account = await makeAccount(app.system, { companyId: company.id })
    const as = app.as((await makeUser(app.system, { role: 'admin' })).id)
    await as.delete('/api/v1/companies', { ids: [company.id] })
    for (const [model, id] of [
      ['accounts', account.id],
      ['users', user.id],
    ] as const) {
      const { status, body } = await as.post(`/api/v1/${model}/restore`, { ids: [id] })
      expect([status, body.message]).toEqual([409, expect.stringMatching(/ is in the trash\. Restore the company first\.$/)])
    }
    await as.post('/api/v1/companies/restore', { ids: [company.id] })
    expect((await as.get(`/api/v1/accounts/${account.id}`)).body.data.deleted_at).toBeNull()
  })

  it('is trashed and restored with its users', async () => {
    const admin = await makeUser(app.system, { role: 'admin' })
    const broker = await makeUser(app.system)
    const trash = await app.as(admin.id).delete('/api/v1/companies', { ids: [broker.companyId] })
    expect(trash.status).toBe(200)
    expect((await app.as(broker.id).get('/api/v1/init')).status).toBe(401)
    await app.as(admin.id).post('/api/v1/companies/restore', { ids: [broker.companyId] })
    expect((await app.as(broker.id).get('/api/v1/init')).status).toBe(200)
    const own = await app.as(admin.id).delete('/api/v1/companies', { ids: [admin.companyId] })
    expect(own.status).toBe(403)
  })

  it.each([
    ['unknown field', { name: 'X', color: 'red' }, 'color'],
    ['NUL byte', { name: 'A\u0000B' }, 'name'],
    ['wrong type', { name: 7 }, 'name'],
  ])('is rejected with a field error: %s', async (_case, body, field) => {
    const answer = await app.as(provider.id).post('/api/v1/companies', body)
    expect(answer.status).toBe(400)
    expect(Object.keys(answer.body.errors)).toContain(field)
  })

  it('is permanently deleted with its users, whose work for other companies remains', async () => {
    const admin = app.as((await makeUser(app.system, { role: 'admin' })).id)
    const user = await makeUser(app.system, { role: 'broker' })
    const { id: account } = await makeAccount(app.system)
    await app.system.db.updateTable('accounts').set({ created_by: user.id }).where('id', '=', account).execute()
    const selected = { selectedIds: [user.companyId] }
    expect((await admin.delete('/api/v1/companies', selected)).status).toBe(200)
    expect((await admin.delete('/api/v1/companies', { ...selected, force: true })).status).toBe(200)
    const { created_by } = await app.system.db
      .selectFrom('accounts')
      .select('created_by')
      .where('id', '=', account)
      .executeTakeFirstOrThrow()
    expect(created_by).toBeNull()
    expect(await app.system.db.selectFrom('users').select('id').where('id', '=', user.id).execute()).toEqual([])
  })

  it('is not created from malformed JSON or a too large body, nor found by a malformed id', async () => {
    expect((await app.as(provider.id).post('/api/v1/companies', '{"name": ')).status).toBe(400)
    expect((await app.as(provider.id).get('/api/v1/companies/not-an-id')).status).toBe(404)
    expect((await app.as(provider.id).post('/api/v1/companies', { name: 'x'.repeat(2_000_000) })).status).toBe(413)
  })
})

describe('the subscription of the own company', () => {
  it('cannot be set, renewed or removed by a broker through any field of the company', async () => {
    const plans = await app.system.db
      .insertInto('subscriptions')
      .values([{ name: 'Small plan' }, { name: 'Large plan' }])
      .returning('id')
      .execute()
    const [small, large] = plans.map(({ id }) => id)
    const broker = await makeUser(app.system)
    const startedAt = new Date('2026-01-01T00:00:00Z')
    await app.system.db
      .insertInto('company_subscriptions')
      .values({ company_id: broker.companyId, subscription_id: String(small), term_months: 3, created_at: startedAt })
      .onConflict((on) => on.column('company_id').doUpdateSet({ subscription_id: String(small), term_months: 3, created_at: startedAt }))
      .execute()
    const path = `/api/v1/companies/${broker.companyId}`
    for (const subscription_id of [large, null, '']) expect((await app.as(broker.id).put(path, { subscription_id })).status).toBe(403)
    const extra = [{ subscriptions: [{ id: large }] }, { term_months: 120 }, { subscription_created_at: '2030-01-01' }]
    for (const body of extra) expect((await app.as(broker.id).put(path, body)).status).toBe(400)
    expect((await app.as(broker.id).put(path, { subscription_id: small })).status).toBe(200)
    expect((await app.as(broker.id).put(`/api/v1/subscriptions/${small}`, { term_months: 120 })).status).toBe(403)
    const stored = await app.system.db
      .selectFrom('company_subscriptions')
      .select(['subscription_id', 'term_months', 'created_at'])
      .where('company_id', '=', broker.companyId)
      .executeTakeFirstOrThrow()
    expect(stored).toEqual({ subscription_id: small, term_months: 3, created_at: startedAt })
  })
})

describe('the search of companies', () => {
  const names = async (userId: string, path: string): Promise<string[]> => {
    const { status, body } = await app.as(userId).get(`/api/v1/companies/${path}`)
    return status === 404 ? [] : body.data.map(({ name }: { name: string }) => name)
  }

  it('finds only the own company for users who do not see all companies', async () => {
    const broker = await makeUser(app.system)
    const { name: own } = await app.system.db
      .selectFrom('companies')
      .select('name')
      .where('id', '=', broker.companyId)
      .executeTakeFirstOrThrow()
    await makeCompany(app.system, 'Wombat Insurance')
    expect(await names(broker.id, 'search?search=&paginate=100')).toEqual([own])
    expect(await names(broker.id, `search?search=${encodeURIComponent(own)}`)).toEqual([own])
    expect(await names(broker.id, 'search?search=wombat')).toEqual([])
    expect(await names(provider.id, 'search?search=wombat')).toEqual(['Wombat Insurance'])
  })

  it('for a broker or carrier answers names alone, for at least three letters of their beginning', async () => {
    const broker = await makeUser(app.system)
    await makeCompany(app.system, 'Quokka Mutual')
    await makeCompany(app.system, 'Great Quokka')
    const { body } = await app.as(broker.id).get('/api/v1/companies/names?search=quo')
    expect(body.data).toEqual([{ id: expect.any(String), name: 'Quokka Mutual', detail: '', account_id: null }])
    for (const search of ['qu', '%25%25%25', '___', 'kka']) expect(await names(broker.id, `names?search=${search}`), search).toEqual([])
    expect((await app.as(broker.id).get('/api/v1/companies/names?search=quo&paginate=100')).status).toBe(400)
    const carrier = await makeUser(app.system, { role: 'carrier' })
    expect((await app.as(carrier.id).get('/api/v1/companies/names?search=quo')).status).toBe(403)
    const { sections } = (await app.as(broker.id).get('/api/v1/forms/accounts')).body.data
    const fields = sections.flatMap(({ fields }: { fields: { name: string; search?: string }[] }) => fields)
    expect(fields.find(({ name }: { name: string }) => name === 'carrier_company_id').search).toBe('company_names')
  })

  it('for a broker or carrier finds no other company for a client without a subscription', async () => {
    const client = await makeUser(app.system, { role: 'client' })
    await makeCompany(app.system, 'Xenops Mutual')
    expect(await names(client.id, 'names?search=xen')).toEqual([])
    await subscribe(app.system, client.companyId)
    expect(await names(client.id, 'names?search=xen')).toEqual(['Xenops Mutual'])
  })

  it('for a broker or carrier is limited, so that no user collects the names by trying all beginnings', async () => {
    const broker = await makeUser(app.system)
    const search = (userId: string, text: string) => app.as(userId).get(`/api/v1/companies/names?search=${text}`)
    const spend = (userId: string) =>
      app.system.db
        .insertInto('rate_limits')
        .values({ key: `company names ${userId}`, points: COMPANY_NAME_SEARCHES_PER_HOUR - 1, expire: Date.now() + HOUR_MS })
        .execute()
    await spend(broker.id)
    expect((await search(broker.id, 'zzz')).status).toBe(404)
    const { status, body } = await search(broker.id, 'zzz')
    expect([status, body.message]).toEqual([429, 'You have searched for many companies. Please try again in 60 minutes.'])
    expect((await search(broker.id, 'zz')).status, 'too short to find a company').toBe(404)
    await spend(provider.id)
    for (const attempt of [1, 2]) expect((await search(provider.id, 'zzz')).status, `all companies, ${attempt}`).toBe(404)
  })
})

describe('the name of a company', () => {
  it('is not that of another live company, ignoring case and surrounding spaces', async () => {
    await makeCompany(app.system, 'Unique Underwriters')
    const admin = await makeUser(app.system, { role: 'admin' })
    const own = `/api/v1/companies/${admin.companyId}`
    for (const name of ['Unique Underwriters', ' unique UNDERWRITERS ']) {
      const taken = [400, { name: ['Another company already has this name.'] }]
      const created = await app.as(admin.id).post('/api/v1/companies', { name })
      expect([created.status, created.body.errors]).toEqual(taken)
      const renamed = await app.as(admin.id).put(own, { name })
      expect([renamed.status, renamed.body.errors]).toEqual(taken)
    }
    expect((await app.as(admin.id).put(own, { name: 'Unique Adjusters' })).status).toBe(200)
    expect((await app.as(admin.id).put(own, { name: 'UNIQUE Adjusters' })).status).toBe(200)
  })
})

describe('the contents of companies', () => {
  it('are what goes to the trash with a live company, and all that is left of one in the trash', async () => {
    const admin = await makeUser(app.system, { role: 'admin' })
    const user = await makeUser(app.system)
    const accounts: string[] = []
    for (const [currency, building_value] of [
      ['USD', 1_000],
      ['CAD', 3_000],
      ['USD', 50],
    ] as const) {
      const { id } = await makeAccount(app.system, { companyId: user.companyId })
      await makeProperty(app.system, id, { currency, building_value, contents_value: null, bi_value: null })
      accounts.push(id)
    }
    const [first = '', , trashed = ''] = accounts
    await makeFile({ ...app.system, viewer: await app.viewer(user.id) }, first)
    await app.as(user.id).delete(`/api/v1/accounts/${trashed}`)
    const contents = async () => (await app.as(admin.id).post('/api/v1/companies/contents', { ids: [user.companyId] })).body.data
    const tiv = (amount: number) => [
      { amount: 3_000, currency: 'CAD' },
      { amount, currency: 'USD' },
    ]
    expect(await contents()).toEqual({ accounts: 2, properties: 2, documents: 1, users: 1, tiv: tiv(1_000) })
    await app.as(admin.id).delete('/api/v1/companies', { ids: [user.companyId] })
    expect(await contents()).toEqual({ accounts: 3, properties: 3, documents: 1, users: 1, tiv: tiv(1_050) })
    const empty = await makeCompany(app.system)
    const answer = await app.as(admin.id).post('/api/v1/companies/contents', { ids: [empty.id] })
    expect(answer.body.data).toEqual({ accounts: 0, properties: 0, documents: 0, users: 0, tiv: [] })
  })
})

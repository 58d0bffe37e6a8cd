import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { defaultPermissions } from '#contract/permissions.ts'
import { testApp, type TestApp } from '#server/testing/app.ts'
import { makeCompany, makeUser } from '#server/testing/factories/people.ts'

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

  it('cannot get a subscription that does not exist', async () => {
    const admin = app.as((await makeUser(app.system, { role: 'admin' })).id)
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
        sections[0].fields.map(({ name }: { name: string }) => name),
        path,
      ).toContain('subscription_id')
    }
  })

  it('of another broker is not found', async () => {
    const broker = await makeUser(app.system)
    const other = await makeCompany(app.system)
    expect((await app.as(broker.id).get(`/api/v1/companies/${broker.companyId}`)).status).toBe(200)
    expect((await app.as(broker.id).get(`/api/v1/companies/${other.id}`)).status).toBe(404)
    expect((await app.as(broker.id).get('/api/v1/companies')).status).toBe(403)
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

  it('is not created from malformed JSON or a too large body, nor found by a malformed id', async () => {
    expect((await app.as(provider.id).post('/api/v1/companies', '{"name": ')).status).toBe(400)
    expect((await app.as(provider.id).get('/api/v1/companies/not-an-id')).status).toBe(404)
    expect((await app.as(provider.id).post('/api/v1/companies', { name: 'x'.repeat(2_000_000) })).status).toBe(413)
  })
})

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { testApp, type As, type TestApp } from '#server/testing/app.ts'
import { makeCompany, makeUser } from '#server/testing/factories/people.ts'

let app: TestApp
let admin: As
beforeAll(async () => {
  app = await testApp()
  admin = app.as((await makeUser(app.system, { role: 'admin' })).id)
})
afterAll(() => app.stop())

const URL = '/api/v1/subscriptions'

it('rejects a price with a fraction of a cent and a term of no months, each under its field', async () => {
  const { status, body } = await admin.post(URL, { name: 'Odd', price: 1.005, term_months: 0 })
  expect(status).toBe(400)
  expect(body.errors).toEqual({ price: ['Use at most two decimals.'], term_months: ['The term is at least 1 month.'] })
})

it('rejects a price above the maximum and says what the maximum is', async () => {
  const { status, body } = await admin.post(URL, { name: 'Expensive', price: 20_000_000 })
  expect([status, body.errors]).toEqual([400, { price: ['The price is at most $10,000,000.'] }])
})

it('shows the cents of a price', async () => {
  await admin.post(URL, { name: 'With cents', price: 1500.75 })
  await admin.post(URL, { name: 'Without cents', price: 1500 })
  const { body } = await admin.get(`${URL}?search=cents`)
  expect(body.data.map(({ price }: { price: { text: string } }) => price.text)).toEqual(['$1,500.75', '$1,500'])
})

it('rejects the name of another subscription, ignoring case and surrounding spaces', async () => {
  const taken = [400, { name: ['Another subscription already has this name.'] }]
  expect((await admin.post(URL, { name: 'Standard Plan' })).status).toBe(201)
  const repeated = await admin.post(URL, { name: ' standard plan ' })
  expect([repeated.status, repeated.body.errors]).toEqual(taken)
  const { id } = (await admin.post(URL, { name: 'Premium Plan' })).body.data
  const renamed = await admin.put(`${URL}/${id}`, { name: 'STANDARD PLAN' })
  expect([renamed.status, renamed.body.errors]).toEqual(taken)
  expect((await admin.put(`${URL}/${id}`, { name: 'premium plan' })).status).toBe(200)
})

it('trashes a subscription only when no company uses it, and says how many do', async () => {
  const { body: plan } = await admin.post(URL, { name: 'In use' })
  const companies = [await makeCompany(app.system), await makeCompany(app.system)]
  for (const { id } of companies) await admin.put(`/api/v1/companies/${id}`, { subscription_id: plan.data.id, version: 1 })
  const blocked = await admin.delete(URL, { ids: [plan.data.id] })
  expect([blocked.status, blocked.body.message]).toEqual([
    409,
    '2 companies use the subscription In use. Give them another subscription first.',
  ])
  for (const { id } of companies) await admin.put(`/api/v1/companies/${id}`, { subscription_id: null, version: 2 })
  expect((await admin.delete(URL, { ids: [plan.data.id] })).status).toBe(200)
})

it('does not trash a subscription of a trashed company, which would have it again after a restore', async () => {
  const { body: plan } = await admin.post(URL, { name: 'Taken' })
  const { id: companyId } = await makeCompany(app.system)
  await admin.put(`/api/v1/companies/${companyId}`, { subscription_id: plan.data.id, version: 1 })
  await admin.delete('/api/v1/companies', { ids: [companyId] })
  const blocked = await admin.delete(URL, { ids: [plan.data.id] })
  expect([blocked.status, blocked.body.message]).toEqual([
    409,
    'A company in the trash uses the subscription Taken. Permanently delete the company, or restore it and give it another subscription.',
  ])
  expect((await admin.get(`${URL}/${plan.data.id}`)).body.data.companies).toEqual([])
  await admin.delete('/api/v1/companies', { ids: [companyId], force: true })
  for (const force of [false, true]) expect((await admin.delete(URL, { ids: [plan.data.id], force })).status).toBe(200)
})

it('permanently deletes no subscription that a company has', async () => {
  const { body: plan } = await admin.post(URL, { name: 'Trashed in an earlier release' })
  const { id: companyId } = await makeCompany(app.system)
  await admin.put(`/api/v1/companies/${companyId}`, { subscription_id: plan.data.id, version: 1 })
  await app.system.db.updateTable('subscriptions').set({ deleted_at: new Date() }).where('id', '=', plan.data.id).execute()
  const blocked = await admin.delete(URL, { ids: [plan.data.id], force: true })
  expect([blocked.status, blocked.body.message]).toEqual([409, 'A company still has this subscription. Give it another one first.'])
})

it('saves a subscription whose unchanged name is stored twice', async () => {
  const [first] = await app.system.db
    .insertInto('subscriptions')
    .values([{ name: 'Stored twice' }, { name: 'Stored twice' }])
    .returning('id')
    .execute()
  const saved = await admin.put(`${URL}/${first?.id}`, { name: 'Stored twice', price: 7 })
  expect([saved.status, saved.body.data?.price]).toEqual([200, 7])
})

it('does not restore two subscriptions with the same name together', async () => {
  const ids: string[] = []
  for (const name of ['Twin', 'twin']) {
    const { id } = (await admin.post(URL, { name })).body.data
    await admin.delete(URL, { ids: [id] })
    ids.push(id)
  }
  const both = await admin.post(`${URL}/restore`, { ids })
  expect([both.status, both.body.message]).toEqual([409, expect.stringMatching(/^Another subscription already has the name twin\./i)])
  expect((await admin.post(`${URL}/restore`, { ids: ids.slice(1) })).status).toBe(200)
})

describe('the companies of a subscription', () => {
  const make = async (name: string, companies: string[] = []) => (await admin.post(URL, { name, companies })).body.data
  const companiesOf = async (id: string) => (await admin.get(`${URL}/${id}`)).body.data.companies

  it('have it from today for its term, each with the state and the own price', async () => {
    const { id: company, name } = await makeCompany(app.system)
    const { id } = await make('Quarterly', [company])
    await admin.put(`/api/v1/companies/${company}`, { subscription_start: '2020-01-31', subscription_price: 99.5 })
    expect(await companiesOf(id)).toEqual([
      {
        id: company,
        name,
        started_at: '2020-01-31T05:00:00.000Z',
        ends_at: '2021-01-31T05:00:00.000Z',
        state: 'inactive',
        own_price: 99.5,
      },
    ])
    await admin.put(`/api/v1/companies/${company}`, { subscription_start: new Date().toISOString().slice(0, 10) })
    expect(await companiesOf(id)).toMatchObject([{ state: 'active', own_price: 99.5 }])
  })

  it('are exactly those of a save, and the others stay as they are without a list', async () => {
    const [first, second] = [await makeCompany(app.system), await makeCompany(app.system)]
    const { id } = await make('Exact', [first.id])
    await admin.put(`${URL}/${id}`, { companies: [second.id] })
    await admin.put(`${URL}/${id}`, { name: 'Exactly' })
    expect(await companiesOf(id)).toMatchObject([{ id: second.id }])
    expect((await admin.get(`/api/v1/companies/${first.id}`)).body.data.subscriptions).toEqual([])
  })

  it('are not taken from another subscription, which would be lost', async () => {
    const company = await makeCompany(app.system)
    const { id } = await make('Former', [company.id])
    const { status, body } = await admin.post(URL, { name: 'Latter', companies: [company.id] })
    expect([status, body.errors]).toEqual([
      400,
      { companies: [`${company.name} has the subscription Former. Change it in the form of the company.`] },
    ])
    expect(await companiesOf(id)).toHaveLength(1)
  })

  it('are not found if the viewer does not see them', async () => {
    const user = await makeUser(app.system)
    const permissions = ['view_subscriptions', 'create_subscriptions']
    const role = { company_id: user.companyId, name: 'seller', label: 'Seller', permissions }
    const { id } = await app.system.db.insertInto('roles').values(role).returning('id').executeTakeFirstOrThrow()
    await app.system.db.updateTable('user_roles').set({ role_id: id }).where('user_id', '=', user.id).execute()
    const foreign = await makeCompany(app.system)
    const rejected = await app.as(user.id).post(URL, { name: 'Foreign', companies: [foreign.id] })
    expect([rejected.status, rejected.body.errors]).toEqual([
      400,
      { companies: ['One of the companies was not found. Choose companies from the list.'] },
    ])
    expect((await app.as(user.id).post(URL, { name: 'Local', companies: [user.companyId] })).status).toBe(201)
  })

  it('can be filtered by it in the list of companies', async () => {
    const company = await makeCompany(app.system)
    const { id } = await make('Filtered', [company.id])
    const list = await admin.get(`/api/v1/companies?filter__subscription=${id}`)
    expect(list.body.data.map((row: { id: string }) => row.id)).toEqual([company.id])
    const provider = app.as((await makeUser(app.system, { role: 'provider' })).id)
    expect((await provider.get(`/api/v1/companies?filter__subscription=${id}`)).body.meta.total).toBe(0)
  })
})

describe("a company's own price and start", () => {
  it('need update_subscriptions and a subscription, and the price is shown to viewers who see subscriptions', async () => {
    const user = await makeUser(app.system)
    const path = `/api/v1/companies/${user.companyId}`
    const first = await admin.put(path, { subscription_price: 10 })
    expect([first.status, first.body.errors]).toEqual([400, { subscription_id: ['Choose a subscription first.'] }])
    const { id } = (await admin.post(URL, { name: 'Priced', price: 50 })).body.data
    await admin.put(path, { subscription_id: id, subscription_price: 10 })
    expect((await admin.get(path)).body.data.subscriptions).toMatchObject([{ id, price: 10, state: 'active' }])
    expect((await app.as(user.id).get(path)).body.data.subscriptions).toMatchObject([{ id, price: null, state: 'active' }])
    expect((await app.as(user.id).put(path, { subscription_price: 1 })).status).toBe(403)
    await admin.put(path, { subscription_price: null })
    expect((await admin.get(path)).body.data.subscriptions).toMatchObject([{ price: 50 }])
    const emptied = await admin.put(path, { subscription_start: null })
    expect([emptied.status, Object.keys(emptied.body.errors)]).toEqual([400, ['subscription_start']])
  })
})

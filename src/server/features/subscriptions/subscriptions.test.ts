import { afterAll, beforeAll, expect, it } from 'vitest'
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

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

it('permanently deletes a subscription only when no company has it', async () => {
  const { body: plan } = await admin.post(URL, { name: 'Taken' })
  const { id: companyId } = await makeCompany(app.system)
  await admin.put(`/api/v1/companies/${companyId}`, { subscription_id: plan.data.id, version: 1 })
  await admin.delete(URL, { ids: [plan.data.id] })
  const blocked = await admin.delete(URL, { ids: [plan.data.id], force: true })
  expect([blocked.status, blocked.body.message]).toEqual([409, 'A company still has this subscription. Give it another one first.'])
  await admin.put(`/api/v1/companies/${companyId}`, { subscription_id: null, version: 2 })
  expect((await admin.delete(URL, { ids: [plan.data.id], force: true })).status).toBe(200)
})

import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { testApp, type TestApp } from '#server/testing/app.ts'
import { makeCompany, makeUser } from '#server/testing/factories/people.ts'
import { makeAccount, makeProperty } from '#server/testing/factories/register.ts'

let app: TestApp
beforeAll(async () => {
  app = await testApp({ worker: true })
})
afterAll(() => app.stop())

it('the button runs the job at once and the list shows the new discrepancy', async () => {
  const company = await makeCompany(app.system)
  const call = app.as((await makeUser(app.system, { companyId: company.id })).id)
  const accountId = await makeAccount(app, company.id)
  await makeProperty(app, accountId, { year_built: null })
  const list = async () => (await call.get(`/api/v1/discrepancies?filter__account_id=${accountId}&filter__check=DQ-04`)).body
  expect((await list()).meta.total).toBe(0)
  expect(await call.post(`/api/v1/accounts/${accountId}/reconciliation`)).toMatchObject({
    status: 200,
    body: { message: 'The reconciliation is running.' },
  })
  await vi.waitFor(async () => expect((await list()).meta.total).toBe(1), { timeout: 10_000, interval: 100 })
})

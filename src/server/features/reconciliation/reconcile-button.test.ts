import { sql } from 'kysely'
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

it('an account is reconciled while the run of another one takes long', async () => {
  const company = await makeCompany(app.system)
  const call = app.as((await makeUser(app.system, { companyId: company.id })).id)
  const accounts = [await makeAccount(app, company.id), await makeAccount(app, company.id)]
  for (const accountId of accounts) await makeProperty(app, accountId, { year_built: null })
  const [slow = '', quick = ''] = accounts
  const found = async (accountId: string) => (await call.get(`/api/v1/discrepancies?filter__account_id=${accountId}`)).body.meta.total
  await app.system.db.transaction().execute(async (holder) => {
    await sql`SELECT id FROM account_properties WHERE account_id = ${slow} FOR UPDATE`.execute(holder)
    await call.post(`/api/v1/accounts/${slow}/reconciliation`)
    const state = () => app.system.db.selectFrom('check_states').select('progress_at').where('account_id', '=', slow).executeTakeFirst()
    await vi.waitFor(async () => expect((await state())?.progress_at).toBeInstanceOf(Date), { timeout: 10_000, interval: 50 })
    await call.post(`/api/v1/accounts/${quick}/reconciliation`)
    await vi.waitFor(async () => expect(await found(quick)).toBeGreaterThan(0), { timeout: 10_000, interval: 50 })
    expect(await found(slow)).toBe(0)
  })
  await vi.waitFor(async () => expect(await found(slow)).toBeGreaterThan(0), { timeout: 20_000, interval: 100 })
})

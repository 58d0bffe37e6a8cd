import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Metric } from '#contract/metrics.ts'
import type { DueSubmission } from '#contract/submissions.ts'
import { transact } from '#server/engines/transaction/transact.ts'
import { requestReconciliation } from '#server/features/reconciliation/reconciliation.commands.ts'
import { testApp, type As, type TestApp } from '#server/testing/app.ts'
import { makeCompany, makeUser } from '#server/testing/factories/people.ts'
import { addToAccount, reconciledAccount } from '#server/testing/factories/register.ts'

let app: TestApp
beforeAll(async () => {
  app = await testApp()
})
afterAll(() => app.stop())

/** A broker with an account of one property that has a critical discrepancy. */
async function scene() {
  const company = await makeCompany(app.system)
  const user = await makeUser(app.system, { role: 'broker', companyId: company.id })
  const accountId = await reconciledAccount(app, company.id, [{ building_value: null, contents_value: null, bi_value: null }])
  await addToAccount(app, accountId, user.id)
  return { accountId, company, call: app.as(user.id) }
}
const read = async (call: As, path: string): Promise<Metric> => (await call.get(`/api/v1/metrics/${path}`)).body.data
const linkedTotal = async (call: As, { model, filters }: { model: string; filters: Record<string, string> }): Promise<number> =>
  (await call.get(`/api/v1/${model}?${new URLSearchParams(filters)}`)).body.meta.total
const setEffective = (id: string, days: number) =>
  app.system.db
    .updateTable('accounts')
    .set({ effective_date: sql`(now() AT TIME ZONE (SELECT timezone FROM companies WHERE id = company_id))::date + ${days}::int` })
    .where('id', '=', id)
    .execute()

describe('accounts in work', () => {
  it('are counted by what they need, and each count opens as many accounts', async () => {
    const { call, accountId, company } = await scene()
    const empty = await reconciledAccount(app, company.id, [])
    await transact(app.system, (tx) => requestReconciliation(tx, accountId, 'document'))
    const { statistics } = await read(call, 'accounts/attention')
    expect(Object.fromEntries(statistics.map(({ key, count }) => [key, count]))).toMatchObject({
      critical: 1,
      check: 1,
      unchecked: 0,
      no_properties: 1,
      no_documents: 2,
      open_import: 0,
      no_date: 2,
    })
    for (const { key, count, action } of statistics) expect(action === null ? 0 : await linkedTotal(call, action), key).toBe(count)
    await app.system.db
      .updateTable('accounts')
      .set({ status_id: sql`(SELECT id FROM statuses WHERE company_id = ${company.id} AND name = 'Bound')` })
      .where('id', 'in', [accountId, empty])
      .execute()
    const closed = await read(call, 'accounts/attention?force=1')
    expect(closed.statistics.every(({ count }) => count === 0)).toBe(true)
  })

  it('are due by their effective date, with the state of their check, and the total opens them', async () => {
    const { call, accountId, company } = await scene()
    const later = await reconciledAccount(app, company.id, [{}])
    await setEffective(accountId, 20)
    await setEffective(later, 45)
    const due = async (days: number) => (await call.get(`/api/v1/metrics/accounts/due?days=${days}`)).body.data
    expect((await due(30)).accounts.map(({ id }: { id: string }) => id)).toEqual([accountId])
    const { total, accounts } = await due(60)
    expect(accounts.map(({ id }: { id: string }) => id)).toEqual([accountId, later])
    expect(await linkedTotal(call, { model: 'accounts', filters: { filter__attention: 'due_60' } })).toBe(total)
    const critical = { filter__account_id: accountId, filter__status: 'active', filter__severity: 'critical' }
    expect(accounts[0].check.state).toBe('current')
    expect(accounts[0].check.critical).toBe(await linkedTotal(call, { model: 'account_properties', filters: critical }))
    await transact(app.system, (tx) => requestReconciliation(tx, accountId, 'document'))
    expect((await due(60)).accounts[0].check.state).toBe('waiting')
  })

  it('count a check that hits most properties as one warning about the schedule, not as open discrepancies', async () => {
    const { call, company } = await scene()
    const id = await reconciledAccount(
      app,
      company.id,
      Array.from({ length: 10 }, () => ({ sprinklered: 'unknown' as const })),
    )
    await setEffective(id, 10)
    const { accounts } = (await call.get('/api/v1/metrics/accounts/due?days=30')).body.data
    expect(accounts[0].check).toMatchObject({ open: 0, schedule_warnings: 1 })
  })

  it('stay due and are overdue until they are closed, no matter how long ago their effective date was', async () => {
    const { call, accountId, company } = await scene()
    const today = await reconciledAccount(app, company.id, [{}])
    const closed = await reconciledAccount(app, company.id, [{}])
    await setEffective(accountId, -400)
    await setEffective(today, 0)
    await setEffective(closed, -400)
    await app.system.db
      .updateTable('accounts')
      .set({ status_id: sql`(SELECT id FROM statuses WHERE company_id = ${company.id} AND name = 'Bound')` })
      .where('id', '=', closed)
      .execute()
    const { accounts } = (await call.get('/api/v1/metrics/accounts/due?days=30')).body.data
    expect(accounts.map(({ id, days_left }: DueSubmission) => [id, days_left])).toEqual([
      [accountId, -400],
      [today, 0],
    ])
    const overdue = (await read(call, 'accounts/attention?force=1')).statistics.find(({ key }) => key === 'overdue')
    expect(overdue?.count).toBe(1)
    expect(await linkedTotal(call, { model: 'accounts', filters: { filter__attention: 'overdue' } })).toBe(1)
  })

  it('are due only for users who see them', async () => {
    const { accountId } = await scene()
    await setEffective(accountId, 5)
    const stranger = app.as((await makeUser(app.system, { role: 'broker' })).id)
    expect((await stranger.get('/api/v1/metrics/accounts/due')).body.data).toEqual({ total: 0, tiv: [], accounts: [] })
  })
})

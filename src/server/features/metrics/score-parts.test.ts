import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Metric } from '#contract/metrics.ts'
import { testApp, type TestApp } from '#server/testing/app.ts'
import { makeCompany, makeUser } from '#server/testing/factories/people.ts'
import { addToAccount, reconciledAccount } from '#server/testing/factories/register.ts'

let app: TestApp
beforeAll(async () => {
  app = await testApp()
})
afterAll(() => app.stop())

it('the score has the points of its parts, which add up to the score without its limit, and none of a run that stored none', async () => {
  const company = await makeCompany(app.system)
  const user = await makeUser(app.system, { role: 'broker', companyId: company.id })
  const accountId = await reconciledAccount(app, company.id, [{}, { stories: null }, { building_value: null }])
  await addToAccount(app, accountId, user.id)
  const scoreOf = async () => {
    const metric: Metric = (await app.as(user.id).get(`/api/v1/metrics/accounts/${accountId}/reconciliation?force=1`)).body.data
    return metric.statistics.find(({ key }) => key === 'score')
  }
  const runs = app.system.db.selectFrom('reconciliation_runs').select('uncapped_score').where('account_id', '=', accountId)
  const { uncapped_score: uncapped } = await runs.executeTakeFirstOrThrow()
  const score = await scoreOf()
  expect(score?.count).toBeLessThan(uncapped ?? 0)
  expect(score?.parts?.map(({ label, max }) => `${label} ${max}`)).toEqual([
    'Completeness 50',
    'Plausibility 20',
    'Evidence 15',
    'Age of values 15',
  ])
  expect(score?.parts?.reduce((sum, { points }) => sum + points, 0)).toBe(uncapped)
  await app.system.db.updateTable('reconciliation_runs').set({ score_parts: null }).where('account_id', '=', accountId).execute()
  expect((await scoreOf())?.parts).toBeUndefined()
})

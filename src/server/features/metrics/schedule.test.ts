import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Insertable } from 'kysely'
import type { PropertyRow } from '#contract/account-properties.ts'
import type { Metric } from '#contract/metrics.ts'
import type { AccountProperties } from '#server/db/schema.gen.ts'
import { testApp, type TestApp } from '#server/testing/app.ts'
import { makeCompany, makeUser } from '#server/testing/factories/people.ts'
import { addToAccount, reconciledAccount } from '#server/testing/factories/register.ts'

let app: TestApp
beforeAll(async () => {
  app = await testApp()
})
afterAll(() => app.stop())

type Changes = Partial<Insertable<AccountProperties>>
const times = (count: number, changes: Changes = {}): Changes[] => Array.from({ length: count }, () => changes)

async function scene(properties: readonly Changes[]) {
  const company = await makeCompany(app.system)
  const user = await makeUser(app.system, { role: 'broker', companyId: company.id })
  const accountId = await reconciledAccount(app, company.id, properties)
  await addToAccount(app, accountId, user.id)
  const call = app.as(user.id)
  const { statistics, counts }: Metric = (await call.get(`/api/v1/metrics/accounts/${accountId}/reconciliation`)).body.data
  const rows = async (filters: Record<string, string> = {}): Promise<PropertyRow[]> =>
    (await call.get(`/api/v1/account_properties?${new URLSearchParams({ filter__account_id: accountId, ...filters, paginate: '100' })}`))
      .body.data
  const statistic = (key: string) => statistics.find((one) => one.key === key)
  const sentenceOf = (check: string) => counts.find(({ id }) => id === check)
  return { accountId, rows, statistic, sentenceOf }
}

const UNVALUED = { building_value: null, contents_value: null, bi_value: null }

describe('a value that many properties have', () => {
  it('is one sentence about the schedule, with the rows it is on, and no discrepancy of each of them', async () => {
    const { accountId, rows, statistic, sentenceOf } = await scene([
      ...times(5, { year_built: 2000 }),
      ...Array.from({ length: 6 }, (_, index) => ({ year_built: 2001 + index })),
      { construction_class: null, year_built: 2010 },
    ])
    const repeated = sentenceOf('DQ-16')
    expect(repeated).toMatchObject({
      count: 5,
      sentence: 'Year built is 2000 on 5 of 12 properties: confirm that it is no placeholder',
    })
    expect(await rows(repeated?.action?.filters)).toHaveLength(5)
    expect(statistic('discrepancies')).toMatchObject({ count: 1, findings: 1 })
    expect(await rows({ filter__has_discrepancy: '1' })).toHaveLength(1)
    const states = app.system.db.selectFrom('check_states').select('value_by_check').where('account_id', '=', accountId)
    expect(Object.keys((await states.executeTakeFirstOrThrow()).value_by_check as object)).toEqual(['DQ-03'])
  })
})

describe('a critical discrepancy of the whole schedule', () => {
  it('is in the row of each property, at its field, and counted apart from those of the property', async () => {
    const { rows } = await scene([...times(9, { ...UNVALUED, sprinklered: 'unknown' }), { year_built: null }])
    const critical = await rows({ filter__severity: 'critical' })
    expect(critical).toHaveLength(9)
    for (const { findings, discrepancies, schedule_findings: ofSchedule } of critical) {
      expect(findings).toMatchObject([{ field: 'building_value', severity: 'critical', widespread: true }])
      expect([discrepancies.value, ofSchedule]).toEqual([0, 2])
    }
    const [other] = await rows({ filter__has_discrepancy: '1' })
    expect(other).toMatchObject({ discrepancies: { value: 1 }, schedule_findings: 0, findings: [{ widespread: false }] })
  })
})

describe('the statistics of a schedule with sentences', () => {
  it('say that they leave out what the sentences say', async () => {
    const { statistic } = await scene([...times(9, UNVALUED), { year_built: null }])
    expect(statistic('critical')?.count).toBe(9)
    expect(statistic('discrepancies')).toMatchObject({
      label: 'Properties with discrepancies of their own',
      help: 'Open discrepancies, apart from those of the whole schedule.',
      count: 1,
      critical: 0,
    })
    expect(statistic('incomplete')).toMatchObject({
      help: 'Core location, construction, occupancy or protection data is missing, apart from what is said of the whole schedule.',
      count: 1,
    })
  })

  it('say nothing of a schedule without sentences', async () => {
    const { statistic } = await scene([...times(9), { year_built: null }])
    expect(statistic('discrepancies')).toMatchObject({
      label: 'Properties with discrepancies',
      help: 'Open discrepancies.',
    })
    expect(statistic('incomplete')?.help).toBe('Core location, construction, occupancy, protection or value data is missing.')
  })
})

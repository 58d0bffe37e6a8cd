import { describe, expect, it } from 'vitest'
import type { FlagGroups } from '#contract/flags.ts'
import type { As } from '#server/testing/app.ts'
import { makeUser } from '#server/testing/factories/people.ts'
import { addToAccount, makeAccount, makeProperty, makeSoundProperties, reconcile } from '#server/testing/factories/register.ts'
import { testTenant } from '#server/testing/tenants.fixture.ts'

const { app, tenant, owner, added } = await testTenant()
const { db } = app.system

/** State and ZIP disagree (DQ-02). */
const WRONG_STATE = { state: 'NY' }
const groupsOf = async (as: As): Promise<FlagGroups> => (await as.get('/api/v1/flags/groups')).body.data
const list = async (as: As, query: string) => (await as.get(`/api/v1/flags?paginate=100&filter__status=open,acknowledged&${query}`)).body
const totalOf = async (as: As, query: string): Promise<number> => (await list(as, query)).meta.total

async function scene() {
  const account = await makeAccount(app, tenant.company.id)
  await addToAccount(app, account, tenant.added.id)
  await makeSoundProperties(app, account)
  const ids = [
    await makeProperty(app, account, WRONG_STATE),
    await makeProperty(app, account, { ...WRONG_STATE, building_value: 0, contents_value: 0, bi_value: 0 }),
  ]
  await reconcile(app, account)
  return { account, ids }
}

describe('the open automatic flags', () => {
  it('are counted by check, and the list finds exactly those that are counted', async () => {
    const { ids } = await scene()
    await owner.post('/api/v1/flags', { flaggable_type: 'account_property', flaggable_id: ids[1], message: 'Check the roof.' })
    const { total, groups } = await groupsOf(owner)
    expect(groups.find(({ check }) => check === 'DQ-02')?.count).toBe(2)
    expect(total).toBe(await totalOf(owner, 'filter__origin=system'))
    expect(total).toBeGreaterThan(1)
    for (const { check, count } of groups) expect(await totalOf(owner, `filter__origin=system&filter__check=${check ?? ''}`)).toBe(count)
    expect(await totalOf(owner, 'filter__origin=people,system')).toBe(total + (await totalOf(owner, 'filter__origin=people')))
    expect((await list(owner, 'filter__origin=somebody')).message).toContain('filter__origin')
  })

  it('belong to people once they are assigned, and are no longer counted as automatic', async () => {
    const before = await groupsOf(owner)
    const [row] = (await list(owner, 'filter__origin=system')).data
    expect((await owner.put(`/api/v1/flags/${row.id}`, { assigned_to: tenant.added.id })).status).toBe(200)
    expect((await groupsOf(owner)).total).toBe(before.total - 1)
    const ids = (await list(added, 'filter__origin=people&filter__mine=1')).data.map(({ id }: { id: string }) => id)
    expect(ids).toEqual([row.id])
  })

  it('include those of overdue recommendations, which are of no check', async () => {
    const { id } = await db.selectFrom('account_properties').select('id').where('account_id', '=', tenant.account).executeTakeFirstOrThrow()
    const values = { source: 'system', reason: 'recommendation_overdue', message: 'Recommendation 1 is overdue.' }
    await db
      .insertInto('flags')
      .values({ account_id: tenant.account, property_id: id, ...values })
      .execute()
    expect((await groupsOf(owner)).groups).toContainEqual({ check: null, reason: 'recommendation_overdue', count: 1 })
    expect(await totalOf(owner, 'filter__origin=system&filter__reason=recommendation_overdue')).toBe(1)
  })

  it('of accounts that the viewer does not see are not counted', async () => {
    const stranger = app.as((await makeUser(app.system)).id)
    expect(await groupsOf(stranger)).toEqual({ total: 0, groups: [] })
  })
})

it('a flag of the system names the checks that the last run found, not those of its first run', async () => {
  const {
    account,
    ids: [, id = ''],
  } = await scene()
  const flag = () =>
    db.selectFrom('flags').select(['message', 'checks']).where('property_id', '=', id).where('source', '=', 'system').executeTakeFirst()
  const first = await flag()
  expect(first?.checks).toContain('DQ-02')
  expect(first?.checks.length).toBeGreaterThan(1)
  await db.updateTable('account_properties').set({ state: 'TX' }).where('id', '=', id).execute()
  await reconcile(app, account)
  const second = await flag()
  expect(second?.checks).toEqual(first?.checks.filter((check) => check !== 'DQ-02'))
  expect(second?.message).not.toContain('State and ZIP disagree')
})

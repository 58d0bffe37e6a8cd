import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DEFAULT_ROLE_NAMES, type DefaultRole } from '#contract/default-roles.ts'
import type { Metric } from '#contract/metrics.ts'
import { testApp, type As, type TestApp } from '#server/testing/app.ts'
import { makeCompany, makeUser } from '#server/testing/factories/people.ts'
import { addToAccount, makeAccount, makeProperty } from '#server/testing/factories/register.ts'

let app: TestApp
let companyId: string
let accountId: string
beforeAll(async () => {
  app = await testApp()
  companyId = (await makeCompany(app.system)).id
  accountId = await makeAccount(app, companyId)
  const divested = { status: 'divested', divested_on: '2026-01-01' }
  for (const changes of [{}, {}, {}, divested, { deleted_at: new Date() }, { ...divested, deleted_at: new Date() }])
    await makeProperty(app, accountId, changes)
  await app.system.db
    .updateTable('accounts')
    .set({ deleted_at: new Date() })
    .where('id', '=', await makeAccount(app, companyId))
    .execute()
  await makeAccount(app, companyId)
  await makeUser(app.system, { companyId, role: 'client' })
  const { id: trashed } = await makeUser(app.system, { companyId, role: 'client' })
  await app.system.db.updateTable('users').set({ deleted_at: new Date() }).where('id', '=', trashed).execute()
  const other = await makeUser(app.system)
  await makeAccount(app, other.companyId)
})
afterAll(() => app.stop())

/** A user with the role who is added to the account; brokers and clients belong to its company, too. */
async function viewerWith(role: DefaultRole): Promise<As> {
  const user = await makeUser(app.system, { role, ...(role === 'broker' || role === 'client' ? { companyId } : {}) })
  await addToAccount(app, accountId, user.id)
  return app.as(user.id)
}
const listTotal = async (call: As, model: string, filters = '') => {
  const { status, body } = await call.get(`/api/v1/${model}?${filters}`)
  return status === 200 ? body.meta.total : status
}

describe.each(DEFAULT_ROLE_NAMES)('for the role %s', (role) => {
  it('the tiles of the dashboard count the rows of the lists that they open', async () => {
    const call = await viewerWith(role)
    const { status, body } = await call.get('/api/v1/metrics/init/summary')
    if (status === 403) return
    const { statistics }: Metric = body.data
    for (const { key, count, action } of statistics.filter(({ action: opens }) => opens !== null)) {
      expect(count, key).toBeGreaterThan(0)
      expect(await listTotal(call, action?.model ?? ''), key).toBe(count)
    }
    const opened = statistics.filter(({ action }) => action !== null).map(({ key }) => key)
    const lists = await Promise.all(['accounts', 'users'].map(async (model) => ((await listTotal(call, model)) === 403 ? [] : [model])))
    expect(opened).toEqual(lists.flat())
  })

  it('the tabs of the properties count the active and divested rows of the list', async () => {
    const call = await viewerWith(role)
    const { properties, divested_properties: divested } = (await call.get(`/api/v1/accounts/${accountId}`)).body.data
    const rows = (state: string) => listTotal(call, 'account_properties', `filter__account_id=${accountId}&filter__status=${state}`)
    const isAllowed = role !== 'upload_only'
    expect([properties, divested]).toEqual(isAllowed ? [3, 1] : [null, null])
    expect([await rows('active'), await rows('divested')]).toEqual(isAllowed ? [3, 1] : [403, 403])
  })
})

it('the reconciliation of an account with divested properties only says so, not that no properties exist', async () => {
  const call = await viewerWith('broker')
  const sold = await makeAccount(app, companyId)
  await makeProperty(app, sold, { status: 'divested', divested_on: '2026-01-01' })
  const { body } = await call.get(`/api/v1/metrics/accounts/${sold}/reconciliation`)
  expect(body.data.empty).toBe('All properties of this account are divested. Divested properties are not checked.')
})

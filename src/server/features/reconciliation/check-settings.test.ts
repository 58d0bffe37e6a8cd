import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { testApp, type TestApp } from '#server/testing/app.ts'
import { makeCompany, makeUser } from '#server/testing/factories/people.ts'
import { makeAccount, makeProperty, makeSoundProperties, reconcile } from '#server/testing/factories/register.ts'

let app: TestApp
let company: { id: string }
let broker: ReturnType<TestApp['as']>
beforeAll(async () => {
  app = await testApp({ worker: true })
})
afterAll(() => app.stop())
beforeEach(async () => {
  company = await makeCompany(app.system)
  broker = app.as((await makeUser(app.system, { companyId: company.id })).id)
})

const change = (check_settings: object, call = broker) => call.put(`/api/v1/companies/${company.id}`, { check_settings })
const state = async (accountId: string) => (await broker.get(`/api/v1/accounts/${accountId}/reconciliation`)).body.data.state
const open = async (accountId: string) =>
  (await broker.get(`/api/v1/discrepancies?filter__account_id=${accountId}&filter__status=open`)).body.meta.total

/** A checked account whose only finding is a missing year. */
async function checkedAccount(): Promise<string> {
  const accountId = await makeAccount(app, company.id)
  await makeSoundProperties(app, accountId)
  await makeProperty(app, accountId, { year_built: null })
  await reconcile(app, accountId)
  return accountId
}

describe('the settings of the checks', () => {
  it('make the findings of every account of the company out of date, then check them again by the new rules', async () => {
    const [first, second] = [await checkedAccount(), await checkedAccount()]
    const other = await makeAccount(app, (await makeCompany(app.system)).id)
    await makeProperty(app, other, { year_built: null })
    await reconcile(app, other)
    const requested = async (id: string) =>
      (await app.system.db.selectFrom('check_states').select('requested').where('account_id', '=', id).executeTakeFirstOrThrow()).requested
    const before = await requested(other)
    expect([await state(first), await open(first)]).toEqual(['current', 1])
    expect(await change({ checks: { 'DQ-04': { enabled: false } } })).toMatchObject({ status: 200 })
    expect(await state(second)).not.toBe('current')
    for (const id of [first, second])
      await vi.waitFor(async () => expect([await state(id), await open(id)]).toEqual(['current', 0]), { timeout: 30_000, interval: 100 })
    expect(await requested(other)).toBe(before)
  })

  it('make the metric of the account out of date with the change', async () => {
    const accountId = await checkedAccount()
    const isCurrent = async () => (await broker.get(`/api/v1/metrics/accounts/${accountId}/reconciliation`)).body.data.is_current
    expect(await isCurrent()).toBe(true)
    await change({ numbers: { staleMonths: 24 } })
    expect(await isCurrent()).toBe(false)
  })

  it('are named in the reconciliation while they turn a check off', async () => {
    const accountId = await checkedAccount()
    await change({ checks: { 'DQ-04': { enabled: false }, 'DQ-18': { enabled: true } } })
    const { body } = await broker.get(`/api/v1/metrics/accounts/${accountId}/reconciliation`)
    expect(body.data.turned_off).toEqual(['No year built'])
  })

  it('are stored as a whole and named in the history of the company', async () => {
    await change({ numbers: { staleMonths: 24 }, value_bands: { office: [100, 900] } })
    await change({ numbers: { staleMonths: 48 } })
    const { body } = await broker.get(`/api/v1/companies/${company.id}`)
    expect(body.data.check_settings).toEqual({ numbers: { staleMonths: 48 } })
    const lines = await app.system.db.selectFrom('activities').select('message').where('model_id', '=', company.id).execute()
    expect(lines.map(({ message }) => message)).toContainEqual(expect.stringMatching(/ changed the checks of the reconciliation$/))
  })

  it.each([
    ['a number beyond its limits', { numbers: { staleMonths: 0 } }, 'Please enter a number from 1 to 600.'],
    ['a share above 100%', { numbers: { outlierTolerance: 1.5 } }, 'Please enter a number from 0 to 100.'],
    ['a critical age below the age for a warning', { numbers: { staleCriticalMonths: 12 } }, 'Please enter at least 36.'],
    ['a band that ends below its beginning', { value_bands: { office: [900, 100] } }, 'The low value must be below the high one.'],
    ['an unknown check', { checks: { 'DQ-99': { enabled: false } } }, /./],
    ['an unknown severity', { checks: { 'DQ-04': { severity: { usual: 'fatal' } } } }, /./],
  ])('reject %s', async (_name, settings, message) => {
    const { status, body } = await change(settings)
    expect(status).toBe(400)
    expect(Object.values(body.errors).flat()).toEqual([expect.stringMatching(message)])
  })

  it('cannot be changed without the permission, nor for another company', async () => {
    const client = app.as((await makeUser(app.system, { role: 'client', companyId: company.id })).id)
    expect(await change({}, client)).toMatchObject({ status: 403 })
    const stranger = app.as((await makeUser(app.system)).id)
    expect(await change({}, stranger)).toMatchObject({ status: 404 })
  })
})

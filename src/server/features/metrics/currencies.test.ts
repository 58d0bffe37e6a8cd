import { expect, it } from 'vitest'
import { makeUser } from '#server/testing/factories/people.ts'
import { makeAccount, makeProperty } from '#server/testing/factories/register.ts'
import { testTenant } from '#server/testing/tenants.fixture.ts'

const { app, tenant } = await testTenant()
const broker = app.as((await makeUser(app.system, { role: 'broker', companyId: tenant.company.id })).id)
const accountIn = async (...values: [currency: string, buildingValue: number][]) => {
  const id = await makeAccount(app, tenant.company.id)
  for (const [currency, building_value] of values)
    await makeProperty(app, id, { currency, building_value, contents_value: null, bi_value: null })
  return id
}
// The tenant has another account with $5,750,000.
const american = await accountIn(['USD', 300])
const canadian = await accountIn(['CAD', 7_000_000], ['CAD', 200])
const mixed = await accountIn(['USD', 50], ['CAD', 7])

const accountOf = async (id: string) => (await broker.get(`/api/v1/accounts/${id}`)).body.data
const totalOfAccount = async (id: string) => {
  const { tiv, currency } = await accountOf(id)
  return [tiv, currency]
}

it('an account has the currency of its properties, and none if they are in several', async () => {
  expect(await Promise.all([american, canadian, mixed].map(totalOfAccount))).toEqual([
    [300, 'USD'],
    [7_000_200, 'CAD'],
    [57, null],
  ])
})

it('the list of accounts shows the total insured value in the currency of the account', async () => {
  const { data } = (await broker.get('/api/v1/accounts')).body
  const shown = Object.fromEntries(
    data.map(({ id, tiv, currency }: { id: string; tiv: { text: string }; currency: string }) => [id, [tiv.text, currency]]),
  )
  expect(shown[american]).toEqual(['$300', 'USD'])
  expect(shown[canadian]).toEqual(['CA$7,000,200', 'CAD'])
  expect(shown[mixed]).toEqual(['Several currencies', null])
})

it('the dashboard shows the total insured value in each currency, the largest first, and adds none of them up', async () => {
  const { statistics } = (await broker.get('/api/v1/metrics/init/summary')).body.data
  const tile = statistics.find(({ key }: { key: string }) => key === 'tiv')
  expect(tile.display_count).toBe('CA$7,000,207 and $5,750,350')
  expect(tile.amounts).toEqual([
    { amount: 7_000_207, currency: 'CAD' },
    { amount: 5_750_350, currency: 'USD' },
  ])
})

it('the metrics of an account name the currency of their values', async () => {
  const metrics = ['property-types', 'property-locations', 'reconciliation']
  const currencies = await Promise.all(
    metrics.map(async (name) => (await broker.get(`/api/v1/metrics/accounts/${canadian}/${name}`)).body.data.currency),
  )
  expect(currencies).toEqual(['CAD', 'CAD', 'CAD'])
})

it('the currency of an account changes with the properties that have a value', async () => {
  const id = await accountIn(['CAD', 10])
  const property = await makeProperty(app, id, { currency: 'EUR', building_value: 20, contents_value: null, bi_value: null })
  expect(await totalOfAccount(id)).toEqual([30, null])
  const set = (changes: object) => app.system.db.updateTable('account_properties').set(changes).where('id', '=', property).execute()
  await set({ deleted_at: new Date() })
  expect(await totalOfAccount(id)).toEqual([10, 'CAD'])
  await set({ deleted_at: null })
  expect(await totalOfAccount(id)).toEqual([30, null])
  await app.system.db.deleteFrom('account_properties').where('account_id', '=', id).where('currency', '=', 'CAD').execute()
  expect(await totalOfAccount(id)).toEqual([20, 'EUR'])
  await set({ currency: 'GBP' })
  expect(await totalOfAccount(id)).toEqual([20, 'GBP'])
})

it('submissions due have their value in each currency', async () => {
  const today = app.system.clock.now().toISOString().slice(0, 10)
  await app.system.db.updateTable('accounts').set({ effective_date: today }).where('id', 'in', [american, canadian]).execute()
  const { data } = (await broker.get('/api/v1/metrics/accounts/due')).body
  expect(data.tiv).toEqual([
    { amount: 7_000_200, currency: 'CAD' },
    { amount: 300, currency: 'USD' },
  ])
  expect(data.accounts.find(({ id }: { id: string }) => id === canadian).check.currency).toBe('CAD')
})

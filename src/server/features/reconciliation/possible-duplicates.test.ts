import { afterAll, beforeAll, expect, it } from 'vitest'
import type { PropertyRow } from '#contract/account-properties.ts'
import type { Cell } from '#contract/datatable.ts'
import type { Metric } from '#contract/metrics.ts'
import { testApp, type TestApp } from '#server/testing/app.ts'
import { makeCompany, makeUser } from '#server/testing/factories/people.ts'
import { addToAccount, makeProperty, makeSoundProperties, reconcile, makeAccount } from '#server/testing/factories/register.ts'

let app: TestApp
beforeAll(async () => {
  app = await testApp()
})
afterAll(() => app.stop())

/** A broker with an account that contains a pair of possible duplicates in addition to sound properties. */
async function accountWithPair() {
  const company = await makeCompany(app.system)
  const user = await makeUser(app.system, { role: 'broker', companyId: company.id })
  const accountId = await makeAccount(app, company.id)
  await makeSoundProperties(app, accountId)
  const twins = { T1: '1 Elm St', T2: '1 Elm Street' }
  for (const [location_number, address] of Object.entries(twins))
    await makeProperty(app, accountId, { location_number, property_name: 'Twin', address, address_key: '1|ELM ST||75201' })
  await reconcile(app, accountId)
  await addToAccount(app, accountId, user.id)
  const call = app.as(user.id)
  return { call, accountId }
}

it('counts both properties of a possible duplicate, and the list it opens has both', async () => {
  const { call, accountId } = await accountWithPair()
  const { statistics, counts }: Metric = (await call.get(`/api/v1/metrics/accounts/${accountId}/reconciliation`)).body.data
  const line = statistics.find(({ key }) => key === 'possible_duplicate')
  expect(line).toMatchObject({ count: 2, findings: 1 })
  expect(counts.find(({ id }) => id === 'DQ-09')).toMatchObject({ count: 2, findings: 1 })
  const { body } = await call.get(`/api/v1/account_properties?${new URLSearchParams(line?.action?.filters)}`)
  expect(body.data.map(({ address }: { address: Cell }) => address.text).toSorted()).toEqual(['1 Elm St', '1 Elm Street'])
})

it('shows a possible duplicate at both of its properties, each with a link to the other one', async () => {
  const { call, accountId } = await accountWithPair()
  const listed = async (filter: string): Promise<PropertyRow[]> =>
    (await call.get(`/api/v1/account_properties?filter__account_id=${accountId}&${filter}`)).body.data
  const pair = (await listed('filter__discrepancy=possible_duplicate')).toSorted((one, other) => (one.id < other.id ? -1 : 1))
  const [first, second] = pair
  expect(pair.map(({ discrepancies, findings }) => [discrepancies.value, findings?.map(({ message }) => message)])).toEqual([
    [1, [expect.stringMatching(/^(Possibly|Probably) the same building as Location T2: same address/)]],
    [1, [expect.stringMatching(/^(Possibly|Probably) the same building as Location T1: same address/)]],
  ])
  const othersOf = async (id = ''): Promise<unknown> =>
    (await call.get(`/api/v1/account_properties/${id}`)).body.data.findings.map(({ other }: { other: unknown }) => other)
  expect(await othersOf(first?.id)).toEqual([{ id: second?.id, title: 'Location T2' }])
  expect(await othersOf(second?.id)).toEqual([{ id: first?.id, title: 'Location T1' }])
})

it('counts the second property of a pair among those with discrepancies, wherever they are counted', async () => {
  const { call, accountId } = await accountWithPair()
  const idsWith = async (has: string) =>
    (await call.get(`/api/v1/account_properties?filter__account_id=${accountId}&filter__has_discrepancy=${has}&paginate=100`)).body.data
  const withOne: PropertyRow[] = await idsWith('1')
  expect(withOne.filter(({ location_number }) => location_number.text.startsWith('T'))).toHaveLength(2)
  expect((await idsWith('0')).every(({ discrepancies }: PropertyRow) => discrepancies.value === 0)).toBe(true)
  const { statistics }: Metric = (await call.get(`/api/v1/metrics/accounts/${accountId}/reconciliation`)).body.data
  expect(statistics.find(({ key }) => key === 'discrepancies')?.count).toBe(withOne.length)
  const soon = new Date(app.system.clock.now().getTime() + 5 * 86_400_000)
  await app.system.db
    .updateTable('accounts')
    .set({ effective_date: soon.toISOString().slice(0, 10) })
    .where('id', '=', accountId)
    .execute()
  const { accounts } = (await call.get('/api/v1/metrics/accounts/due?days=30')).body.data
  expect(accounts.find(({ id }: { id: string }) => id === accountId).check.open).toBe(withOne.length)
})

it('counts a critical pair once among the critical properties, in every line and in the list', async () => {
  const { call, accountId } = await accountWithPair()
  await app.system.db
    .updateTable('discrepancies')
    .set({ severity: 'critical' })
    .where('account_id', '=', accountId)
    .where('check_id', '=', 'DQ-09')
    .execute()
  const { statistics, counts }: Metric = (await call.get(`/api/v1/metrics/accounts/${accountId}/reconciliation`)).body.data
  const line = (wanted: string) => statistics.find(({ key }) => key === wanted)
  const { body } = await call.get(`/api/v1/account_properties?${new URLSearchParams(line('critical')?.action?.filters)}`)
  expect(body.meta.total).toBe(1)
  expect([line('critical')?.count, line('discrepancies')?.critical, line('possible_duplicate')?.critical]).toEqual([1, 1, 1])
  expect(counts.find(({ id }) => id === 'DQ-09')).toMatchObject({ count: 2, critical: 1 })
})

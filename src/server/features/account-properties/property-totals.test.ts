import { afterAll, beforeAll, expect, test } from 'vitest'
import { testApp, type As, type TestApp } from '#server/testing/app.ts'
import { makeUser } from '#server/testing/factories/people.ts'
import { makeAccount, makeProperty } from '#server/testing/factories/register.ts'

let app: TestApp
let broker: As
let accountId: string
let companyId: string

beforeAll(async () => {
  app = await testApp()
  const user = await makeUser(app.system, {})
  broker = app.as(user.id)
  companyId = user.companyId
  accountId = await makeAccount(app, companyId)
  for (const state of ['TX', 'TX', 'OH'])
    await makeProperty(app, accountId, {
      state,
      building_value: 3_000_000_000,
      contents_value: 20,
      bi_value: null,
      property_name: `Depot ${state}`,
    })
  await makeProperty(app, accountId, {
    state: 'TX',
    building_value: 7,
    contents_value: 5,
    bi_value: 3,
    status: 'divested',
    divested_on: '2026-01-31',
    divested_reason: 'sold',
  })
})
afterAll(() => app.stop())

const metaOf = async (query: string) => (await broker.get(`/api/v1/account_properties?${query}`)).body.meta

test('the list of an account has the sums of all its rows, not of one page', async () => {
  expect(await metaOf(`filter__account_id=${accountId}&filter__status=active&paginate=1`)).toMatchObject({
    total: 3,
    totals: { building_value: 9_000_000_000, contents_value: 60, bi_value: 0, tiv: 9_000_000_060 },
    valued: { building_value: 3, contents_value: 3, bi_value: 0, tiv: 3 },
  })
})

test.each([
  ['a filter', 'filter__state=OH&filter__status=active'],
  ['a search', 'search=Depot%20OH'],
])('the sums follow %s', async (_case, narrowed) => {
  expect(await metaOf(`filter__account_id=${accountId}&${narrowed}`)).toMatchObject({ total: 1, totals: { tiv: 3_000_000_020 } })
})

test('the sums of a list without rows are zero', async () => {
  expect(await metaOf(`filter__account_id=${accountId}&filter__state=AK`)).toMatchObject({ total: 0, totals: { tiv: 0 } })
})

test('a list across accounts has no sums, which would read every property', async () => {
  expect(await metaOf('paginate=1')).not.toHaveProperty('totals')
})

test('the total insured value of properties without values is unknown, and one of zero is known', async () => {
  const account = await makeAccount(app, companyId)
  for (const building_value of [null, null, 0]) await makeProperty(app, account, { building_value, contents_value: null, bi_value: null })
  const meta = await metaOf(`filter__account_id=${account}&paginate=1`)
  expect(meta).toMatchObject({ totals: { tiv: 0 }, valued: { building_value: 1, contents_value: 0, tiv: 1 } })
})

test('contents that are stated apart have sums of their own, for the parts of the value', async () => {
  const account = await makeAccount(app, companyId)
  for (const stock_value of [40, null]) await makeProperty(app, account, { building_value: 100, contents_value: null, stock_value })
  const meta = await metaOf(`filter__account_id=${account}&paginate=1`)
  expect(meta).toMatchObject({ totals: { contents_value: 0, stock_value: 40 }, valued: { contents_value: 0, stock_value: 1 } })
})

test('the list of accounts shows no value for an account whose properties have none', async () => {
  const account = await makeAccount(app, companyId)
  await makeProperty(app, account, { building_value: null, contents_value: null, bi_value: null })
  const { body } = await broker.get('/api/v1/accounts?paginate=100')
  expect(body.data.find((row: { id: string }) => row.id === account)).toMatchObject({
    properties: { value: 1 },
    tiv: { value: null, text: '' },
  })
})

import { afterAll, beforeAll, expect, it } from 'vitest'
import { testApp, type TestApp } from '#server/testing/app.ts'
import { makeCompany, makeUser } from '#server/testing/factories/people.ts'
import { addToAccount, makeAccount, makeProperty } from '#server/testing/factories/register.ts'

let app: TestApp
beforeAll(async () => {
  app = await testApp()
})
afterAll(() => app.stop())

it('the summary of a register says what its active properties have in common, and of how many it is not known', async () => {
  const company = await makeCompany(app.system)
  const { id } = await makeUser(app.system, { role: 'broker', companyId: company.id })
  const accountId = await makeAccount(app, company.id)
  await addToAccount(app, accountId, id)
  const read = async () => (await app.as(id).get(`/api/v1/account_properties/${accountId}/summary`)).body.data
  const nothing = {
    states: 0,
    countries: 0,
    country: null,
    valuation_bases: [],
    valued_from: null,
    valued_to: null,
    undated: 0,
    without_basis: 0,
  }
  expect(await read()).toEqual(nothing)
  const values = { building_value: 100, contents_value: null, bi_value: null, valuation_basis: 'rcv' }
  await makeProperty(app, accountId, { ...values, state: 'TX', valuation_date: '2026-03-24' })
  await makeProperty(app, accountId, { ...values, state: 'OK', valuation_date: '2025-01-02' })
  await makeProperty(app, accountId, { ...values, state: 'OK', valuation_date: null })
  // Without a value, its basis and day mean nothing.
  await makeProperty(app, accountId, { ...values, building_value: null, state: 'TX', valuation_date: '2020-01-01', valuation_basis: 'acv' })
  await makeProperty(app, accountId, {
    ...values,
    state: 'NV',
    valuation_date: '2019-01-01',
    status: 'divested',
    divested_on: '2026-01-01',
  })
  const known = { states: 2, countries: 1, country: 'US', valuation_bases: ['rcv'], valued_from: '2025-01-02', valued_to: '2026-03-24' }
  expect(await read()).toEqual({ ...known, undated: 1, without_basis: 0 })
  await makeProperty(app, accountId, { ...values, country: 'CA', state: 'ON', valuation_date: null, valuation_basis: 'unknown' })
  expect(await read()).toEqual({ ...known, states: 3, countries: 2, country: null, undated: 2, without_basis: 1 })
})

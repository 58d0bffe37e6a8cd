import { expect, it } from 'vitest'
import { SCHEDULE_ORDER } from '#server/features/account-properties/property-columns.ts'
import { makeAccount, makeProperty } from '#server/testing/factories/accounts.ts'
import { testTenant } from '#server/testing/tenants.fixture.ts'
import { byLocation } from './property-order.ts'

const { app, tenant } = await testTenant()

it('properties have the same order in lists of documents and of properties', async () => {
  const account = await makeAccount(app.system, { companyId: tenant.company.id })
  for (const [location_number, building_number, address] of [
    [null, '1', '10 Elm St'],
    [null, '1', '9 Elm St'],
    ['10', '1', '1 Oak St'],
    ['2', '10', '1 Oak St'],
    ['2', '1', '30 Oak St'],
    ['02', '01', '20 Oak St'],
    ['2', '1A', '10 Oak St'],
    ['A10', '1', '1 Oak St'],
    ['a2', '1', '1 Oak St'],
  ] as const) {
    await makeProperty(app.system, account.id, { location_number, building_number, address })
  }
  const listed = await app.system.db
    .selectFrom('account_properties')
    .select(['id', 'location_number', 'building_number', 'address'])
    .where('account_id', '=', account.id)
    .orderBy(SCHEDULE_ORDER)
    .execute()
  expect(listed.toSorted(byLocation)).toEqual(listed)
  expect(listed.map(({ location_number, building_number, address }) => [location_number, building_number, address].join(' / '))).toEqual([
    '2 / 1 / 30 Oak St',
    '02 / 01 / 20 Oak St',
    '2 / 10 / 1 Oak St',
    '2 / 1A / 10 Oak St',
    '10 / 1 / 1 Oak St',
    'a2 / 1 / 1 Oak St',
    'A10 / 1 / 1 Oak St',
    ' / 1 / 9 Elm St',
    ' / 1 / 10 Elm St',
  ])
})

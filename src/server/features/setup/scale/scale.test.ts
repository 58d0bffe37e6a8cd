import { afterAll, beforeAll, expect, it } from 'vitest'
import { addressKeys } from '#server/engines/address/address-keys.ts'
import { testApp, type TestApp } from '#server/testing/app.ts'
import { seedScale } from './scale.ts'

let app: TestApp
const lines: string[] = []
const indexes = async () =>
  (await app.system.pool.query<{ indexdef: string }>("SELECT indexdef FROM pg_indexes WHERE schemaname = 'public' ORDER BY 1")).rows
let indexesBefore: unknown

beforeAll(async () => {
  app = await testApp({ asOwner: true })
  indexesBefore = await indexes()
  const sizes = { companies: 3, usersPerCompany: 5, accounts: 40, properties: 800, files: 60 }
  await seedScale(app.system, { ...sizes, passwordHash: 'none', exclusive: true }, (line) => lines.push(line))
}, 60_000)
afterAll(() => app.stop())

const one = async (text: string) => (await app.system.pool.query<Record<string, number>>(text)).rows[0]

it('seedScale creates the requested numbers of records, the same every time', async () => {
  expect(
    await one(`SELECT (SELECT count(*) FROM companies) AS companies, (SELECT count(*) FROM users) AS users, (SELECT count(*) FROM accounts) AS accounts,
      (SELECT count(*) FROM account_properties) AS properties, (SELECT sum(tiv) FROM account_properties) AS tiv, (SELECT count(*) FROM account_files) AS files`),
  ).toEqual({ companies: 3, users: 15, accounts: 40, properties: 800, tiv: 13_785_394_740, files: 60 })
  expect(lines).toContain('800 properties')
})

it('seedScale leaves totals, grants, search entries and indexes like the application', async () => {
  expect(
    await one(`SELECT (SELECT sum(active_properties + divested_properties) FROM account_totals) AS properties, (SELECT sum(files_disclosed + files_sov) FROM account_totals) AS files,
      (SELECT sum(accounts) FROM principal_totals WHERE principal_id IN (SELECT id FROM companies)) AS grants, (SELECT count(*) FROM search_entries WHERE model = 'account_properties') AS entries`),
  ).toEqual({ properties: 800, files: 60, grants: 54, entries: 800 })
  expect(await indexes()).toEqual(indexesBefore)
})

it('seedScale writes the same address keys as the application', async () => {
  const rows = await app.system.db
    .selectFrom('account_properties')
    .select(['address', 'city', 'state', 'postal_code', 'address_key', 'weak_address_key'])
    .execute()
  expect(rows.filter((row) => row.address_key !== addressKeys(row).strong || row.weak_address_key !== addressKeys(row).weak)).toEqual([])
})

it('a user of seedScale sees the accounts of their own company', async () => {
  const { id } = await app.system.db.selectFrom('users').select('id').where('email', '=', 'user1@scale.example').executeTakeFirstOrThrow()
  const list = await app.as(id).get('/api/v1/accounts?paginate=100')
  expect(list.body.meta.total).toBe(list.body.data.length)
  expect(list.body.meta.total).toBeGreaterThan(13)
})

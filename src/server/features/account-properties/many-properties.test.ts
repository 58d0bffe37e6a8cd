import { afterAll, beforeAll, expect, it } from 'vitest'
import { testApp, type TestApp } from '#server/testing/app.ts'
import { makeAccount } from '#server/testing/factories/accounts.ts'
import { makeCompany } from '#server/testing/factories/people.ts'

const [FEW, MANY] = [1_000, 4_000]
/** Four times as many rows: linear time is about 4 times, quadratic time 16 times. */
const SLOWER_AT_MOST = 9

let app: TestApp
let account: string
beforeAll(async () => {
  app = await testApp()
  const company = await makeCompany(app.system)
  account = (await makeAccount(app.system, { companyId: company.id })).id
  await app.system.pool.query(
    `INSERT INTO account_properties (account_id, location_number, address, city, state, country)
      SELECT $1, n::text, n || ' Elm St', 'Dallas', 'TX', 'US' FROM generate_series(1, ${MANY}) n`,
    [account],
  )
})
afterAll(() => app.stop())

it('an update of many properties in one statement takes as long as there are rows, and all are found by their new values', async () => {
  const client = await app.system.pool.connect()
  try {
    const milliseconds = async (rows: number, city: string) => {
      const begun = performance.now()
      await client.query(
        `UPDATE account_properties SET city = $2 WHERE id IN (SELECT id FROM account_properties WHERE account_id = $1 ORDER BY id LIMIT ${rows})`,
        [account, city],
      )
      return performance.now() - begun
    }
    // The plan of the first update is used for the others of the connection.
    await milliseconds(1, 'Austin')
    const few = Math.min(await milliseconds(FEW, 'Houston'), await milliseconds(FEW, 'Laredo'))
    const many = Math.min(await milliseconds(MANY, 'El Paso'), await milliseconds(MANY, 'Odessa'))
    expect(many / few).toBeLessThan(SLOWER_AT_MOST)
  } finally {
    client.release()
  }
  const { rows } = await app.system.pool.query(
    "SELECT count(*)::int AS found FROM search_entries WHERE account_id = $1 AND body LIKE '%elm st odessa tx%'",
    [account],
  )
  expect(rows).toEqual([{ found: MANY }])
})

import { afterAll, beforeAll, expect, test } from 'vitest'
import { testApp, type TestApp } from '#server/testing/app.ts'
import { makeCompany, makeUser } from '#server/testing/factories/people.ts'
import { addToAccount, makeAccount, makeProperty, reconcile } from '#server/testing/factories/register.ts'

let app: TestApp
beforeAll(async () => {
  app = await testApp()
})
afterAll(() => app.stop())

test('findings sorted by property are in the order of the list of properties, those of one property together', async () => {
  const company = await makeCompany(app.system)
  const user = await makeUser(app.system, { role: 'broker', companyId: company.id })
  const accountId = await makeAccount(app, company.id)
  await addToAccount(app, accountId, user.id)
  const numbers = ['10', 'A10', '2', 'A2', '1']
  for (const location_number of numbers) await makeProperty(app, accountId, { location_number, year_built: null, stories: null })
  for (const building_number of ['10', '2'])
    await makeProperty(app, accountId, { location_number: '3', building_number, year_built: null, stories: null })
  await reconcile(app, accountId)
  const properties = await app.system.db.selectFrom('account_properties').selectAll().where('account_id', '=', accountId).execute()
  const nameOf = new Map(properties.map(({ id, location_number, building_number }) => [id, `${location_number}-${building_number}`]))
  const namesIn = async (order: string) => {
    const list = await app
      .as(user.id)
      .get(`/api/v1/discrepancies?filter__account_id=${accountId}&sort=property&order=${order}&paginate=100`)
    const ids = list.body.data.flatMap((row: { property_id: string | null }) => row.property_id ?? [])
    return ids.filter((id: string, index: number) => id !== ids[index - 1]).map((id: string) => nameOf.get(id))
  }
  expect(await namesIn('asc')).toEqual(['1-1', '2-1', '3-2', '3-10', '10-1', 'A2-1', 'A10-1'])
  expect(await namesIn('desc')).toEqual(['10-1', '3-10', '3-2', '2-1', '1-1', 'A10-1', 'A2-1'])
})

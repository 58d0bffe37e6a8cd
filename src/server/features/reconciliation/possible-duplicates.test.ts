import { afterAll, beforeAll, expect, it } from 'vitest'
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

it('counts both properties of a possible duplicate, and the list it opens has both', async () => {
  const company = await makeCompany(app.system)
  const user = await makeUser(app.system, { role: 'broker', companyId: company.id })
  const accountId = await makeAccount(app, company.id)
  await makeSoundProperties(app, accountId)
  for (const address of ['1 Elm St', '1 Elm Street']) await makeProperty(app, accountId, { address, address_key: '1|ELM ST||75201' })
  await reconcile(app, accountId)
  await addToAccount(app, accountId, user.id)
  const call = app.as(user.id)
  const { statistics, counts }: Metric = (await call.get(`/api/v1/metrics/accounts/${accountId}/reconciliation`)).body.data
  const line = statistics.find(({ key }) => key === 'possible_duplicate')
  expect(line).toMatchObject({ count: 2, findings: 1 })
  expect(counts.find(({ id }) => id === 'DQ-09')).toMatchObject({ count: 2, findings: 1 })
  const { body } = await call.get(`/api/v1/account_properties?${new URLSearchParams(line?.action?.filters)}`)
  expect(body.data.map(({ address }: { address: Cell }) => address.text).toSorted()).toEqual(['1 Elm St', '1 Elm Street'])
})

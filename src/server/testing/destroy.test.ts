import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Model } from '#contract/permissions.ts'
import { testApp, type As, type TestApp } from './app.ts'
import { makeTenant, type Tenant } from './tenants.fixture.ts'

let app: TestApp
let tenant: Tenant
/** A broker of another company whom the account was given to: may delete in it, and see what was deleted. */
let given: As
let owner: As

beforeAll(async () => {
  app = await testApp()
  tenant = await makeTenant(app)
  given = app.as(tenant.added.id)
  owner = app.as(tenant.owner.id)
})
afterAll(() => app.stop())

describe.each(['account_files', 'account_properties', 'accounts'] satisfies Model[])('%s of a foreign account', (model) => {
  const ids = () => [tenant.ids[model]]
  const remove = async (as: As, force?: true) => (await as.delete(`/api/v1/${model}`, { ids: ids(), ...(force && { force }) })).status

  it('may be thrown away and taken back by whoever may delete there', async () => {
    expect(await remove(given)).toBe(200)
    expect((await given.post(`/api/v1/${model}/restore`, { ids: ids() })).status).toBe(200)
  })

  it('are deleted for ever by their own company alone', async () => {
    expect(await remove(given)).toBe(200)
    expect(await remove(given, true)).toBe(403)
    expect((await owner.post(`/api/v1/${model}/restore`, { ids: ids() })).status).toBe(200)
    expect([await remove(owner), await remove(owner, true)]).toEqual([200, 200])
    expect((await owner.post(`/api/v1/${model}/restore`, { ids: ids() })).status).toBe(404)
  })
})

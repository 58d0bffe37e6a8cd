import { describe, expect, it } from 'vitest'
import type { As } from './app.ts'
import { modelsProbedAt } from './leak-probes.fixture.ts'
import { modelsWith } from './model-visibility.ts'
import { testTenant } from './tenants.fixture.ts'

/** `added` is a broker of another company with access to the account. */
const { tenant, owner, added } = await testTenant()

const withTrash = modelsProbedAt(/\/restore$/).filter((model) => modelsWith('account').includes(model))
/** The account last and properties next to last, because deleting them deletes their records. MODELS has them first. */
const containersLast = withTrash.toReversed()

describe.each(containersLast)('%s of another company', (model) => {
  const ids = () => [tenant.ids[model]]
  const remove = async (as: As, force?: true) => (await as.delete(`/api/v1/${model}`, { ids: ids(), ...(force && { force }) })).status
  const restore = async (as: As) => (await as.post(`/api/v1/${model}/restore`, { ids: ids() })).status

  it('is not permanently deleted, trashed twice or restored in the wrong state', async () => {
    expect([await remove(owner, true), await restore(owner)]).toEqual([409, 409])
    expect([await remove(owner), await remove(owner), await restore(owner)]).toEqual([200, 409, 200])
  })

  const isAccount = model === 'accounts'
  const rule = isAccount ? 'cannot be moved to the trash by' : 'can be moved to the trash and restored by'
  it(`${rule} a user with access and the permission to delete`, async () => {
    expect([await remove(added), await restore(added)]).toEqual(isAccount ? [403, 403] : [200, 200])
  })

  it('can be permanently deleted only by a user of the company that owns them', async () => {
    expect([await remove(isAccount ? owner : added), await remove(added, true)]).toEqual([200, 403])
    expect(await restore(owner)).toBe(200)
    expect([await remove(owner), await remove(owner, true)]).toEqual([200, 200])
    expect(await restore(owner)).toBe(404)
  })
})

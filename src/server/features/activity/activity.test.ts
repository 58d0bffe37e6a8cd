import { describe, expect, it } from 'vitest'
import { randomUUID } from 'node:crypto'
import { recordActivity } from '#server/engines/transaction/activity.ts'
import { transact } from '#server/engines/transaction/transact.ts'
import { makeTenant, testTenant } from '#server/testing/tenants.fixture.ts'

const { app, tenant, owner, ownerCtx: ctx } = await testTenant()

interface Line {
  id: string
  message: string
  datetime: string
  class: string
}
const page = async (query = '', as = owner) => (await as.get(`/api/v1/accounts/${tenant.account}/activity${query}`)).body
const messages = async (as = owner): Promise<string[]> => (await page('?paginate=100', as)).data.map(({ message }: Line) => message)

describe('the activity of an account', () => {
  it('lists what users did, newest first', async () => {
    await owner.put(`/api/v1/accounts/${tenant.account}`, { name: 'Zanzibar Retail' })
    const { data } = await page()
    expect(data[0]).toEqual({
      id: expect.any(String),
      message: 'Pat Zanzibar changed the name',
      datetime: expect.stringMatching(/Z$/),
      class: 'updated',
    })
    const times = data.map(({ datetime }: Line) => datetime)
    expect(times).toEqual(times.toSorted().toReversed())
  })

  it('has no line for a save that changed nothing', async () => {
    const before = await messages()
    await owner.put(`/api/v1/accounts/${tenant.account}`, { name: 'Zanzibar Retail' })
    expect(await messages()).toEqual(before)
  })

  it('counts grouped events, in the singular for one', async () => {
    const upload = (count: number) =>
      transact(ctx, (tx) =>
        recordActivity(tx, {
          model: 'account_files',
          modelId: randomUUID(),
          accountId: tenant.account,
          class: 'uploaded',
          message: '{user} sent {n} documents',
          group: { key: 'sent', count },
        }),
      )
    await upload(1)
    expect((await messages())[0]).toBe('Pat Zanzibar sent 1 document')
    await upload(20)
    expect((await messages())[0]).toBe('Pat Zanzibar sent 21 documents')
  })

  it('is paginated, with each line once', async () => {
    for (let count = 0; count < 12; count += 1) {
      await transact(ctx, (tx) =>
        recordActivity(tx, {
          model: 'accounts',
          modelId: tenant.account,
          accountId: tenant.account,
          class: 'updated',
          message: `line ${count}`,
        }),
      )
    }
    const all = await messages()
    const pages: string[] = []
    for (let at = 1; at <= Math.ceil(all.length / 5); at += 1)
      pages.push(...(await page(`?page=${at}&paginate=5`)).data.map(({ message }: Line) => message))
    expect(pages).toEqual(all)
    expect((await page('?paginate=5')).meta).toMatchObject({ current_page: 1, per_page: 5, total: all.length, from: 1, to: 5 })
  })

  it('hides lines about a permanently deleted document', async () => {
    const before = await messages()
    await transact(ctx, (tx) =>
      recordActivity(tx, {
        model: 'account_files',
        modelId: tenant.file,
        accountId: tenant.account,
        class: 'updated',
        message: 'about nothing',
        fileIds: [randomUUID()],
      }),
    )
    expect(await messages()).toEqual(before)
  })

  it('is forbidden to the carrier, and contains no lines of other accounts', async () => {
    expect((await app.as(tenant.carrier.id).get(`/api/v1/accounts/${tenant.account}/activity`)).status).toBe(403)
    const other = await makeTenant(app)
    const theirs = (await app.as(other.owner.id).get(`/api/v1/accounts/${other.account}/activity?paginate=100`)).body.data
    expect(theirs.some(({ message }: Line) => message.startsWith('line '))).toBe(false)
  })
})

import { describe, expect, it } from 'vitest'
import { makeAccount } from '#server/testing/factories/accounts.ts'
import { makeUser } from '#server/testing/factories/people.ts'
import { testBroker } from '#server/testing/tenants.fixture.ts'

const { app, broker } = await testBroker()

/** An account of the broker with two users of other companies. */
async function scene() {
  const [client, uploader] = [await makeUser(app.system, { role: 'client' }), await makeUser(app.system, { role: 'upload_only' })]
  const { id } = await makeAccount(app.system, { companyId: broker.companyId, users: [client.id, uploader.id] })
  const put = (users: string[]) => app.as(broker.id).put(`/api/v1/accounts/${id}`, { users })
  return { id, client, uploader, put }
}
async function usersOf(accountId: string): Promise<string[]> {
  const { sections } = (await app.as(broker.id).get(`/api/v1/forms/accounts/${accountId}`)).body.data
  const fields: { name: string; value: string[] }[] = sections.flatMap(({ fields }: { fields: unknown[] }) => fields)
  return fields.find(({ name }) => name === 'users')?.value ?? []
}

describe('the users with access to an account', () => {
  it('can be saved as the form shows them, and the access of one withdrawn, by a viewer who does not see the others', async () => {
    const { id, client, uploader, put } = await scene()
    expect((await put(await usersOf(id))).status).toBe(200)
    expect((await usersOf(id)).toSorted()).toEqual([client.id, uploader.id].toSorted())
    expect((await put([client.id])).status).toBe(200)
    expect(await usersOf(id)).toEqual([client.id])
    expect((await app.as(client.id).get(`/api/v1/accounts/${id}`)).status).toBe(200)
    expect((await app.as(uploader.id).get(`/api/v1/accounts/${id}`)).status).toBe(404)
  })

  it('can get a visible user in addition, but none that the viewer does not see', async () => {
    const { id, client, uploader, put } = await scene()
    const colleague = await makeUser(app.system, { companyId: broker.companyId })
    const stranger = await makeUser(app.system, { role: 'carrier' })
    const rejected = await put([client.id, uploader.id, stranger.id])
    expect([rejected.status, rejected.body.errors]).toEqual([
      400,
      { users: ['One of the users you added was not found. Choose users from the list.'] },
    ])
    expect((await put([client.id, uploader.id, colleague.id])).status).toBe(200)
    expect((await usersOf(id)).toSorted()).toEqual([client.id, uploader.id, colleague.id].toSorted())
  })
})

describe('a company that is named as broker', () => {
  /** An account whose company has named the broker. */
  async function named() {
    const owner = await makeUser(app.system, { role: 'broker' })
    const { id } = await makeAccount(app.system, { companyId: owner.companyId })
    const path = `/api/v1/accounts/${id}`
    expect((await app.as(owner.id).put(path, { broker_company_id: broker.companyId })).status).toBe(200)
    return { owner: app.as(owner.id), companyId: owner.companyId, path, byBroker: app.as(broker.id) }
  }

  it('works on the account but cannot give access to it, and so loses its own with the name', async () => {
    const { owner, path, byBroker } = await named()
    const rejected = await byBroker.put(path, { users: [broker.id] })
    expect([rejected.status, rejected.body.message]).toEqual([
      403,
      "Only the account's company can change its broker, carrier, users and sharing.",
    ])
    expect((await byBroker.put(path, { name: 'Renamed', broker_company_id: broker.companyId, users: [] })).status).toBe(200)
    expect((await owner.put(path, { broker_company_id: null })).status).toBe(200)
    expect([(await byBroker.get(path)).status, (await byBroker.put(path, { name: 'Again' })).status]).toEqual([404, 404])
  })

  it.each([{ broker_company_id: null }, { carrier_name: 'Acme Mutual' }, { broker_name: 'Summit' }, { sharing_enabled: true }])(
    'cannot save %j',
    async (change) => {
      const { path, byBroker } = await named()
      expect((await byBroker.put(path, change)).status).toBe(403)
    },
  )

  it('cannot change the carrier company or the users that the owner gave access, nor delete the account', async () => {
    const { owner, companyId, path, byBroker } = await named()
    const client = await makeUser(app.system, { role: 'client', companyId })
    expect((await owner.put(path, { users: [client.id] })).status).toBe(200)
    expect((await byBroker.put(path, { carrier_company_id: client.companyId })).status).toBe(403)
    expect((await byBroker.put(path, { users: [broker.id, client.id] })).status).toBe(403)
    expect((await byBroker.put(path, { users: [] })).status).toBe(403)
    expect((await byBroker.delete(path)).status).toBe(403)
    expect((await owner.delete(path)).status).toBe(200)
  })

  it('gets a form in which these fields are disabled', async () => {
    const { owner, path, byBroker } = await named()
    const disabled = async (as: typeof owner) => {
      const { sections } = (await as.get(path.replace('/accounts/', '/forms/accounts/'))).body.data
      const fields: { name: string; disabled?: boolean }[] = sections.flatMap(({ fields }: { fields: unknown[] }) => fields)
      return fields.filter((field) => field.disabled === true).map(({ name }) => name)
    }
    expect(await disabled(byBroker)).toEqual(['broker_company_id', 'broker_name', 'carrier_company_id', 'carrier_name', 'users'])
    expect(await disabled(owner)).toEqual([])
  })
})

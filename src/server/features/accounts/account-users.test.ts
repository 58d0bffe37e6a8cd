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

import { describe, expect, it, vi } from 'vitest'
import { queuedMails } from '#server/testing/clients.fixture.ts'
import { PASSWORD, testSignIns } from '#server/testing/sign-ins.fixture.ts'

vi.mock('@node-rs/argon2', { spy: true })

const { app, newUser } = await testSignIns()

type Person = Awaited<ReturnType<typeof newUser>>
type Act = (by: Person, on: Person) => Promise<{ status: number }>

async function roleId(name: string): Promise<string> {
  return (await app.system.db.selectFrom('roles').select('id').where('name', '=', name).executeTakeFirstOrThrow()).id
}

const STRIP: Act = async (by, on) => app.as(by.id).put(`/api/v1/users/${on.id}`, { roles: [await roleId('provider')] })
const TRASH: Act = (by, on) => app.as(by.id).delete('/api/v1/users', { ids: [on.id] })
const TRASH_COMPANY: Act = (by, on) => app.as(by.id).delete('/api/v1/companies', { ids: [on.companyId] })

describe('two administrators who act on each other at the same moment', () => {
  it.each([
    // The session goes on with the rights of the other role.
    ['take the role', STRIP, 403],
    ['move the user to the trash', TRASH, 401],
    ['move the company to the trash', TRASH_COMPANY, 401],
  ])('cannot both %s, so one of them remains', async (_what, act, rejected) => {
    for (let round = 0; round < 4; round += 1) {
      const [first, second] = [await newUser({ role: 'admin' }), await newUser({ role: 'admin' })]
      await Promise.all([app.as(first.id).get('/api/v1/init'), app.as(second.id).get('/api/v1/init')])
      const statuses = (await Promise.all([act(first, second), act(second, first)])).map(({ status }) => status)
      expect(statuses.toSorted((a, b) => a - b)).toEqual([200, rejected])
      const left = await Promise.all([first, second].map(({ id }) => app.as(id).get('/api/v1/subscriptions')))
      expect(left.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, rejected])
    }
  })
})

describe('a current password', () => {
  it('confirms one new password only, if several are sent at the same moment', async () => {
    const { id, email } = await newUser()
    const send = (index: number) =>
      app.as(id).put(`/api/v1/users/${id}`, { password: `a brand new password ${index}`, current_password: PASSWORD })
    await app.as(id).get('/api/v1/init')
    const statuses = (await Promise.all([send(1), send(2), send(3), send(4)])).map(({ status }) => status)
    // 400 for a call that compared the password after the change.
    const rejected = statuses.filter((status) => status === 400 || status === 401)
    expect([statuses.includes(200), rejected.length]).toEqual([true, 3])
    expect(await queuedMails(app, email)).toHaveLength(1)
  })
})

describe('a restored user', () => {
  it.each([
    ['the user', '/api/v1/users', (user: Person) => user.id],
    ['the company', '/api/v1/companies', (user: Person) => user.companyId],
  ])('has neither the sessions nor the password link from before %s was deleted', async (_what, path, idOf) => {
    const [admin, user] = [await newUser({ role: 'admin' }), await newUser()]
    expect((await app.as(user.id).get('/api/v1/init')).status).toBe(200)
    await app.anonymous.post('/api/v1/password/create', { email: user.email })
    const token = /reset-password\/([\w-]+)/.exec((await queuedMails(app, user.email))[0]?.text ?? '')?.[1]
    expect((await app.anonymous.get(`/api/v1/password/find/${token}`)).status).toBe(200)
    expect((await app.as(admin.id).delete(path, { ids: [idOf(user)] })).status).toBe(200)
    expect((await app.as(admin.id).post(`${path}/restore`, { ids: [idOf(user)] })).status).toBe(200)
    expect((await app.anonymous.get(`/api/v1/password/find/${token}`)).status).toBe(409)
    expect((await app.as(user.id).get('/api/v1/init')).status).toBe(401)
  })
})

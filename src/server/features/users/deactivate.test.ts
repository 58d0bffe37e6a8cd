import { describe, expect, it, vi } from 'vitest'
import type { PermissionName } from '#contract/permissions.ts'
import { loadViewer } from '#server/access/viewer.ts'
import { queuedMails } from '#server/testing/clients.fixture.ts'
import { PASSWORD, testSignIns } from '#server/testing/sign-ins.fixture.ts'

vi.mock('@node-rs/argon2', { spy: true })

const { app, newUser } = await testSignIns()

type Person = Awaited<ReturnType<typeof newUser>>

const act = (by: Person, action: 'deactivate' | 'reactivate' | 'send_welcome', ...on: Person[]) =>
  app.as(by.id).post('/api/v1/users/actions', { action, selectedIds: on.map(({ id }) => id) })
const signIn = ({ email }: Person, password = PASSWORD) => app.anonymous.post('/api/v1/login', { email, password })
const listed = async (by: Person, query: string) => {
  const { body } = await app.as(by.id).get(`/api/v1/users?${query}`)
  return body.data.map(({ id, state }: { id: string; state: { text: string } }) => [id, state.text])
}

/** A user whose only role, of their own company, has these permissions. */
async function userWith(permissions: readonly PermissionName[]): Promise<Person & { roleId: string }> {
  const user = await newUser()
  const role = { company_id: user.companyId, name: 'custom', label: 'Custom', permissions: [...permissions] }
  const { id } = await app.system.db.insertInto('roles').values(role).returning('id').executeTakeFirstOrThrow()
  await app.system.db.updateTable('user_roles').set({ role_id: id }).where('user_id', '=', user.id).execute()
  return { ...user, roleId: id }
}

it('the commands that end sessions or send mails ask for a confirmation first', async () => {
  const admin = await newUser({ role: 'admin' })
  const { body } = await app.as(admin.id).get('/api/v1/users/actions')
  const actions: { action: string; prompt: { type: string } | null }[] = body.data
  const asking = actions.filter(({ prompt }) => prompt?.type === 'confirm').map(({ action }) => action)
  expect(asking).toEqual(expect.arrayContaining(['send_welcome', 'deactivate']))
})

describe('a deactivated user', () => {
  it('is signed out at once, cannot sign in, and can again after being reactivated', async () => {
    const broker = await newUser()
    const user = await newUser({ companyId: broker.companyId })
    const { token } = (await signIn(user)).body
    const read = () => app.bearing(`Bearer ${token}`).get('/api/v1/init')
    expect((await read()).status).toBe(200)
    const answer = await act(broker, 'deactivate', user)
    expect([answer.status, answer.body.message]).toEqual([200, '1 user deactivated.'])
    expect((await read()).status).toBe(401)
    const rejected = await signIn(user)
    expect([rejected.status, rejected.body.message]).toEqual([
      401,
      'Your access was deactivated. Please contact an administrator of your company.',
    ])
    expect((await act(broker, 'reactivate', user)).body.message).toBe('1 user reactivated.')
    expect((await read()).status).toBe(401)
    expect((await signIn(user)).status).toBe(200)
  })

  it('is answered like an unknown user to a wrong password', async () => {
    const broker = await newUser()
    const user = await newUser({ companyId: broker.companyId })
    await act(broker, 'deactivate', user)
    const [known, unknown] = [await signIn(user, 'wrong'), await signIn({ ...user, email: 'unknown@example.test' }, 'wrong')]
    expect([known.status, known.body]).toEqual([unknown.status, unknown.body])
  })

  it('stays in the list with the state, which the list can be filtered by', async () => {
    const broker = await newUser()
    const user = await newUser({ companyId: broker.companyId })
    await act(broker, 'deactivate', user)
    expect(await listed(broker, 'filter__state=deactivated')).toEqual([[user.id, 'Deactivated']])
    expect(await listed(broker, 'filter__state=active')).toEqual([[broker.id, 'Active']])
    expect(await listed(broker, 'filter__state=active,deactivated')).toHaveLength(2)
    expect((await app.as(broker.id).get(`/api/v1/users/${user.id}`)).body.data.deactivated_at).toEqual(expect.any(String))
  })

  it('loses the password link, gets no other one, and no job acts for them', async () => {
    const broker = await newUser()
    const user = await newUser({ companyId: broker.companyId })
    await app.anonymous.post('/api/v1/password/create', { email: user.email })
    const token = /reset-password\/([\w-]+)/.exec((await queuedMails(app, user.email))[0]?.text ?? '')?.[1]
    await act(broker, 'deactivate', user)
    expect((await app.anonymous.get(`/api/v1/password/find/${token}`)).status).toBe(409)
    await app.anonymous.post('/api/v1/password/create', { email: user.email })
    const welcome = await app.as(broker.id).post(`/api/v1/users/${user.id}/sendwelcome`)
    expect([welcome.status, welcome.body.message]).toEqual([
      409,
      `${user.fullName} is deactivated and could not sign in. Reactivate the user first.`,
    ])
    expect(await queuedMails(app, user.email)).toHaveLength(1)
    expect(await loadViewer(app.system.db, user.id)).toBeUndefined()
  })

  it('is recorded in the activity, once for a repeated call', async () => {
    const broker = await newUser()
    const user = await newUser({ companyId: broker.companyId })
    await act(broker, 'deactivate', user)
    expect((await act(broker, 'deactivate', user)).body.message).toBe('1 user was already deactivated.')
    const lines = await app.system.db.selectFrom('activities').select('message').where('model_id', '=', user.id).execute()
    expect(lines).toEqual([{ message: `${broker.fullName} deactivated this user` }])
  })
})

it('reactivating says which of the users it changed', async () => {
  const broker = await newUser()
  const [active, deactivated] = [await newUser({ companyId: broker.companyId }), await newUser({ companyId: broker.companyId })]
  await act(broker, 'deactivate', deactivated)
  expect((await act(broker, 'reactivate', active, deactivated)).body.message).toBe('1 user reactivated; 1 user was already active.')
  expect((await act(broker, 'reactivate', active, deactivated)).body.message).toBe('2 users were already active.')
})

it('a deactivation is undone only until the user is changed again', async () => {
  const broker = await newUser()
  const user = await newUser({ companyId: broker.companyId })
  const [first] = (await act(broker, 'deactivate', user)).body.changed
  expect((await act(broker, 'deactivate', user)).body.changed).toEqual([])
  await act(broker, 'reactivate', user)
  await act(broker, 'deactivate', user)
  const undo = { action: 'reactivate', selectedIds: [user.id], versions: { [user.id]: first.version } }
  const { status, body } = await app.as(broker.id).post('/api/v1/users/actions', undo)
  expect([status, body.message]).toEqual([409, 'One of the users was changed since, so nothing was undone.'])
  expect((await signIn(user)).status).not.toBe(200)
})

describe('deactivating', () => {
  it('is rejected for oneself, for users with more permissions, and together with one of another company', async () => {
    const broker = await newUser()
    const colleague = await newUser({ companyId: broker.companyId })
    const boss = await newUser({ companyId: broker.companyId, role: 'admin' })
    const own = await act(broker, 'deactivate', broker)
    expect([own.status, own.body.message]).toEqual([403, 'You cannot deactivate yourself. Ask another administrator.'])
    expect((await act(broker, 'deactivate', colleague, boss)).status).toBe(403)
    expect((await act(broker, 'deactivate', colleague, await newUser())).status).toBe(404)
    const client = await newUser({ companyId: broker.companyId, role: 'client' })
    expect((await act(client, 'deactivate', colleague)).status).toBe(403)
    expect(await listed(broker, 'filter__state=deactivated')).toEqual([])
  })

  it('of each other at the same moment leaves one of two administrators active', async () => {
    for (let round = 0; round < 4; round += 1) {
      const [first, second] = [await newUser({ role: 'admin' }), await newUser({ role: 'admin' })]
      await Promise.all([app.as(first.id).get('/api/v1/init'), app.as(second.id).get('/api/v1/init')])
      const answers = await Promise.all([act(first, 'deactivate', second), act(second, 'deactivate', first)])
      expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 401])
    }
  })
})

describe('the welcome email', () => {
  it('is sent again by its call, for the users that the viewer can change', async () => {
    const broker = await newUser()
    const user = await newUser({ companyId: broker.companyId })
    const answer = await app.as(broker.id).post(`/api/v1/users/${user.id}/sendwelcome`)
    expect([answer.status, answer.body.message]).toEqual([200, 'The welcome email is on its way.'])
    expect(await queuedMails(app, user.email)).toMatchObject([{ subject: expect.stringMatching(/set your password$/) }])
    const boss = await newUser({ companyId: broker.companyId, role: 'admin' })
    expect((await app.as(broker.id).post(`/api/v1/users/${boss.id}/sendwelcome`)).status).toBe(403)
    expect((await app.as(broker.id).post(`/api/v1/users/${(await newUser()).id}/sendwelcome`)).status).toBe(404)
  })
})

describe('the last user who can manage all users and roles', () => {
  const LAST = 'No active user would remain who can manage all users and roles. Give another user these permissions first.'
  const MANAGES: PermissionName[] = ['view_all_system_users', 'update_users', 'view_all_system_companies', 'view_all_roles', 'update_roles']

  /** Leaves one administrator, whose roles have only what makes one. */
  async function onlyAdministrator(): Promise<Person & { roleId: string }> {
    const admins = app.system.db.selectFrom('roles').select('id').where('name', '=', 'admin')
    await app.system.db.deleteFrom('user_roles').where('role_id', 'in', admins).execute()
    await app.system.db
      .deleteFrom('user_roles')
      .where('role_id', 'in', (eb) => eb.selectFrom('roles').select('id').where('name', '=', 'custom'))
      .execute()
    return userWith(MANAGES)
  }

  it('stays when a user without these permissions deletes the company', async () => {
    const last = await onlyAdministrator()
    const by = await userWith([...MANAGES.slice(1), 'view_companies_component', 'delete_companies'])
    const rejected = await app.as(by.id).delete('/api/v1/companies', { ids: [last.companyId] })
    expect([rejected.status, rejected.body.message]).toEqual([409, LAST])
    expect((await app.as(last.id).get('/api/v1/init')).status).toBe(200)
  })

  it('keeps the permissions when a user with some of them changes the role', async () => {
    const last = await onlyAdministrator()
    const extra = { company_id: last.companyId, name: 'extra', label: 'Extra', permissions: ['update_roles', 'view_all_roles'] }
    const { id } = await app.system.db.insertInto('roles').values(extra).returning('id').executeTakeFirstOrThrow()
    await app.system.db
      .updateTable('roles')
      .set({ permissions: MANAGES.slice(0, 3) })
      .where('id', '=', last.roleId)
      .execute()
    await app.system.db.insertInto('user_roles').values({ user_id: last.id, role_id: id }).execute()
    const by = await userWith(['update_roles', 'view_all_roles', 'view_all_system_companies', 'view_roles_component'])
    const rejected = await app.as(by.id).put(`/api/v1/roles/${id}`, { permissions: ['view_all_roles'] })
    expect([rejected.status, rejected.body.message]).toEqual([409, LAST])
    expect((await app.as(by.id).put(`/api/v1/roles/${id}`, { label: 'Renamed' })).status).toBe(200)
  })
})

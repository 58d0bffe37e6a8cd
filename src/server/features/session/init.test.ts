import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DEFAULT_ROLE_NAMES } from '#contract/default-roles.ts'
import { defaultPermissions, PERMISSION_GROUPS } from '#contract/permissions.ts'
import { testApp, type TestApp } from '#server/testing/app.ts'
import { makeUser } from '#server/testing/factories/people.ts'

let app: TestApp
beforeAll(async () => {
  app = await testApp({ env: { SUPPORT_EMAIL: 'help@example.test', PRODUCT_NAME: 'Leveling' } })
})
afterAll(() => app.stop())

describe('init', () => {
  it.each(DEFAULT_ROLE_NAMES)('lists all permission groups with the permissions of the role %s', async (role) => {
    const { id } = await makeUser(app.system, { role })
    const { accessible_features } = (await app.as(id).get('/api/v1/init')).body.data
    expect(Object.keys(accessible_features)).toEqual(Object.keys(PERMISSION_GROUPS))
    expect(Object.values(accessible_features).flat()).toEqual(defaultPermissions(role))
  })

  it('merges the permissions of several roles and ignores unknown permissions', async () => {
    const { id } = await makeUser(app.system, { role: 'upload_only' })
    const { db } = app.system
    const more = await db
      .insertInto('roles')
      .values({ name: 'more', label: 'More', permissions: ['create_users', 'fly'] })
      .returning('id')
      .executeTakeFirstOrThrow()
    await db.insertInto('user_roles').values({ user_id: id, role_id: more.id }).execute()
    const { accessible_features, auth_user } = (await app.as(id).get('/api/v1/init')).body.data
    expect(Object.values<string[]>(accessible_features).flat().sort()).toEqual(
      [...defaultPermissions('upload_only'), 'create_users'].sort(),
    )
    expect(auth_user.roles.map(({ label }: { label: string }) => label)).toEqual(['More', 'Upload only'])
  })

  it('describes the signed-in user and the product settings', async () => {
    const { id, email, companyId } = await makeUser(app.system, { firstName: 'Ada', lastName: 'King' })
    const { auth_user, config, settings } = (await app.as(id).get('/api/v1/init')).body.data
    expect(auth_user).toMatchObject({
      id,
      email,
      full_name: 'Ada King',
      company: { id: companyId },
      via_invite: false,
      via_share_link: false,
    })
    expect(config).toMatchObject({ product: 'Leveling', provider: 'the provider', support_email: 'help@example.test', realtime: true })
    expect(settings).toEqual({ datatable: {}, dashboard: {} })
  })

  it('answers subscription 0 for a company without a subscription or with an expired one', async () => {
    const { id, companyId } = await makeUser(app.system)
    const { db } = app.system
    const subscription = async () => (await app.as(id).get('/api/v1/init')).body.data.auth_user.subscription
    expect(await subscription()).toEqual({ id: '0', name: '', created_at: null, ends_at: null, term: null })
    const offer = await db.insertInto('subscriptions').values({ name: 'Yearly' }).returning('id').executeTakeFirstOrThrow()
    await db.insertInto('company_subscriptions').values({ company_id: companyId, subscription_id: offer.id }).execute()
    const { created_at, ends_at, ...active } = await subscription()
    expect(active).toEqual({ id: offer.id, name: 'Yearly', term: 12 })
    expect(new Date(ends_at).getFullYear() - new Date(created_at).getFullYear()).toBe(1)
    await db
      .updateTable('company_subscriptions')
      .set({ created_at: new Date('2020-01-01') })
      .where('company_id', '=', companyId)
      .execute()
    expect(await subscription()).toMatchObject({ id: '0' })
  })

  it('answers the same data when rebuilt', async () => {
    const { id } = await makeUser(app.system)
    expect((await app.as(id).get('/api/v1/init/cache')).body).toEqual((await app.as(id).get('/api/v1/init')).body)
  })
})

describe('settings', () => {
  it('are stored per user and returned with init', async () => {
    const [mine, other] = [await makeUser(app.system), await makeUser(app.system)]
    const value = { perPage: 50, columns: { name: true, city: false }, columnOrder: ['city', 'name'], widths: { name: 320 } }
    expect((await app.as(mine.id).post('/api/v1/settings/datatable_accounts', { value })).body.data).toEqual({
      key: 'datatable_accounts',
      value,
    })
    expect((await app.as(mine.id).get('/api/v1/settings/datatable_accounts')).body.data.value).toEqual(value)
    expect((await app.as(mine.id).get('/api/v1/init')).body.data.settings.datatable).toEqual({ accounts: value })
    expect((await app.as(other.id).get('/api/v1/settings/datatable_accounts')).body.data.value).toBeNull()
    await app.as(mine.id).post('/api/v1/settings/datatable_accounts', { value: null })
    expect((await app.as(mine.id).get('/api/v1/init')).body.data.settings.datatable).toEqual({})
  })

  it.each([
    ['dashboard', { title: 'ü'.repeat(40_000) }],
    ['dashboard', 5],
    ['account_tabs', ['a']],
    ['datatable_accounts', 'text'],
    ['datatable_accounts', { perPage: 0 }],
    ['datatable_accounts', { perPage: 'many' }],
    ['datatable_accounts', { widths: { name: 20 } }],
    ['datatable_accounts', { widths: { name: 5_000 } }],
    ['datatable_accounts', { columnOrder: Array.from({ length: 201 }, (_, index) => `c${index}`) }],
    ['datatable_accounts', { columns: Object.fromEntries(Array.from({ length: 201 }, (_, index) => [`c${index}`, true])) }],
  ])('reject a value of %s that is too large or of another shape', async (key, value) => {
    const { id } = await makeUser(app.system)
    expect((await app.as(id).post(`/api/v1/settings/${key}`, { value })).body).toMatchObject({ response: 'validationError' })
    expect((await app.as(id).get(`/api/v1/settings/${key}`)).body.data.value).toBeNull()
  })

  it('reject a number that is too large to be stored', async () => {
    const { id } = await makeUser(app.system)
    const answer = await app.as(id).post('/api/v1/settings/dashboard', '{"value":{"a":1e400}}')
    expect([answer.status, answer.body.response]).toEqual([400, 'validationError'])
  })

  it.each(['anything', '__proto__', 'datatable_anything'])('named %s are not found', async (key) => {
    const { id } = await makeUser(app.system)
    expect((await app.as(id).post(`/api/v1/settings/${key}`, { value: 1 })).status).toBe(404)
  })

  it.each([{ 'a\u0000b': 1 }, { a: 'b\u0000' }, { a: '\uD800' }, { '\uD800': 1 }])(
    'reject text that cannot be stored: %j',
    async (value) => {
      const { id } = await makeUser(app.system)
      const answer = await app.as(id).post('/api/v1/settings/dashboard', { value })
      expect(answer.status).toBe(400)
      expect(answer.body.response).toBe('validationError')
    },
  )
})

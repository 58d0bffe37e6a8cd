import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { defaultPermissions, type PermissionName } from '#contract/permissions.ts'
import { UserInput } from '#contract/users.ts'
import type { WriteContext } from '#server/engines/context.ts'
import { createRecord } from '#server/engines/record/save-record.ts'
import { testApp, type As, type TestApp } from '#server/testing/app.ts'
import { makeCompany, makeUser } from '#server/testing/factories/people.ts'
import { callDuringChange } from '#server/testing/lock-wait.fixture.ts'
import { userRecord } from '../users/users.record.ts'

let app: TestApp
let admin: As
let serial = 0

beforeAll(async () => {
  app = await testApp()
  admin = app.as((await makeUser(app.system, { role: 'admin' })).id)
})
afterAll(() => app.stop())

const URL = '/api/v1/roles'
const create = (values: object = {}) =>
  admin.post(URL, { label: `Surveyor ${(serial += 1)}`, permissions: ['view_account_details'], ...values })

/** A user whose only role has these permissions, in a company of their own. */
async function userWith(permissions: readonly PermissionName[]) {
  const user = await makeUser(app.system)
  const role = await app.system.db
    .insertInto('roles')
    .values({ company_id: user.companyId, name: 'custom', label: 'Custom', permissions: [...permissions] })
    .returning('id')
    .executeTakeFirstOrThrow()
  await app.system.db.updateTable('user_roles').set({ role_id: role.id }).where('user_id', '=', user.id).execute()
  return { ...user, roleId: role.id, as: app.as(user.id) }
}

/** The input of a new user with this role. */
const newUser = async (role: string) => ({
  first_name: 'Nora',
  last_name: 'Newcomer',
  email: `nora${(serial += 1)}@example.test`,
  company_id: (await makeCompany(app.system)).id,
  roles: [role],
})
const LOCAL_ADMIN: PermissionName[] = ['view_roles_component', 'create_roles', 'update_roles', 'delete_roles', 'view_account_details']

describe('a new role', () => {
  it('belongs to all companies unless one is chosen', async () => {
    const company = await makeCompany(app.system)
    expect((await create()).body.data).toMatchObject({ company: null, users: 0 })
    expect((await create({ company_id: company.id })).body.data.company).toEqual({ id: company.id, name: company.name })
  })

  it('belongs to the company of a creator without view_all_roles, who cannot name another one', async () => {
    const { as, companyId } = await userWith(LOCAL_ADMIN)
    const other = await makeCompany(app.system)
    const role = { label: 'Local', permissions: ['view_account_details'] }
    const { errors } = (await as.post(URL, { ...role, company_id: other.id })).body
    expect(errors).toEqual({ company_id: ['You can only add roles to your own company.'] })
    expect((await as.post(URL, role)).body.data.company.id).toBe(companyId)
  })

  it('belongs to one company without view_all_system_companies: view_all_roles only shows roles', async () => {
    const { as, companyId } = await userWith([...LOCAL_ADMIN, 'view_all_roles'])
    const role = { label: 'Everywhere', permissions: ['view_account_details'] }
    expect((await as.post(URL, role)).body.data.company?.id).toBe(companyId)
    const other = await makeCompany(app.system)
    const { errors } = (await as.post(URL, { ...role, company_id: other.id })).body
    expect(errors).toEqual({ company_id: ['You can only add roles to your own company.'] })
    const { data } = (await as.get('/api/v1/forms/roles')).body
    expect(JSON.stringify(data.sections)).not.toContain('company_id')
  })

  it('cannot have a permission that its creator does not have', async () => {
    const { as } = await userWith(LOCAL_ADMIN)
    const { status, body } = await as.post(URL, { label: 'Too much', permissions: ['delete_accounts'] })
    expect([status, Object.keys(body.errors)]).toEqual([400, ['permissions']])
  })

  it('cannot have a permission that does not exist, which is reported for the field', async () => {
    const { status, body } = await create({ permissions: ['view_account_details', 'fly_to_the_moon'] })
    expect([status, Object.keys(body.errors)]).toEqual([400, ['permissions']])
  })

  it.each(['Admin', 'Upload only'])('cannot take the reserved name %s', async (label) => {
    const { status, body } = await create({ label })
    expect([status, Object.keys(body.errors)]).toEqual([400, ['label']])
  })

  it('cannot take the name of another role for all companies', async () => {
    expect((await create({ label: 'Loss Control' })).status).toBe(201)
    const { status, body } = await create({ label: 'loss control' })
    expect([status, body.errors]).toEqual([400, { label: ['Another role already has this name.'] }])
  })
})

describe('the name of a role', () => {
  const taken = { label: ['Another role already has this name.'] }

  it('is unique in its company, ignoring case and surrounding spaces', async () => {
    const [company, other] = [await makeCompany(app.system), await makeCompany(app.system)]
    expect((await create({ label: 'Claims Desk', company_id: company.id })).status).toBe(201)
    expect((await create({ label: 'Claims Desk', company_id: other.id })).status).toBe(201)
    const repeated = await create({ label: ' claims desk ', company_id: company.id })
    expect([repeated.status, repeated.body.errors]).toEqual([400, taken])
    const { id } = (await create({ label: 'Second Desk', company_id: company.id })).body.data
    const renamed = await admin.put(`${URL}/${id}`, { label: 'CLAIMS DESK' })
    expect([renamed.status, renamed.body.errors]).toEqual([400, taken])
    expect((await admin.put(`${URL}/${id}`, { label: 'second desk' })).status).toBe(200)
  })

  it('can be changed to the name of a trashed role, which then cannot be restored', async () => {
    const first = (await create({ label: 'Adjuster' })).body.data
    await admin.delete(URL, { ids: [first.id] })
    expect((await create({ label: 'adjuster' })).status).toBe(201)
    const { status, body } = await admin.post(`${URL}/restore`, { ids: [first.id] })
    expect([status, body.message]).toEqual([409, 'Another role already has the name Adjuster. Rename it first.'])
  })

  it('is accepted once when several users send it at the same moment', async () => {
    const company = await makeCompany(app.system)
    const answers = await Promise.all(Array.from({ length: 6 }, () => create({ label: 'Contested', company_id: company.id })))
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 400)).toHaveLength(5)
  })

  it('can be sent unchanged although another role has had the same name for long', async () => {
    const label = 'Stored twice'
    const { id } = (await create({ label })).body.data
    const twin = { name: 'stored_twin', label, permissions: ['view_account_details'] }
    await app.system.db.insertInto('roles').values(twin).execute()
    expect((await admin.put(`${URL}/${id}`, { label, permissions: ['view_account_files'] })).status).toBe(200)
    const renamed = await admin.put(`${URL}/${(await create()).body.data.id}`, { label })
    expect([renamed.status, renamed.body.errors]).toEqual([400, taken])
  })

  it('without Latin letters gets a key of its own', async () => {
    const keys = await Promise.all(
      ['Страховщик', '保険', 'Équipe Québec', '!!!'].map(async (label) => (await create({ label })).body.data.name),
    )
    expect(new Set(keys).size).toBe(4)
    expect(keys[2]).toBe('equipe_quebec')
    for (const key of [keys[0], keys[1], keys[3]]) expect(key).toMatch(/^role_[0-9a-f]{8}$/)
  })

  it('gets a key that no other role of the company has', async () => {
    const company = await makeCompany(app.system)
    const key = async (label: string) => (await create({ label, company_id: company.id })).body.data.name
    expect(await key('Night shift')).toBe('night_shift')
    expect(await key('Night-Shift')).toMatch(/^night_shift_[0-9a-f]{8}$/)
  })
})

describe('changing a role', () => {
  it('accepts its own company and rejects another one', async () => {
    const [company, other] = [await makeCompany(app.system), await makeCompany(app.system)]
    const { id } = (await create({ company_id: company.id })).body.data
    expect((await admin.put(`${URL}/${id}`, { company_id: company.id })).status).toBe(200)
    for (const company_id of [other.id, null]) {
      const { status, body } = await admin.put(`${URL}/${id}`, { company_id })
      expect([status, body.errors]).toEqual([400, { company_id: ['A role stays in its company. Create a new role instead.'] }])
    }
  })

  it('changes what its users can do at once', async () => {
    const role = (await create({ permissions: ['view_roles_component', 'view_all_roles'] })).body.data
    const user = await userWith([])
    await app.system.db.updateTable('user_roles').set({ role_id: role.id }).where('user_id', '=', user.id).execute()
    expect((await user.as.get(URL)).status).toBe(200)
    await admin.put(`${URL}/${role.id}`, { permissions: ['view_account_details'] })
    expect((await user.as.get(URL)).status).toBe(403)
  })

  it('cannot take a permission from its editor, who could not give it back', async () => {
    const editors: PermissionName[] = [...defaultPermissions('admin')]
    const [only, both] = [await userWith(editors), await userWith(editors)]
    const without = (lost: PermissionName) => ({ permissions: editors.filter((name) => name !== lost) })
    for (const lost of ['update_roles', 'view_roles_component', 'view_all_roles', 'update_users'] as const) {
      const { status, body } = await only.as.put(`${URL}/${only.roleId}`, without(lost))
      expect([status, body.errors]).toEqual([400, { permissions: [expect.stringContaining('You would lose')] }])
    }
    await app.system.db.insertInto('user_roles').values({ user_id: both.id, role_id: only.roleId }).execute()
    expect((await both.as.put(`${URL}/${both.roleId}`, without('update_roles'))).status).toBe(200)
  })

  it('leaves one of two editors who take the permission from each other at the same moment', async () => {
    const editors: PermissionName[] = [...defaultPermissions('admin')]
    const [first, second] = [await userWith(editors), await userWith(editors)]
    const without = { permissions: editors.filter((name) => name !== 'update_roles') }
    const answers = await Promise.all([first.as.put(`${URL}/${second.roleId}`, without), second.as.put(`${URL}/${first.roleId}`, without)])
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 403])
  })

  it('is denied for a role with permissions that the viewer does not have', async () => {
    const local = await userWith(LOCAL_ADMIN)
    const { id } = await app.system.db
      .insertInto('roles')
      .values({ company_id: local.companyId, name: 'strong', label: 'Strong', permissions: [...defaultPermissions('broker')] })
      .returning('id')
      .executeTakeFirstOrThrow()
    expect((await local.as.get(`${URL}/${id}`)).body.data.accessible_features).toEqual({ update: false, delete: false })
    expect((await local.as.put(`${URL}/${id}`, { permissions: ['view_account_details'] })).status).toBe(403)
  })

  it('is denied for roles that other companies use, without view_all_system_companies', async () => {
    const { as } = await userWith([...LOCAL_ADMIN, 'view_all_roles'])
    const shared = (await create()).body.data
    const foreign = (await create({ company_id: (await makeCompany(app.system)).id })).body.data
    for (const { id } of [shared, foreign]) {
      expect((await as.get(`${URL}/${id}`)).body.data.accessible_features).toEqual({ update: false, delete: false })
      expect((await as.put(`${URL}/${id}`, { label: 'Mine now' })).status).toBe(403)
      expect((await as.delete(URL, { ids: [id] })).status).toBe(403)
    }
  })

  it('cannot be given to users elsewhere without view_all_system_companies', async () => {
    const manager = await userWith(['view_all_system_users', 'update_users', 'view_all_roles', 'view_account_details'])
    const [elsewhere, shared] = [await userWith([]), (await create()).body.data]
    const colleague = await makeUser(app.system, { companyId: manager.companyId, role: 'upload_only' })
    const give = async (user: string) => (await manager.as.put(`/api/v1/users/${user}`, { roles: [shared.id] })).body
    expect(Object.keys((await give(elsewhere.id)).errors)).toEqual(['roles'])
    await app.system.db.deleteFrom('user_roles').where('user_id', '=', colleague.id).execute()
    expect((await give(colleague.id)).data.roles).toMatchObject([{ id: shared.id }])
  })

  it('offers every permission that the viewer has by its label and group', async () => {
    const local = await userWith(LOCAL_ADMIN)
    await app.system.db
      .updateTable('roles')
      .set({ permissions: [...LOCAL_ADMIN, 'view_account_files'] })
      .where('id', '=', local.roleId)
      .execute()
    const { id } = await app.system.db
      .insertInto('roles')
      .values({ company_id: local.companyId, name: 'editor', label: 'Editor', permissions: ['view_account_files'] })
      .returning('id')
      .executeTakeFirstOrThrow()
    const [{ fields }] = (await local.as.get(`/api/v1/forms/roles/${id}`)).body.data.sections
    const { value, options } = fields.find(({ name }: { name: string }) => name === 'permissions')
    expect(value).toEqual(['view_account_files'])
    expect(options).toContainEqual({ value: 'view_account_files', label: 'See documents', group: 'Documents' })
    expect(options).toHaveLength(LOCAL_ADMIN.length + 1)
  })

  it('cannot rename or delete a role that the product needs', async () => {
    const required = await app.system.db.selectFrom('roles').select('id').where('name', '=', 'upload_only').executeTakeFirstOrThrow()
    const renamed = await admin.put(`${URL}/${required.id}`, { label: 'Uploader' })
    expect([renamed.status, Object.keys(renamed.body.errors)]).toEqual([400, ['label']])
    expect((await admin.delete(URL, { ids: [required.id] })).status).toBe(403)
  })
})

describe('deleting a role', () => {
  it('is rejected while users have it, and possible afterwards', async () => {
    const role = (await create()).body.data
    const user = await userWith([])
    await app.system.db.updateTable('user_roles').set({ role_id: role.id }).where('user_id', '=', user.id).execute()
    expect((await admin.delete(URL, { ids: [role.id] })).status).toBe(409)
    await app.system.db.deleteFrom('user_roles').where('user_id', '=', user.id).execute()
    expect((await admin.delete(URL, { ids: [role.id] })).status).toBe(200)
    expect((await admin.delete(URL, { ids: [role.id], force: true })).status).toBe(200)
  })

  it('is rejected while a trashed user has it, because restoring the company would restore the user without roles', async () => {
    const role = (await create()).body.data
    const user = await userWith([])
    await app.system.db.updateTable('user_roles').set({ role_id: role.id }).where('user_id', '=', user.id).execute()
    await admin.delete('/api/v1/companies', { ids: [user.companyId] })
    const blocked = await admin.delete(URL, { ids: [role.id] })
    expect([blocked.status, blocked.body.message]).toEqual([
      409,
      `A user in the trash has the role ${role.label}. Permanently delete the user, or restore the user and give them another role.`,
    ])
    expect((await admin.get(`${URL}/${role.id}`)).body.data.users).toBe(0)
    await admin.post('/api/v1/companies/restore', { ids: [user.companyId] })
    expect((await admin.get(`/api/v1/users/${user.id}`)).body.data.roles).toMatchObject([{ id: role.id }])
  })

  it('is rejected if another user gives the role at the same moment', async () => {
    const role = (await create()).body.data
    const give = async (tx: WriteContext) => createRecord(tx, userRecord, UserInput.parse(await newUser(role.id)))
    const answer = await callDuringChange(app, give, () => admin.delete(URL, { ids: [role.id] }))
    expect([answer.status, answer.body.message]).toEqual([409, `Users still have the role ${role.label}. Give them another role first.`])
  })

  it('prevents that the role is given at the same moment', async () => {
    const role = (await create()).body.data
    const user = await newUser(role.id)
    const trash = (tx: WriteContext) => tx.db.updateTable('roles').set({ deleted_at: new Date() }).where('id', '=', role.id).execute()
    const answer = await callDuringChange(app, trash, () => admin.post('/api/v1/users', user))
    expect([answer.status, Object.keys(answer.body.errors)]).toEqual([400, ['roles']])
  })
})

describe('restoring roles', () => {
  it('is rejected for two roles with the same name, unless one of them has been renamed', async () => {
    const first = (await create({ label: 'Twin' })).body.data
    await admin.delete(URL, { ids: [first.id] })
    const second = (await create({ label: 'twin' })).body.data
    await admin.delete(URL, { ids: [second.id] })
    const { status, body } = await admin.post(`${URL}/restore`, { ids: [first.id, second.id] })
    expect([status, body.message]).toEqual([409, expect.stringMatching(/^Another role already has the name twin\. Rename it first\.$/i)])
    expect((await admin.post(`${URL}/restore`, { ids: [second.id] })).status).toBe(200)
    expect((await admin.put(`${URL}/${second.id}`, { label: 'Not a twin' })).status).toBe(200)
    expect((await admin.post(`${URL}/restore`, { ids: [first.id] })).status).toBe(200)
  })
})

describe('the list of roles', () => {
  it('shows roles of the own company only, without view_all_roles', async () => {
    const { as } = await userWith(LOCAL_ADMIN)
    const { body } = await as.get(URL)
    expect(body.data.map(({ label }: { label: { text: string } }) => label.text)).toEqual(['Custom'])
  })

  it('names the companies with users of a role, as far as the viewer sees them', async () => {
    const { id } = (await create({ label: 'Shared' })).body.data
    const [first, second] = [await userWith(['view_roles_component', 'view_company_users']), await userWith([])]
    for (const user of [first, second]) await app.system.db.insertInto('user_roles').values({ user_id: user.id, role_id: id }).execute()
    const companies = (await admin.get(`${URL}/${id}`)).body.data.companies.map((company: { id: string }) => company.id)
    expect(companies.toSorted()).toEqual([first.companyId, second.companyId].toSorted())
    const filtered = await admin.get(`/api/v1/companies?filter__role=${id}`)
    expect(filtered.body.data.map((row: { id: string }) => row.id).toSorted()).toEqual(companies.toSorted())
    expect((await admin.get(`/api/v1/users?filter__role_id=${id}`)).body.meta.total).toBe(2)
    const own = (await create({ label: 'Own', company_id: first.companyId })).body.data
    await app.system.db.insertInto('user_roles').values({ user_id: second.id, role_id: own.id }).execute()
    expect((await first.as.get(`${URL}/${own.id}`)).body.data.companies).toEqual([])
  })

  it('are found by search as in the list, also those that an administrator gives in other companies only', async () => {
    const { companyId } = await userWith([])
    await create({ label: 'Quayside surveyor', company_id: companyId })
    const found = await admin.get(`${URL}/search?search=quayside`)
    expect(found.body.data).toMatchObject([{ name: 'Quayside surveyor', detail: '1 company' }])
    expect((await admin.get(`${URL}/search?search=invited`)).body.data).toMatchObject([{ name: 'Invited viewer' }])
  })

  it('counts the users and permissions of each role', async () => {
    const { body } = await admin.get(`${URL}?search=administrator`)
    expect(body.data[0]).toMatchObject({ label: { text: 'Administrator' }, company: { text: 'All companies' }, users: { value: 1 } })
  })
})

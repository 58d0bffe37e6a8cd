import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { DefaultRole } from '#contract/default-roles.ts'
import { hashPassword } from '#server/engines/secrets/passwords.ts'
import { testApp, type TestApp } from '#server/testing/app.ts'
import { makeCompany, makeUser } from '#server/testing/factories/people.ts'

type Person = Awaited<ReturnType<typeof makeUser>>
const PASSWORD = 'correct horse battery'

let app: TestApp
let admin: Person
let provider: Person
let broker: Person
let serial = 0
let passwordHash: string

beforeAll(async () => {
  app = await testApp({ worker: true })
  passwordHash = await hashPassword(PASSWORD, app.system.config.secretKey, { network: 'test' })
  admin = await makeUser(app.system, { role: 'admin' })
  provider = await makeUser(app.system, { role: 'provider' })
})
beforeEach(async () => {
  broker = await makeUser(app.system, { passwordHash })
})
afterAll(() => app.stop())

async function roleId(name: DefaultRole): Promise<string> {
  return (await app.system.db.selectFrom('roles').select('id').where('name', '=', name).executeTakeFirstOrThrow()).id
}
const newUser = async (companyId: string, values: Record<string, unknown> = {}) => ({
  first_name: 'Nora',
  last_name: 'Newcomer',
  email: `nora${(serial += 1)}@example.test`,
  company_id: companyId,
  roles: [await roleId('client')],
  ...values,
})
const names = (answer: { body: { data: { name: { text: string } }[] } }) => answer.body.data.map(({ name }) => name.text)
const signIn = (email: string, password: string) => app.anonymous.post('/api/v1/login', { email, password })

describe('the list of users', () => {
  it('shows users of the own company with roles and last sign-in', async () => {
    await makeUser(app.system, { companyId: broker.companyId, role: 'client', firstName: 'Clara', lastName: 'Client' })
    await makeUser(app.system, { firstName: 'Otto', lastName: 'Other' })
    const list = await app.as(broker.id).get('/api/v1/users')
    expect(list.status).toBe(200)
    expect(names(list).sort()).toEqual(['Clara Client', broker.fullName])
    expect(list.body.meta.total).toBe(2)
    const clara = list.body.data.find((row: { name: { text: string } }) => row.name.text === 'Clara Client')
    expect(clara).toMatchObject({ roles: { text: 'Client' }, last_login_at: { value: null } })
  })

  it('is not answered as unchanged after one of its users has signed in', async () => {
    const person = await makeUser(app.system, { companyId: broker.companyId, passwordHash })
    const before = await app.as(broker.id).get('/api/v1/users')
    expect((await signIn(person.email, PASSWORD)).status).toBe(200)
    const after = await app.as(broker.id).get('/api/v1/users', { 'if-none-match': String(before.headers['etag']) })
    expect(after.status).toBe(200)
    const row = after.body.data.find(({ id }: { id: string }) => id === person.id)
    expect(row.last_login_at.value).toEqual(expect.any(String))
  })

  it('can be searched by name and email, and filtered by company and role', async () => {
    const zelda = await makeUser(app.system, { companyId: broker.companyId, role: 'client', lastName: 'Zyzzyx', email: 'quux@zelda.test' })
    expect(names(await app.as(broker.id).get('/api/v1/users?search=zyzz'))).toEqual(['Pat Zyzzyx'])
    expect(names(await app.as(provider.id).get('/api/v1/users?search=QUUX%40zelda'))).toEqual(['Pat Zyzzyx'])
    const client = await roleId('client')
    expect(names(await app.as(provider.id).get(`/api/v1/users?filter__company=${broker.companyId}&filter__role=${client}`))).toEqual([
      zelda.fullName,
    ])
    expect((await app.as(provider.id).get('/api/v1/users?filter__company=nonsense')).body.meta.total).toBe(0)
  })

  it('has filters with the visible companies and roles', async () => {
    const { body } = await app.as(broker.id).get('/api/v1/users/filters')
    const byName = Object.fromEntries(
      body.data.map((filter: { name: string; options: { label: string }[] }) => [filter.name, filter.options.map(({ label }) => label)]),
    )
    expect(byName.company).toHaveLength(1)
    expect(byName.role).toEqual(['Broker'])
  })

  it('is forbidden without the permission, and a user of another company is not found', async () => {
    const carrier = await makeUser(app.system, { role: 'carrier' })
    expect((await app.as(carrier.id).get('/api/v1/users')).status).toBe(403)
    expect((await app.as(broker.id).get(`/api/v1/users/${admin.id}`)).status).toBe(404)
    expect((await app.as(broker.id).put(`/api/v1/users/${admin.id}`, { first_name: 'Mallory' })).status).toBe(404)
  })
})

describe('adding a user', () => {
  it('sends a link that can set the password once', async () => {
    const input = await newUser(broker.companyId)
    const made = await app.as(broker.id).post('/api/v1/users', input)
    expect(made.status).toBe(201)
    expect(made.body.data).toMatchObject({ full_name: 'Nora Newcomer', email: input.email, roles: [{ name: 'client' }] })
    const token = await linkSentTo(input.email)
    const reset = { email: input.email, password: PASSWORD, password_confirmation: PASSWORD, token }
    expect((await app.anonymous.post('/api/v1/password/reset', reset)).status).toBe(200)
    expect((await signIn(input.email, PASSWORD)).body.token).toEqual(expect.any(String))
    expect((await app.anonymous.post('/api/v1/password/reset', reset)).status).not.toBe(200)
    const { rows } = await app.system.pool.query<{ life: number }>(
      'SELECT extract(epoch FROM expires_at - created_at) / 86400 AS life FROM password_resets WHERE user_id = $1',
      [made.body.data.id],
    )
    expect(Number(rows[0]?.life)).toBeCloseTo(7, 2)
  })

  it('with a password stores its hash and sends no mail', async () => {
    const input = await newUser(broker.companyId, { password: PASSWORD })
    const made = await app.as(broker.id).post('/api/v1/users', input)
    const stored = await app.system.db
      .selectFrom('users')
      .select('password_hash')
      .where('id', '=', made.body.data.id)
      .executeTakeFirstOrThrow()
    expect(stored.password_hash).toMatch(/^\$argon2id\$/)
    expect(await app.system.db.selectFrom('password_resets').select('user_id').where('user_id', '=', made.body.data.id).execute()).toEqual(
      [],
    )
    expect((await signIn(input.email, PASSWORD)).status).toBe(200)
  })

  it('accepts an email with blanks around it, as the sign-in does', async () => {
    const input = await newUser(broker.companyId)
    const made = await app.as(broker.id).post('/api/v1/users', { ...input, email: `  ${input.email} ` })
    expect([made.status, made.body.data?.email]).toEqual([201, input.email])
    expect((await app.as(broker.id).put(`/api/v1/users/${made.body.data.id}`, { email: ` ${input.email}` })).status).toBe(200)
  })

  it.each([
    ['an email in use', { email: 'taken@example.test' }, 'email'],
    ['the same email in capitals', { email: 'TAKEN@example.test' }, 'email'],
    ['no role', { roles: [] }, 'roles'],
    ['a short password', { password: 'short' }, 'password'],
    ['the email as password', { email: 'same@example.test', password: 'Same@example.test' }, 'password'],
  ])('is rejected with a field error for %s', async (_case, values, field) => {
    await app.system.db.deleteFrom('users').where('email', '=', 'taken@example.test').execute()
    await makeUser(app.system, { email: 'taken@example.test' })
    const answer = await app.as(broker.id).post('/api/v1/users', await newUser(broker.companyId, values))
    expect(answer.status).toBe(400)
    expect(Object.keys(answer.body.errors)).toEqual([field])
  })

  it('is rejected with roles of more permissions than the viewer has, and in a company that the viewer does not see', async () => {
    const more = await app.as(broker.id).post('/api/v1/users', await newUser(broker.companyId, { roles: [await roleId('admin')] }))
    expect([more.status, Object.keys(more.body.errors)]).toEqual([400, ['roles']])
    const elsewhere = await app.as(broker.id).post('/api/v1/users', await newUser((await makeCompany(app.system)).id))
    expect([elsewhere.status, Object.keys(elsewhere.body.errors)]).toEqual([400, ['company_id']])
    const options = (await app.as(broker.id).get('/api/v1/forms/users')).body.data.sections[1].fields[1].options
    expect(options.map(({ label }: { label: string }) => label)).toEqual(['Broker', 'Carrier', 'Client', 'Upload only'])
  })
})

describe('a role that cannot be given', () => {
  it('is rejected with the reason', async () => {
    const { id: companyId } = await makeCompany(app.system)
    const role = { company_id: companyId, name: 'local', label: 'Local', permissions: ['view_account_details'] }
    const { id: local } = await app.system.db.insertInto('roles').values(role).returning('id').executeTakeFirstOrThrow()
    const give = async (as: Person, roles: string[]) =>
      (await app.as(as.id).post('/api/v1/users', await newUser(broker.companyId, { roles }))).body.errors
    const notFound = { roles: ['One of these roles was not found. Choose roles from the list.'] }
    expect(await give(admin, [local])).toEqual({
      roles: ["One of these roles belongs to another company. Choose roles of the user's company."],
    })
    expect(await give(broker, [local])).toEqual(notFound)
    expect(await give(broker, [companyId])).toEqual(notFound)
    expect(await give(broker, [await roleId('admin')])).toEqual({ roles: ['You can only give roles whose permissions you have yourself.'] })
  })
})

describe('the roles in the form of a user', () => {
  interface Field {
    name: string
    value: unknown
    options?: { label: string }[]
  }
  const fieldsOf = async (address: string) => {
    const { body } = await app.as(admin.id).get(`/api/v1/forms/users${address}`)
    const fields: Field[] = body.data.sections[1].fields
    return Object.fromEntries(fields.map(({ name, value, options = [] }) => [name, { value, labels: options.map(({ label }) => label) }]))
  }

  it('are those of the chosen company, for a new user and for one who moves there', async () => {
    const { id: companyId } = await makeCompany(app.system)
    const role = { company_id: companyId, name: 'surveyor', label: 'Surveyor', permissions: ['view_account_details'] }
    const { id } = await app.system.db.insertInto('roles').values(role).returning('id').executeTakeFirstOrThrow()
    expect((await fieldsOf('')).roles?.labels).not.toContain('Surveyor')
    expect((await fieldsOf(`?company_id=${companyId}&roles=${id}`)).roles).toMatchObject({ value: [id] })
    expect((await fieldsOf(`/${broker.id}`)).roles?.labels).not.toContain('Surveyor')
    const moving = await fieldsOf(`/${broker.id}?company_id=${companyId}`)
    expect(moving.roles?.labels).toContain('Surveyor')
    expect(moving.company_id?.value).toBe(broker.companyId)
  })
})

describe('changing a user', () => {
  it('does not reveal the email of a user that the viewer does not see', async () => {
    const { status, body } = await app.as(broker.id).put(`/api/v1/users/${admin.id}`, { password: admin.email })
    expect([status, body.message]).toEqual([404, 'User not found.'])
  })

  it('answers a stale save without the password, in plain text or hashed', async () => {
    const client = await makeUser(app.system, { companyId: broker.companyId, role: 'client' })
    await app.as(broker.id).put(`/api/v1/users/${client.id}`, { first_name: 'First', version: 1 })
    const stale = { first_name: 'Second', password: 'a brand new password', current_password: PASSWORD, version: 1 }
    const { status, body } = await app.as(broker.id).put(`/api/v1/users/${client.id}`, stale)
    expect([status, body.data]).toEqual([
      409,
      { version: 2, changed_by: expect.any(String), current: { first_name: 'First' }, mine: { first_name: 'Second' } },
    ])
  })

  it('changes only the fields that were sent', async () => {
    const client = await makeUser(app.system, { companyId: broker.companyId, role: 'client', twoFactor: true })
    const saved = await app.as(broker.id).put(`/api/v1/users/${client.id}`, { first_name: 'Renamed', version: 1 })
    expect(saved.body.data).toMatchObject({
      first_name: 'Renamed',
      email: client.email,
      enable_2fa: true,
      roles: [{ name: 'client' }],
      version: 2,
    })
    expect((await app.as(client.id).get('/api/v1/init')).status).toBe(200)
    const stale = await app.as(broker.id).put(`/api/v1/users/${client.id}`, { first_name: 'Late', version: 1 })
    expect([stale.status, stale.body.data.current.first_name]).toEqual([409, 'Renamed'])
  })

  it('is rejected with a field error for an email that is in use', async () => {
    const client = await makeUser(app.system, { companyId: broker.companyId, role: 'client' })
    const answer = await app
      .as(broker.id)
      .put(`/api/v1/users/${client.id}`, { email: broker.email.toUpperCase(), current_password: PASSWORD })
    expect([answer.status, Object.keys(answer.body.errors)]).toEqual([400, ['email']])
    expect((await app.as(broker.id).put(`/api/v1/users/${client.id}`, { email: client.email.toUpperCase() })).status).toBe(200)
  })

  it('ends the sessions of the user with a new password', async () => {
    const client = await makeUser(app.system, { companyId: broker.companyId, role: 'client' })
    expect((await app.as(client.id).get('/api/v1/init')).status).toBe(200)
    const change = { password: 'a brand new password', current_password: PASSWORD }
    expect((await app.as(broker.id).put(`/api/v1/users/${client.id}`, change)).status).toBe(200)
    expect((await app.as(client.id).get('/api/v1/init')).status).toBe(401)
  })

  it('with new roles changes what the user can do at once, in the session that they have', async () => {
    const client = await makeUser(app.system, { companyId: broker.companyId, role: 'client' })
    const isMade = async () => (await app.as(client.id).post('/api/v1/accounts', { name: '' })).status
    expect(await isMade()).toBe(400)
    expect((await app.as(broker.id).put(`/api/v1/users/${client.id}`, { roles: [await roleId('upload_only')] })).status).toBe(200)
    expect(await isMade()).toBe(403)
    expect((await app.as(client.id).get('/api/v1/init')).body.data.auth_user.roles).toMatchObject([{ name: 'upload_only' }])
  })

  it('is forbidden for users with more permissions, and for the own roles', async () => {
    const takeOver = { email: 'mallory@example.test', password: PASSWORD }
    expect((await app.as(provider.id).put(`/api/v1/users/${admin.id}`, takeOver)).status).toBe(403)
    expect((await app.as(provider.id).delete('/api/v1/users', { ids: [admin.id] })).status).toBe(403)
    expect((await app.as(provider.id).get(`/api/v1/users/${admin.id}`)).body.data.accessible_features).toEqual({
      update: false,
      delete: false,
    })
    expect((await app.as(broker.id).put(`/api/v1/users/${broker.id}`, { roles: [await roleId('client')] })).status).toBe(403)
    expect((await app.as(broker.id).put(`/api/v1/users/${broker.id}`, { roles: [await roleId('broker')], last_name: 'Same' })).status).toBe(
      200,
    )
  })

  it('deletes password links that were sent to the former email', async () => {
    const { body } = await app.as(broker.id).post('/api/v1/users', await newUser(broker.companyId))
    await app.as(broker.id).put(`/api/v1/users/${body.data.id}`, { email: 'moved@example.test', current_password: PASSWORD })
    expect(await app.system.db.selectFrom('password_resets').select('user_id').where('user_id', '=', body.data.id).execute()).toEqual([])
  })
})

describe('the trash of users', () => {
  it('ends the sessions at once, and a restored user can sign in again', async () => {
    const client = await makeUser(app.system, { role: 'client', passwordHash })
    expect((await app.as(client.id).get('/api/v1/init')).status).toBe(200)
    expect((await app.as(provider.id).delete('/api/v1/users', { ids: [client.id] })).status).toBe(200)
    expect((await app.as(client.id).get('/api/v1/init')).status).toBe(401)
    expect((await signIn(client.email, PASSWORD)).status).toBe(401)
    expect((await app.as(provider.id).get('/api/v1/users?filter__trashed=only')).body.meta.total).toBe(1)
    expect((await app.as(provider.id).post('/api/v1/users/restore', { ids: [client.id] })).status).toBe(200)
    expect((await signIn(client.email, PASSWORD)).status).toBe(200)
  })

  it('frees the email, and a user whose email is used again cannot be restored', async () => {
    const first = await makeUser(app.system, { role: 'client' })
    await app.as(provider.id).delete('/api/v1/users', { ids: [first.id] })
    await makeUser(app.system, { email: first.email, role: 'client' })
    const rejected = await app.as(provider.id).post('/api/v1/users/restore', { ids: [first.id] })
    expect([rejected.status, rejected.body.message]).toEqual([409, expect.stringContaining(first.email)])
  })

  it('permanently deletes a user but not their accounts, and never the viewer', async () => {
    const client = await makeUser(app.system, { role: 'client' })
    const { id: account } = await app.system.db
      .insertInto('accounts')
      .values({ company_id: client.companyId, type: 'standard', name: 'Kept', created_by: client.id })
      .returning('id')
      .executeTakeFirstOrThrow()
    await app.as(admin.id).delete('/api/v1/users', { ids: [client.id] })
    expect((await app.as(admin.id).delete('/api/v1/users', { ids: [client.id], force: true })).status).toBe(200)
    expect(await app.system.db.selectFrom('accounts').select('created_by').where('id', '=', account).executeTakeFirst()).toEqual({
      created_by: null,
    })
    expect((await app.as(admin.id).delete('/api/v1/users', { ids: [admin.id] })).status).toBe(403)
  })
})

/** The token of the link in the latest mail to this address; waits until the job has sent it. */
async function linkSentTo(email: string): Promise<string> {
  const folder = join(app.dataDir, 'outbox')
  for (let attempt = 0; attempt < 100; attempt += 1) {
    for (const file of (await readdir(folder)).filter((name) => name.endsWith('.eml')).toReversed()) {
      const mail = (await readFile(join(folder, file), 'utf8')).replace(/=\n/g, '').replaceAll('=3D', '=')
      const token = /\/reset-password\/([\w-]+)/.exec(mail)?.[1]
      if (mail.includes(`To: ${email}`) && token !== undefined) return token
    }
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error(`No mail was sent to ${email}`)
}

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ALL_SCOPE } from '#server/access/scope.ts'
import { fileModel } from '#server/features/account-files/files.commands.ts'
import { makeFile } from '#server/testing/factories/files.ts'
import { transact } from '../transaction/transact.ts'
import { trashRecords } from './trash-records.ts'
import type { As, TestApp } from '#server/testing/app.ts'
import { testApp } from '#server/testing/app.ts'
import { makeAccount, makeProperty } from '#server/testing/factories/accounts.ts'
import { makeCompany, makeUser } from '#server/testing/factories/people.ts'

/** The engine, observed through its two plainest models: subscriptions (of the system) and companies (with related tables). */
let app: TestApp
let admin: As
let adminCompany: string
let serial = 0

beforeAll(async () => {
  app = await testApp()
  const user = await makeUser(app.system, { role: 'admin', firstName: 'Ada', lastName: 'King' })
  admin = app.as(user.id)
  adminCompany = user.companyId
})
afterAll(() => app.stop())

const URL = '/api/v1/subscriptions'
const create = async (values: object = {}) => {
  const { body, status } = await admin.post(URL, { name: `Plan ${(serial += 1)}`, ...values })
  expect(status).toBe(201)
  return body.data as { id: string; name: string; version: number; [field: string]: unknown } // the record's schema
}
const activities = async (id: string) =>
  app.system.db.selectFrom('activities').select(['class', 'message']).where('model_id', '=', id).orderBy('id').execute()
const versionIn = async (model: string, scope: string) =>
  (
    await app.system.db
      .selectFrom('list_versions')
      .select('version')
      .where('model', '=', model)
      .where('scope_id', '=', scope)
      .executeTakeFirst()
  )?.version ?? 0
/** In all scopes other than that of viewers who see everything. */
const versionOf = async (model: string) => {
  const scopes = app.system.db.selectFrom('list_versions').select('version').where('scope_id', '<>', ALL_SCOPE)
  const rows = await scopes.where('model', '=', model).execute()
  return rows.reduce((sum, { version }) => sum + version, 0)
}

describe('a save without a change', () => {
  it.each([
    ['no field', () => ({})],
    ['the same values', ({ name }: { name: string }) => ({ name, price: 0, term_months: 12, version: 1 })],
  ])('with %s writes nothing', async (_case, input) => {
    const record = await create()
    const before = await versionOf('subscriptions')
    const { status, body } = await admin.put(`${URL}/${record.id}`, input(record))
    expect([status, body.data]).toEqual([200, record])
    expect(await activities(record.id)).toHaveLength(1)
    expect(await versionOf('subscriptions')).toBe(before)
  })
})

describe('a list of ids in a save', () => {
  it('has no order, and each id counts once', async () => {
    const { id } = await makeUser(app.system)
    const roles = app.system.db.selectFrom('roles').select('id').where('name', 'in', ['broker', 'client', 'carrier']).orderBy('id')
    const [first, second, third] = (await roles.execute()).map((role) => role.id)
    const save = async (ids: unknown[]) => (await admin.put(`/api/v1/users/${id}`, { roles: ids })).body.data.version
    const version = await save([first, second])
    expect([await save([second, first]), await save([first, second, first])]).toEqual([version, version])
    expect(await save([first, third])).toBe(version + 1)
  })
})

describe('creating a record', () => {
  it('answers the record with its own fields, its version and what the viewer can do', async () => {
    const { body, status } = await admin.post(URL, { name: 'Annual', price: 12.5, term_months: 12 })
    expect(status).toBe(201)
    expect(body).toMatchObject({
      message: 'The subscription was created.',
      data: {
        name: 'Annual',
        price: 12.5,
        companies: [],
        version: 1,
        deleted_at: null,
        accessible_features: { update: true, delete: true },
      },
    })
  })

  it('fills the defaults of the input schema', async () => {
    expect(await create()).toMatchObject({ price: 0, term_months: 12 })
  })

  it('writes one activity line and raises the versions of its list and of the lists that show it', async () => {
    const [subscriptions, companies] = [await versionOf('subscriptions'), await versionOf('companies')]
    const { id } = await create()
    expect(await activities(id)).toEqual([{ class: 'created', message: 'Ada King created this subscription' }])
    expect(await versionOf('subscriptions')).toBeGreaterThan(subscriptions)
    expect(await versionOf('companies')).toBeGreaterThan(companies)
  })

  it('is rolled back with everything else when a related table rejects it', async () => {
    const before = await versionOf('companies')
    const { status } = await admin.post('/api/v1/companies', { name: 'Half Made', subscription_id: '0190163d-8694-739b-aea5-966c26f8ad91' })
    expect(status).toBe(400)
    expect(await app.system.db.selectFrom('companies').select('id').where('name', '=', 'Half Made').execute()).toEqual([])
    expect(await versionOf('companies')).toBe(before)
  })
})

describe('saving a record', () => {
  it('writes only the fields that were sent, raises the version and says so in one activity line', async () => {
    const { id } = await create({ price: 5, term_months: 6 })
    const { body, status } = await admin.put(`${URL}/${id}`, { price: 7, version: 1 })
    expect([status, body.message]).toEqual([200, 'The subscription was saved.'])
    expect(body.data).toMatchObject({ price: 7, term_months: 6, version: 2 })
    expect((await activities(id)).at(-1)).toEqual({ class: 'updated', message: 'Ada King changed this subscription' })
  })

  it('moves the time of the last change', async () => {
    const { id, updated_at } = await create()
    const { body } = await admin.put(`${URL}/${id}`, { price: 1 })
    expect(Date.parse(body.data.updated_at)).toBeGreaterThan(Date.parse(String(updated_at)))
  })

  it('answers a stale version with both values and changes nothing', async () => {
    const { id } = await create({ price: 5 })
    await admin.put(`${URL}/${id}`, { price: 6, version: 1 })
    const { status, body } = await admin.put(`${URL}/${id}`, { price: 7, version: 1 })
    expect([status, body.data]).toEqual([409, { version: 2, changed_by: 'Ada King', current: { price: 6 }, mine: { price: 7 } }])
    expect((await admin.get(`${URL}/${id}`)).body.data).toMatchObject({ price: 6, version: 2 })
  })

  it('names the user of the last change to a stale save', async () => {
    const { id } = await create({ price: 5 })
    const other = await makeUser(app.system, { role: 'admin', firstName: 'Grace', lastName: 'Hopper' })
    await app.as(other.id).put(`${URL}/${id}`, { price: 6 })
    expect((await admin.put(`${URL}/${id}`, { price: 7, version: 1 })).body.data.changed_by).toBe('Grace Hopper')
  })

  it('overwrites when no version is sent', async () => {
    const { id } = await create({ price: 5 })
    await admin.put(`${URL}/${id}`, { price: 6, version: 1 })
    expect((await admin.put(`${URL}/${id}`, { price: 7 })).body.data).toMatchObject({ price: 7, version: 3 })
  })

  it('rejects a change of a trashed record, as its accessible features say', async () => {
    const { id } = await makeCompany(app.system, 'Trashed Company')
    await admin.delete('/api/v1/companies', { ids: [id] })
    const { body } = await admin.get(`/api/v1/companies/${id}`)
    expect(body.data).toMatchObject({ accessible_features: { update: false } })
    const renamed = await admin.put(`/api/v1/companies/${id}`, { name: 'Renamed' })
    expect(renamed).toMatchObject({ status: 409, body: { message: 'This company is in the trash. Restore it first.' } })
    expect((await admin.get(`/api/v1/companies/${id}`)).body.data.name).toBe('Trashed Company')
  })

  it('answers 404 for a record that does not exist', async () => {
    const { status, body } = await admin.put(`${URL}/0190163d-8694-739b-aea5-966c26f8ad91`, { price: 1 })
    expect([status, body.message]).toEqual([404, 'Subscription not found.'])
  })

  it('accepts exactly one of many concurrent saves of the same version', async () => {
    for (let round = 0; round < 3; round += 1) {
      const { id } = await create()
      const answers = await Promise.all(
        Array.from({ length: 8 }, (_, price) => admin.put(`${URL}/${id}`, { price: price + 1, version: 1 })),
      )
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
      expect(answers.filter(({ status }) => status === 409)).toHaveLength(7)
    }
  })

  it('raises the list versions of the scope before the save and of the scope after it', async () => {
    const [from, to] = [await makeUser(app.system), await makeCompany(app.system)]
    const versions = async () => Promise.all([from.companyId, to.id].map((scope) => versionIn('users', scope)))
    const before = await versions()
    expect((await admin.put(`/api/v1/users/${from.id}`, { company_id: to.id })).status).toBe(200)
    const after = await versions()
    expect(after.map((version, at) => version > (before[at] ?? 0))).toEqual([true, true])
  })

  it('writes the activity of a record in an account into the history of the account', async () => {
    const account = await makeAccount(app.system, { companyId: adminCompany })
    const address = { address: '1 Main St', city: 'Dallas', state: 'TX', country: 'US', currency: 'USD' }
    const { body } = await admin.post('/api/v1/account_properties', { account_id: account.id, ...address })
    const line = app.system.db.selectFrom('activities').select('account_id').where('model_id', '=', body.data.id)
    expect(await line.execute()).toEqual([{ account_id: account.id }])
  })
})

describe('the form of a record', () => {
  it('has the values and the version of the record', async () => {
    const { id } = await create({ price: 5 })
    const { data } = (await admin.get(`/api/v1/forms/subscriptions/${id}`)).body
    expect(data).toMatchObject({ model: 'subscriptions', id, title: 'Edit subscription', version: 1 })
    expect(data.sections[0].fields.map(({ name, value }: { name: string; value: unknown }) => [name, value])).toContainEqual(['price', 5])
    expect(data.sections[0].fields.map(({ name, required }: { name: string; required: boolean }) => [name, required])).toContainEqual([
      'price',
      false,
    ])
  })

  it('of a new record has no version', async () => {
    const { data } = (await admin.get('/api/v1/forms/subscriptions')).body
    expect(data).toMatchObject({ id: null, title: 'New subscription', version: null })
  })
})

describe('the trash', () => {
  it('takes records out of the list and gives them back', async () => {
    const { id } = await create({ name: 'Comes back' })
    const total = (await admin.get(URL)).body.meta.total
    expect((await admin.delete(URL, { ids: [id] })).body.message).toBe('Moved to the trash.')
    expect((await admin.get(URL)).body.meta.total).toBe(total - 1)
    expect((await admin.post(`${URL}/restore`, { ids: [id] })).body.message).toBe('Restored.')
    expect((await admin.get(URL)).body.meta.total).toBe(total)
    expect((await activities(id)).map((line) => line.class)).toEqual(['created', 'deleted', 'restored'])
  })

  it('permanently deletes only records that are in it', async () => {
    const { id } = await create()
    const live = await admin.delete(URL, { ids: [id], force: true })
    const message = 'This subscription is not in the trash. Move it to the trash first, then delete it permanently.'
    expect([live.status, live.body.message]).toEqual([409, message])
    await admin.delete(URL, { ids: [id] })
    expect((await admin.delete(URL, { ids: [id], force: true })).body.message).toBe('Permanently deleted.')
    expect((await admin.get(`${URL}/${id}`)).status).toBe(404)
    expect((await activities(id)).at(-1)).toEqual({ class: 'deleted', message: 'Ada King permanently deleted this subscription' })
  })

  it('rejects a record that is already in it, and the restore of one that is not', async () => {
    const [{ id: live }, { id: trashed }] = [await create(), await create()]
    await admin.delete(URL, { ids: [trashed] })
    const again = await admin.delete(URL, { ids: [live, trashed] })
    const message = 'One of the subscriptions is already in the trash. Reload the list.'
    expect([again.status, again.body.message]).toEqual([409, message])
    const restored = await admin.post(`${URL}/restore`, { ids: [live] })
    expect([restored.status, restored.body.message]).toEqual([409, 'This subscription is not in the trash. Reload the list.'])
    expect((await admin.get(`${URL}/${live}`)).body.data.deleted_at).toBeNull()
  })

  it('accepts ids that are repeated or in upper case', async () => {
    const { id } = await create()
    expect((await admin.delete(URL, { ids: [id, id.toUpperCase(), id] })).status).toBe(200)
  })

  it('takes all of the records or none', async () => {
    const { id } = await create()
    const unknown = '0190163d-8694-739b-aea5-966c26f8ad91'
    for (const ids of [[id, unknown], [unknown]]) {
      const { status, body } = await admin.delete(URL, { ids })
      expect([status, body.message]).toEqual([404, 'One of the subscriptions was not found.'])
    }
    expect((await admin.get(`${URL}/${id}`)).body.data.deleted_at).toBeNull()
  })

  it('changes the lists of every account that has one of the records', async () => {
    const accounts = [await makeAccount(app.system), await makeAccount(app.system)]
    const properties = await Promise.all(accounts.map(({ id }) => makeProperty(app.system, id)))
    const versions = () => Promise.all(accounts.map(({ id }) => versionIn('account_properties', id)))
    const before = await versions()
    await admin.delete('/api/v1/account_properties', { ids: properties.map(({ id }) => id) })
    const after = await versions()
    expect(after.map((version, at) => version > (before[at] ?? 0))).toEqual([true, true])
  })

  it('publishes the id of a single record, and none for several', async () => {
    const { id: userId, companyId } = await makeUser(app.system)
    const account = await makeAccount(app.system, { companyId })
    const uploader = { ...app.system, viewer: await app.viewer(userId) }
    const created: string[] = []
    for (let count = 0; count < 3; count += 1) created.push((await makeFile(uploader, account.id)).id)
    const [single = '', ...several] = created
    const published = (ids: string[]) =>
      transact(app.system, async (tx) => {
        await trashRecords(tx, fileModel, ids)
        return tx.changes.flatMap(({ model, id }) => (model === 'account_files' ? [id] : []))
      })
    expect([await published([single]), await published(several)]).toEqual([[single], [null]])
  })

  it('checks the rules of every record', async () => {
    const other = await makeCompany(app.system)
    const { status, body } = await admin.delete('/api/v1/companies', { ids: [other.id, adminCompany] })
    expect([status, body.message]).toEqual([403, 'You cannot delete your own company.'])
    expect((await admin.get(`/api/v1/companies/${other.id}`)).body.data.deleted_at).toBeNull()
  })

  it('rejects a permanent deletion that the model forbids', async () => {
    const company = await makeCompany(app.system)
    await makeAccount(app.system, { companyId: company.id })
    await admin.delete('/api/v1/companies', { ids: [company.id] })
    expect((await admin.delete('/api/v1/companies', { ids: [company.id], force: true })).status).toBe(409)
  })

  it('trashes a record once when several users do it at the same moment', async () => {
    for (let round = 0; round < 3; round += 1) {
      const { id } = await create()
      const answers = await Promise.all(Array.from({ length: 8 }, () => admin.delete(URL, { ids: [id] })))
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
      expect(answers.filter(({ status }) => status === 409)).toHaveLength(7)
      expect((await activities(id)).filter((line) => line.class === 'deleted')).toHaveLength(1)
    }
  })
})

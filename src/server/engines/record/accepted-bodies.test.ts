import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { testApp, type As, type TestApp } from '#server/testing/app.ts'
import { makeAccount, makeProperty } from '#server/testing/factories/accounts.ts'
import { makeFile } from '#server/testing/factories/files.ts'
import { makeUser } from '#server/testing/factories/people.ts'

/** Clients repeat the model and the id of a record in bodies, and send null for what they leave out. */
let app: TestApp
let admin: As
let adminId: string
let broker: As
let companyId: string
const OTHER = '00000000-0000-7000-8000-000000000000'

beforeAll(async () => {
  app = await testApp()
  const user = await makeUser(app.system)
  companyId = user.companyId
  const { id: plan } = await app.system.db.insertInto('subscriptions').values({ name: 'Plan' }).returning('id').executeTakeFirstOrThrow()
  await app.system.db
    .insertInto('company_subscriptions')
    .values({ company_id: companyId, subscription_id: plan, term_months: 12 })
    .execute()
  broker = app.as(user.id)
  adminId = (await makeUser(app.system, { role: 'admin' })).id
  admin = app.as(adminId)
})
afterAll(() => app.stop())

describe('the model in a body', () => {
  it('is accepted by create, update, delete and restore, and must be that of the path', async () => {
    const body = { name: 'Echo Stores', type: 'standard' }
    const wrong = await broker.post('/api/v1/accounts', { ...body, model: 'users' })
    expect([wrong.status, wrong.body.errors]).toEqual([400, { model: ['Please send accounts, or leave it out.'] }])
    const made = await broker.post('/api/v1/accounts', { ...body, model: 'accounts' })
    expect(made.status).toBe(201)
    const { id } = made.body.data
    expect((await broker.put(`/api/v1/accounts/${id}`, { model: 'accounts', id, name: 'Echo' })).body.data?.name.text).toBe('Echo')
    for (const call of [
      (extra: object) => broker.delete('/api/v1/accounts', { selectedIds: [id], force: false, ...extra }),
      (extra: object) => broker.post('/api/v1/accounts/restore', { selectedIds: [id], ...extra }),
    ]) {
      expect((await call({ model: 'users' })).body.errors).toEqual({ model: ['Please send accounts, or leave it out.'] })
      expect((await call({ model: 'accounts' })).status).toBe(200)
    }
    expect((await broker.post('/api/v1/accounts', { ...body, modell: 'accounts' })).body.errors).toEqual({ modell: ['Unknown field.'] })
  })

  it.each(['companies', 'users', 'subscriptions', 'roles'])('is accepted by every model: %s', async (model) => {
    const { status, body } = await admin.post(`/api/v1/${model}`, { model })
    expect([status, Object.keys(body.errors).includes('model')]).toEqual([400, false])
  })

  it('is accepted by lists', async () => {
    const message = async (query: string) => (await broker.get(`/api/v1/accounts?${query}`)).body.message
    expect(await message('model=accounts&search=')).toBe('')
    expect(await message('model=users')).toBe('Ignored, because this list does not have them: model.')
  })

  it('is accepted by actions with the other parts that clients send', async () => {
    const { id } = await makeAccount(app.system, { companyId })
    const sent = { model: 'accounts', action: 'add-favorite', handle: 'json', fileName: null, selectedIds: [id], input: null }
    const { status, body } = await broker.post('/api/v1/accounts/actions', sent)
    expect([status, body.message, body.export]).toEqual([200, 'Added to your favorites.', null])
  })

  it('is accepted by actions only where it has an effect', async () => {
    const { id } = await makeAccount(app.system, { companyId })
    const reject = async (extra: object) =>
      (await broker.post('/api/v1/accounts/actions', { action: 'add-favorite', selectedIds: [id], ...extra })).body.errors
    expect(await reject({ model: 'users' })).toEqual({ model: ['Please send accounts, or leave it out.'] })
    expect(await reject({ handle: 'blob' })).toEqual({ handle: ['This action answers json.'] })
    expect(await reject({ fileName: 'list.xlsx' })).toEqual({ fileName: ['This action makes no file.'] })
    expect(await reject({ with_documents: true })).toEqual({ with_documents: ['This action has no documents.'] })
    expect(await reject({ account_id: OTHER })).toEqual({ account_id: ['This list is not divided by account.'] })
  })

  it('limits an action on all properties to the account that was sent', async () => {
    const [one, other] = [await makeAccount(app.system, { companyId }), await makeAccount(app.system, { companyId })]
    await makeProperty(app.system, one.id)
    const { id } = await makeProperty(app.system, other.id)
    const act = (body: object) =>
      broker.post('/api/v1/account_properties/actions', { action: 'reactivate', handle: 'json', account_id: one.id, ...body })
    expect((await act({ input: 'all' })).body.message).toBe('1 property was already active.')
    expect((await act({ selectedIds: [id] })).status).toBe(404)
  })
})

describe('the id in a body', () => {
  const paths = async () => {
    const account = await makeAccount(app.system, { companyId })
    const property = await makeProperty(app.system, account.id)
    const person = await makeUser(app.system, { companyId })
    return [
      ['accounts', account.id, { account_id: account.id }],
      ['account_properties', property.id, { version: 1, account_id: account.id }],
      ['users', person.id, {}],
      ['companies', companyId, {}],
    ] as const
  }

  it('is accepted by updates and must be that of the path', async () => {
    for (const [model, id, body] of await paths()) {
      const path = `/api/v1/${model}/${id}`
      expect((await admin.put(path, { ...body, id })).status, model).toBe(200)
      const { status, body: answer } = await admin.put(path, { ...body, id: OTHER })
      expect([status, answer.errors], model).toEqual([400, { id: ['This is not the id in the address.'] }])
    }
  })

  it('of the account must be that of the path, for accounts, properties and actions on documents', async () => {
    const [[, account], [, property]] = await paths()
    const not = { account_id: ['This is not the account in the address.'] }
    expect((await broker.put(`/api/v1/accounts/${account}`, { account_id: OTHER })).body.errors).toEqual(not)
    expect((await broker.post(`/api/v1/accounts/${account}/files/action`, { action: 'archive', account_id: OTHER })).body.errors).toEqual(
      not,
    )
    const moved = await broker.put(`/api/v1/account_properties/${property}`, { version: 1, account_id: OTHER })
    expect(moved.body.errors).toEqual({ account_id: ['A property stays in its account.'] })
  })
})

describe('the model and the id in the query of the activity', () => {
  it('are accepted and must be those of the path', async () => {
    const { id } = await makeAccount(app.system, { companyId })
    const ask = (query: string) => broker.get(`/api/v1/accounts/${id}/activity?${query}`)
    const repeated = await ask(`model=accounts&modelId=${id}&paginate=5&page=1`)
    expect([repeated.status, repeated.body.meta]).toEqual([
      200,
      expect.objectContaining({ to: expect.anything(), total: expect.anything() }),
    ])
    expect((await ask(`model=users&modelId=${id}`)).body.errors).toEqual({ model: ['Please send accounts, or leave it out.'] })
    expect((await ask(`modelId=${OTHER}`)).body.errors).toEqual({ modelId: ['This is not the id in the address.'] })
  })
})

describe('what is left out', () => {
  it('can be null in deletes and restores', async () => {
    const { id } = await makeAccount(app.system, { companyId })
    expect((await broker.delete('/api/v1/accounts', { ids: [id], selectedIds: null, force: null })).status).toBe(200)
    expect((await broker.post('/api/v1/accounts/restore', { ids: null, selectedIds: [id] })).status).toBe(200)
    expect((await broker.delete('/api/v1/accounts', { ids: null, selectedIds: null })).status).toBe(400)
  })
})

describe('the ids of a document and its account', () => {
  it('can be repeated by calls about documents, and must be those of the path', async () => {
    const { id } = await makeAccount(app.system, { companyId })
    const { id: fileId } = await makeFile({ ...app.system, viewer: await app.viewer(adminId) }, id)
    const list = `/api/v1/accounts/${id}/files`
    const archive = await broker.post(`${list}/action`, { account_id: id, params: { action: 'archive' }, files: null })
    expect([archive.status, archive.body.data.file.original_file_name]).toEqual([200, expect.stringContaining('.zip')])
    const listed = await broker.get(`${list}?account_id=${id}&paginate=9999`)
    expect([listed.body.message, listed.body.meta.total]).toEqual(['', 1])
    expect((await broker.get(`${list}/${fileId}?account_id=${id}&file_id=${fileId}&file_name=a.txt`)).body.data?.id).toBe(fileId)
    const not = { account_id: ['This is not the account in the address.'] }
    expect((await broker.get(`${list}?account_id=${OTHER}`)).body.errors).toEqual(not)
    expect((await broker.get(`${list}/${fileId}?account_id=${OTHER}`)).body.errors).toEqual(not)
    const { errors } = (await broker.get(`${list}/${fileId}?file_id=${OTHER}`)).body
    expect(errors).toEqual({ file_id: ['This is not the id in the address.'] })
  })
})

describe('the fields of a company', () => {
  it('include the address of its logo, which must be that of an upload', async () => {
    const put = (body: object) => admin.put(`/api/v1/companies/${companyId}`, { id: companyId, name: 'Echo Brokers', ...body })
    for (const logo_url of [null, '']) expect((await put({ logo_url })).status).toBe(200)
    const { status, body } = await put({ logo_url: 'https://example.com/logo.png' })
    expect([status, body.errors]).toEqual([400, { logo_url: ['The image was not uploaded. Please choose it again.'] }])
    expect((await admin.post('/api/v1/companies', { name: 'With a logo', logo_url: null })).status).toBe(201)
  })
})

describe('the fields of an account', () => {
  const make = async (type: 'standard' | 'managed', as = broker) =>
    (await as.post('/api/v1/accounts', { name: 'Fields', type })).body.data.id as string

  it('include the state of a managed account, which is that of its status', async () => {
    const id = await make('managed')
    await broker.put(`/api/v1/accounts/${id}`, { account_id: id, file_retrieval_method: 'assisted' })
    const put = (as: As, status_state: string) => as.put(`/api/v1/accounts/${id}`, { model: 'accounts', id, fields: { status_state } })
    expect((await put(broker, 'processing')).body.data?.status).toMatchObject({ name: 'Processing', state: 'processing' })
    expect((await put(broker, 'active')).status).toBe(403)
    expect((await put(admin, 'active')).body.data?.status).toMatchObject({ name: 'Active', state: 'active' })
    expect((await put(broker, 'processing')).status).toBe(403)
    expect((await put(broker, 'sleeping')).status).toBe(400)
  })

  it('can be sent as an object, each once', async () => {
    const id = await make('standard')
    const put = (body: object) => broker.put(`/api/v1/accounts/${id}`, { model: 'accounts', id, ...body })
    expect((await put({ fields: { sharing_enabled: true, name: 'Nested' } })).body.data).toMatchObject({
      sharing_enabled: true,
      name: { text: 'Nested' },
    })
    expect((await put({ name: 'Outside', fields: { sharing_enabled: false } })).body.data).toMatchObject({
      sharing_enabled: false,
      name: { text: 'Outside' },
    })
    expect((await put({ name: 'Twice', fields: { name: 'Again' } })).body.errors).toEqual({
      fields: ['Please send each field once, in fields or on its own.'],
    })
    expect((await put({ fields: { nickname: 'None' } })).body.errors).toEqual({ 'fields.nickname': ['Unknown field.'] })
  })

  it('include no state for a standard account', async () => {
    const { status, body } = await broker.put(`/api/v1/accounts/${await make('standard')}`, { status_state: 'active' })
    expect([status, body.errors]).toEqual([400, { status_state: ['Only managed accounts have a state.'] }])
  })

  it('include whether it is shared, for users who can change that', async () => {
    const id = await make('standard')
    const { body } = await broker.put(`/api/v1/accounts/${id}`, { sharing_enabled: true })
    expect(body.data?.sharing_enabled).toBe(true)
    expect((await broker.get(`/api/v1/accounts/${id}`)).body.data).toMatchObject({
      sharing_enabled: true,
      share_link: expect.stringContaining(`/account/${id}/share/`),
    })
    const role = await app.system.db
      .insertInto('roles')
      .values({
        company_id: companyId,
        name: 'editor',
        label: 'Editor',
        permissions: ['update_accounts', 'view_account_details', 'view_company_accounts'],
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    const editor = await makeUser(app.system, { companyId })
    await app.system.db.updateTable('user_roles').set({ role_id: role.id }).where('user_id', '=', editor.id).execute()
    expect((await app.as(editor.id).put(`/api/v1/accounts/${id}`, { sharing_enabled: false })).status).toBe(403)
    expect((await app.as(editor.id).put(`/api/v1/accounts/${id}`, { name: 'Edited', sharing_enabled: true })).status).toBe(200)
  })

  it('include that another party is invited to upload', async () => {
    const id = await make('managed')
    const { body } = await broker.put(`/api/v1/accounts/${id}`, { account_id: id, file_retrieval_method: 'invite' })
    expect(body.data?.file_retrieval_method).toBe('invite')
  })

  it('include how documents are collected only for users who choose it', async () => {
    const client = app.as((await makeUser(app.system, { role: 'client', companyId })).id)
    const post = (extra: object) => client.post('/api/v1/accounts', { name: 'Simple', type: 'managed', ...extra })
    const { status, body } = await post({ file_retrieval_method: 'assisted' })
    expect([status, Object.keys(body.errors)]).toEqual([400, ['file_retrieval_method']])
    expect((await post({ file_retrieval_method: 'upload' })).status).toBe(201)
  })
})

describe('force', () => {
  it('of a metric is 1, 0, true or false', async () => {
    for (const force of ['true', 'false', '1', '0'])
      expect((await broker.get(`/api/v1/metrics/accounts/summary?force=${force}`)).status).toBe(200)
    expect((await broker.get('/api/v1/metrics/accounts/summary?force=yes')).status).toBe(400)
  })
})

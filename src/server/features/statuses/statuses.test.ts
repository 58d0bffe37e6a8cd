import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { CompanyStatus } from '#contract/statuses.ts'
import { testApp, type TestApp } from '#server/testing/app.ts'
import { makeAccount } from '#server/testing/factories/accounts.ts'
import { makeUser } from '#server/testing/factories/people.ts'

let app: TestApp
let broker: Awaited<ReturnType<typeof makeUser>>
let provider: Awaited<ReturnType<typeof makeUser>>

beforeAll(async () => {
  app = await testApp()
  broker = await makeUser(app.system, { role: 'broker' })
  provider = await makeUser(app.system, { role: 'provider' })
})
afterAll(() => app.stop())

const URL = '/api/v1/statuses'
const statusesOf = async (userId: string, group = 'account'): Promise<CompanyStatus[]> =>
  (await app.as(userId).get(URL)).body.data.filter((status: CompanyStatus) => status.model_type === group)
const named = async (userId: string, name: string, group?: string): Promise<CompanyStatus> => {
  const status = (await statusesOf(userId, group)).find((one) => one.name === name)
  if (status === undefined) throw new Error(`There is no status ${name}`)
  return status
}
const namesOf = async (userId: string, group?: string) => (await statusesOf(userId, group)).map(({ name }) => name)

describe('the statuses of a company', () => {
  it('have the groups that the user sees, each in its order', async () => {
    const groups = async (userId: string) => new Set((await app.as(userId).get(URL)).body.data.map((one: CompanyStatus) => one.model_type))
    expect(await groups(broker.id)).toEqual(new Set(['account', 'risk_control']))
    expect(await groups(provider.id)).toEqual(new Set(['account', 'simple_account', 'risk_control']))
    expect((await namesOf(broker.id)).slice(0, 3)).toEqual(['New', 'Gathering Data', 'In Review'])
  })

  it('are those of the own company only', async () => {
    const status = await named(broker.id, 'New')
    expect((await app.as(provider.id).put(`${URL}/${status.id}`, { name: 'Mine' })).status).toBe(404)
    expect((await app.as(provider.id).delete(`${URL}/${status.id}`)).status).toBe(404)
  })

  it('count the accounts that have them, those in the trash included', async () => {
    const { id } = await makeAccount(app.system, { companyId: broker.companyId })
    const { id: trashed } = await makeAccount(app.system, { companyId: broker.companyId })
    const quoted = await named(broker.id, 'Quoted')
    for (const account_id of [id, trashed]) await app.as(broker.id).patch('/api/v1/accounts/status', { account_id, status_id: quoted.id })
    await app.as(broker.id).delete(`/api/v1/accounts/${trashed}`)
    expect(await named(broker.id, 'Quoted')).toMatchObject({ used: 2 })
    const deleted = await app.as(broker.id).delete(`${URL}/${quoted.id}`)
    expect(deleted).toMatchObject({
      status: 409,
      body: { message: '2 accounts have the status Quoted, those in the trash included. Change it first.' },
    })
  })
})

describe('adding a status', () => {
  it('puts it at the end, in black unless a color is given', async () => {
    const made = await app.as(broker.id).post(`${URL}/`, { model_type: 'account', name: 'On hold' })
    expect(made).toMatchObject({ status: 201, body: { data: { name: 'On hold', color: '#000000', state: null, used: 0 } } })
    expect((await namesOf(broker.id)).at(-1)).toBe('On hold')
  })

  it('rejects an empty name, a name of the same group, a color that is none and an unknown group', async () => {
    const add = async (body: object) => (await app.as(broker.id).post(URL, { model_type: 'account', name: 'Another', ...body })).body.errors
    expect(await add({ name: '  ' })).toEqual({ name: ['Please enter a name.'] })
    expect(await add({ name: 'bound' })).toEqual({ name: ['Another status of this group has this name.'] })
    expect(await add({ color: 'red' })).toEqual({ color: ['Please enter a color such as #1976D2.'] })
    expect(await add({ model_type: 'company' })).toEqual({ model_type: ['Please choose what has this status.'] })
  })

  it('allows the same name in another group', async () => {
    expect((await app.as(broker.id).post(URL, { model_type: 'risk_control', name: 'Bound' })).status).toBe(201)
  })

  it('needs a state for simple accounts, and has none for others', async () => {
    const add = async (body: object) => (await app.as(provider.id).post(URL, { name: 'Sorting', ...body })).body
    expect((await add({ model_type: 'simple_account' })).errors).toEqual({ state: ['Please choose a state.'] })
    expect((await add({ model_type: 'account', state: 'active' })).errors).toEqual({
      state: ['Only statuses of simple accounts have a state.'],
    })
    expect((await add({ model_type: 'simple_account', state: 'processing' })).data).toMatchObject({ state: 'processing' })
  })

  it('is forbidden in a group that the user does not see', async () => {
    const made = await app.as(broker.id).post(URL, { model_type: 'simple_account', name: 'Mine', state: 'active' })
    expect(made.status).toBe(403)
  })
})

describe('changing a status', () => {
  it('takes the whole status as it was read', async () => {
    const status = await named(broker.id, 'Declined')
    const saved = await app.as(broker.id).put(`${URL}/${status.id}`, { ...status, name: 'Lost', color: '#aa0000' })
    expect(saved.body.data).toEqual({ ...status, name: 'Lost', color: '#aa0000' })
  })

  it('overwrites no value that another user has changed since it was read, and no other values', async () => {
    const { id, name } = await named(broker.id, 'In Review')
    const put = (body: object) => app.as(broker.id).put(`${URL}/${id}`, body)
    await put({ name: 'Checking', color: '#00aa00' })
    const late = await put({ name: 'Reading', before: { name } })
    expect([late.status, late.body.message]).toEqual([
      409,
      'Another user renamed this status to “Checking”, so your name is not saved. Change it again to replace theirs.',
    ])
    expect((await put({ color: '#0000aa', before: { color: '#FB8C00' } })).status).toBe(409)
    expect((await put({ name: 'Checking', before: { name } })).status).toBe(200)
    const { body } = await put({ name: 'Reading', before: { name: 'Checking' } })
    expect(body.data).toMatchObject({ name: 'Reading', color: '#00aa00' })
  })

  it('shows in the lists of accounts of every company that sees them', async () => {
    const list = () => app.as(provider.id).get('/api/v1/accounts')
    const { etag } = (await list()).headers
    await app.as(broker.id).put(`${URL}/${(await named(broker.id, 'New')).id}`, { color: '#123456' })
    expect((await app.as(provider.id).get('/api/v1/accounts', { 'if-none-match': String(etag) })).status).toBe(200)
  })

  it('moves it to another place of its group', async () => {
    const before = await namesOf(broker.id, 'risk_control')
    const last = await named(broker.id, before.at(-1) ?? '', 'risk_control')
    await app.as(broker.id).put(`${URL}/${last.id}`, { position: 1 })
    expect(await namesOf(broker.id, 'risk_control')).toEqual([before[0], last.name, ...before.slice(1, -1)])
    expect((await statusesOf(broker.id, 'risk_control')).map(({ position }) => position)).toEqual(before.map((_, place) => place))
  })

  it('moves no status to another group', async () => {
    const status = await named(broker.id, 'Submitted')
    const saved = await app.as(broker.id).put(`${URL}/${status.id}`, { model_type: 'risk_control' })
    expect(saved.body.errors).toEqual({ model_type: ['A status cannot move to another group.'] })
  })

  it('leaves every state of simple accounts with a status', async () => {
    const active = await named(provider.id, 'Active', 'simple_account')
    const message = 'This is the only status with the state Active, and simple accounts need one.'
    const rejected = { status: 409, body: { message } }
    expect(await app.as(provider.id).put(`${URL}/${active.id}`, { state: 'uploading' })).toMatchObject(rejected)
    expect(await app.as(provider.id).delete(`${URL}/${active.id}`)).toMatchObject(rejected)
  })

  it('keeps the order without gaps when two users move and delete at the same moment', async () => {
    const statuses = await statusesOf(broker.id, 'risk_control')
    const [first, second, third] = statuses.map(({ id }) => id)
    const answers = await Promise.all([
      app.as(broker.id).put(`${URL}/${first}`, { position: 4 }),
      app.as(broker.id).put(`${URL}/${third}`, { position: 0 }),
      app.as(broker.id).delete(`${URL}/${second}`),
    ])
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    const after = await statusesOf(broker.id, 'risk_control')
    expect(after.map(({ position }) => position)).toEqual(statuses.slice(1).map((_, place) => place))
  })
})

describe('deleting a status', () => {
  it('is possible while no account has it', async () => {
    const made = await app.as(broker.id).post(URL, { model_type: 'account', name: 'Short-lived' })
    expect((await app.as(broker.id).delete(`${URL}/${made.body.data.id}`)).status).toBe(200)
    expect(await namesOf(broker.id)).not.toContain('Short-lived')
  })

  it('leaves one in each group', async () => {
    const owner = await makeUser(app.system, { role: 'broker' })
    const statuses = await statusesOf(owner.id)
    for (const { id } of statuses.slice(1)) expect((await app.as(owner.id).delete(`${URL}/${id}`)).status).toBe(200)
    const last = await app.as(owner.id).delete(`${URL}/${statuses[0]?.id}`)
    expect(last).toMatchObject({ status: 409, body: { message: 'This is the last status of its group, and new records need one.' } })
  })
})

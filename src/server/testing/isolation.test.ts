import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { randomUUID } from 'node:crypto'
import { MODELS, type Model } from '#contract/permissions.ts'
import { authoriseChannel, rooms } from '#server/access/channels.ts'
import { testApp, type As, type TestAnswer, type TestApp } from './app.ts'
import { WINDOWS, look, lookAround, send, visibleOf } from './doors.fixture.ts'
import { makeUser } from './factories/people.ts'
import { makeNeighbour, makeTenant, type Tenant } from './tenants.fixture.ts'

let app: TestApp
let tenant: Tenant
let stranger: As
let strangersCompany: string
const inAccounts = MODELS.filter((model) => model !== 'companies' && model !== 'users')

beforeAll(async () => {
  app = await testApp()
  tenant = await makeTenant(app)
  const { id, companyId } = await makeNeighbour(app)
  stranger = app.as(id)
  strangersCompany = companyId
})
afterAll(() => app.stop())

const absent = (ids: Tenant['ids'], ...models: Model[]): Tenant['ids'] => ({
  ...ids,
  ...Object.fromEntries(models.map((model) => [model, randomUUID()])),
})

describe('a record of another company', () => {
  it.each(MODELS)('%s: shows nowhere', async (model) => {
    expect((await lookAround(stranger, model, tenant.ids)).seen).toEqual([])
  })

  it.each(MODELS)('%s: is answered like one that nobody has, byte for byte', async (model) => {
    for (const page of WINDOWS[model].pages(tenant.ids).keys()) {
      const foreign = WINDOWS[model].pages(tenant.ids)[page] ?? ''
      const nobodys = WINDOWS[model].pages(absent(tenant.ids, model, 'accounts'))[page] ?? ''
      const answer = await look(stranger, foreign)
      expect(answer.status, foreign).toBe(404)
      expect(visibleOf(answer), foreign).toEqual(visibleOf(await look(stranger, nobodys)))
    }
  })

  it.each(MODELS)('%s: cannot be changed, and the refusal does not tell that it is there', async (model) => {
    const show = WINDOWS[model].pages(tenant.ids)[0] ?? ''
    const admin = app.as((await makeUser(app.system, { role: 'admin' })).id)
    const before = (await look(admin, show)).body.data
    for (const [at, write] of WINDOWS[model].writes(tenant.ids).entries()) {
      const onNobodys = WINDOWS[model].writes(absent(tenant.ids, model, 'accounts'))[at] ?? write
      const name = `${write.method} ${write.path} ${JSON.stringify(write.body)}`
      const answer = await send(stranger, write)
      expect([404, 409], name).toContain(answer.status)
      expect(visibleOf(answer), name).toEqual(visibleOf(await send(stranger, onNobodys)))
    }
    expect({ ...(await look(admin, show)).body.data, url: null }).toEqual({ ...before, url: null })
  })

  it.each(MODELS)('%s: does not stand in any total', async (model) => {
    const own = { companies: 1, users: 1 }[model as 'companies' | 'users'] ?? 0
    for (const path of [`/${model}`, `/${model}?filter__trashed=with`]) expect((await look(stranger, path)).body.meta.total, path).toBe(own)
  })

  it.each(MODELS.filter((model) => model !== 'discrepancies'))('%s: does not stand in the total of a search', async (model) => {
    expect((await look(stranger, `/${model}?search=zanzibar`)).body.meta.total).toBe(0)
  })

  it('does not stand in the totals of the dashboard or the status counts', async () => {
    const totals = (await look(stranger, '/metrics/init/summary')).body.data
    expect(
      totals.statistics
        .concat(totals.counts)
        .map(({ count }: { count: number }) => count)
        .filter((count: number) => count > 1),
    ).toEqual([])
    const counts = (await look(stranger, '/statuses/accounts')).body.data
    expect(counts.filter(({ count }: { count: number }) => count > 0)).toEqual([])
    expect((await look(stranger, '/metrics/accounts/summary')).body.data.total).toBe(0)
  })

  it('is found in a search no more than nothing at all', async () => {
    for (const model of ['accounts', 'account_properties', 'companies', 'users']) {
      const foreign = await look(stranger, `/${model}/search?search=zanzibar`)
      expect(visibleOf(foreign), model).toEqual(visibleOf(await look(stranger, `/${model}/search?search=nowherenothing`)))
      expect(foreign.status).toBe(404)
    }
  })

  it('is not taken along by an action on everything', async () => {
    const all = { action: 'add-favorite', input: 'all' }
    expect((await stranger.post('/api/v1/accounts/actions', all)).status).toBe(404)
    expect(await app.system.db.selectFrom('account_favorites').selectAll().execute()).toEqual([])
  })

  it('has no channel', async () => {
    const auth = (as: As, channel_name: string) => as.post('/api/v1/broadcasting/auth', { socket_id: 'a', channel_name })
    for (const channel of [`private-account.${tenant.account}`, `private-account.${randomUUID()}`, `private-user.${tenant.owner.id}`]) {
      expect((await auth(stranger, channel)).status, channel).toBe(403)
    }
    expect((await auth(app.as(tenant.owner.id), `private-account.${tenant.account}`)).status).toBe(200)
    const { id } = await makeNeighbour(app)
    const viewer = await app.viewer(id)
    for (const model of MODELS) {
      expect(await authoriseChannel(app.system.db, viewer, `private-datatable.${model}`)).toEqual([
        rooms.everyone(model),
        rooms.list(model, viewer.companyId),
        rooms.list(model, id),
      ])
    }
  })

  it('has no imports: neither its own nor their rows', async () => {
    const { id } = await app.system.db
      .insertInto('imports')
      .values({ account_id: tenant.account, file_name: 'zanzibar.xlsx', created_by: tenant.owner.id, created_by_name: 'Zanzibar' })
      .returning('id')
      .executeTakeFirstOrThrow()
    const owner = app.as(tenant.owner.id)
    expect((await look(owner, `/properties/import/${id}`)).status).toBe(200)
    expect((await look(owner, `/properties/import/${tenant.account}/history`)).raw.toString()).toContain('zanzibar.xlsx')
    const body = { source: { file_id: tenant.file } }
    const calls: ((importId: string, accountId: string) => Promise<TestAnswer>)[] = [
      (of) => look(stranger, `/properties/import/${of}`),
      (of) => look(stranger, `/properties/import/${of}/rows`),
      (of) => look(stranger, `/properties/import/${of}/rejected`),
      (of) => stranger.put(`/api/v1/properties/import/${of}`, { mode: 'add_only' }),
      (of) => stranger.post(`/api/v1/properties/import/${of}/commit`, { version: 1 }),
      (of) => stranger.delete(`/api/v1/properties/import/${of}`),
      (_of, account) => look(stranger, `/properties/import/${account}/history`),
      (_of, account) => look(stranger, `/properties/import/${account}/columns`),
      (_of, account) => stranger.post(`/api/v1/properties/import/${account}`, body),
    ]
    for (const [at, call] of calls.entries()) {
      const answer = await call(id, tenant.account)
      expect(answer.status, String(at)).toBe(404)
      expect(visibleOf(answer), String(at)).toEqual(visibleOf(await call(randomUUID(), randomUUID())))
    }
  })

  it('of the own company is no way to that of another: an address must agree with itself', async () => {
    const own = await app.system.db
      .insertInto('accounts')
      .values({ company_id: strangersCompany, type: 'standard', name: 'Own' })
      .returning('id')
      .executeTakeFirstOrThrow()
    const path = (id: string) => `/accounts/${own.id}/files/${id}`
    expect(visibleOf(await look(stranger, path(tenant.file)))).toEqual(visibleOf(await look(stranger, path(randomUUID()))))
    const link = (properties: string[]) =>
      stranger.post(`/api/v1/accounts/${own.id}/files/action`, {
        action: 'assign_properties',
        files: [tenant.file],
        input: { properties, mode: 'add' },
      })
    expect((await link([tenant.ids.account_properties])).status).toBe(404)
    await app.system.db.deleteFrom('accounts').where('id', '=', own.id).execute()
  })
})

describe('who has a part in the account', () => {
  it.each(MODELS)('%s: is seen everywhere by people of its company', async (model) => {
    const admin = await makeUser(app.system, { role: 'admin', companyId: tenant.company.id })
    expect((await lookAround(app.as(admin.id), model, tenant.ids)).unseen).toEqual([])
  })

  it.each(inAccounts)('%s: is seen everywhere by a person who was added', async (model) => {
    expect((await lookAround(app.as(tenant.added.id), model, tenant.ids)).unseen).toEqual([])
  })

  it.each(inAccounts)('%s: is seen by the carrier, but for forms and the history', async (model) => {
    const { unseen } = await lookAround(app.as(tenant.carrier.id), model, tenant.ids)
    expect(unseen.filter((path) => !/^\/forms\/|\/activity$/.test(path))).toEqual([])
  })

  it('loses sight of it with their part', async () => {
    const { db } = app.system
    const { id } = await makeNeighbour(app)
    await db.insertInto('account_users').values({ account_id: tenant.account, user_id: id }).execute()
    const paths = [
      '/accounts',
      `/account_properties?filter__account_id=${tenant.account}`,
      '/account_properties',
      `/account_files?filter__account_id=${tenant.account}`,
    ]
    const totals = async () => Promise.all(paths.map(async (path) => (await app.as(id).get(`/api/v1${path}`)).body.meta.total))
    expect(await totals()).toEqual([1, 1, 1, 1])
    const { version } = (await app.as(tenant.owner.id).get(`/api/v1/accounts/${tenant.account}`)).body.data
    const saved = await app.as(tenant.owner.id).put(`/api/v1/accounts/${tenant.account}`, { version, users: [] })
    expect(saved.status).toBe(200)
    expect(await totals()).toEqual([0, 0, 0, 0])
    const back = [tenant.added.id, tenant.uploader.id].map((user_id) => ({ user_id, account_id: tenant.account }))
    await db.insertInto('account_users').values(back).execute()
  })
})

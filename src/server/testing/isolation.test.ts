import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { randomUUID } from 'node:crypto'
import type { Model } from '#contract/models.ts'
import { authorizeChannel, rooms } from '#server/access/channels.ts'
import { testApp, type As, type TestAnswer, type TestApp } from './app.ts'
import { LEAK_PROBES, MARKER, modelsProbedAt, observable, probe, probeAll, send } from './leak-probes.fixture.ts'
import { makeUser } from './factories/people.ts'
import { ISOLATED_MODELS, modelsWith } from './model-visibility.ts'
import { makeOutsider, makeTenant, type Tenant } from './tenants.fixture.ts'

let app: TestApp
let tenant: Tenant
/** A user of a company without access to the tenant. */
let outsider: As
let outsiderId: string
let outsidersCompany: string
/** What the outsider's lists count before the tenant exists. */
let totalsBefore: Record<string, number>

beforeAll(async () => {
  app = await testApp()
  const { id, companyId } = await makeOutsider(app)
  outsiderId = id
  outsider = app.as(id)
  outsidersCompany = companyId
  totalsBefore = await outsidersTotals()
  tenant = await makeTenant(app)
})
afterAll(() => app.stop())

const totalOf = async (path: string): Promise<number> => (await probe(outsider, path)).body.meta.total
const outsidersTotals = async () => {
  const paths = ISOLATED_MODELS.flatMap((model) => [`/${model}`, `/${model}?filter__trashed=with`])
  return Object.fromEntries(await Promise.all(paths.map(async (path) => [path, await totalOf(path)] as const)))
}
const withUnknownIds = (ids: Tenant['ids'], ...models: Model[]): Tenant['ids'] => ({
  ...ids,
  ...Object.fromEntries(models.map((model) => [model, randomUUID()])),
})

describe('a user of another company', () => {
  it.each(ISOLATED_MODELS)('sees none of the %s at any probe', async (model) => {
    expect((await probeAll(outsider, model, tenant.ids)).seen).toEqual([])
  })

  it.each(ISOLATED_MODELS)('gets for %s exactly the response for an id that does not exist', async (model) => {
    for (const [index, page] of LEAK_PROBES[model].pages(tenant.ids).entries()) {
      const unknown = LEAK_PROBES[model].pages(withUnknownIds(tenant.ids, model, 'accounts'))[index] ?? ''
      const answer = await probe(outsider, page)
      expect(answer.status, page).toBe(404)
      expect(observable(answer), page).toEqual(observable(await probe(outsider, unknown)))
    }
  })

  it.each(ISOLATED_MODELS)('cannot change %s, and the error does not reveal that the record exists', async (model) => {
    const show = LEAK_PROBES[model].pages(tenant.ids)[0] ?? ''
    const admin = app.as((await makeUser(app.system, { role: 'admin' })).id)
    const before = (await probe(admin, show)).body.data
    for (const [index, write] of LEAK_PROBES[model].writes(tenant.ids).entries()) {
      const unknown = LEAK_PROBES[model].writes(withUnknownIds(tenant.ids, model, 'accounts'))[index] ?? write
      const name = `${write.method} ${write.path} ${JSON.stringify(write.body)}`
      const answer = await send(outsider, write)
      expect([404, 409], name).toContain(answer.status)
      expect(observable(answer), name).toEqual(observable(await send(outsider, unknown)))
    }
    expect({ ...(await probe(admin, show)).body.data, url: null }).toEqual({ ...before, url: null })
  })

  it.each(modelsWith('system'))('sees the list of %s, which all companies share', async (model) => {
    expect((await probe(outsider, `/${model}`)).status).toBe(200)
  })

  it('has the same totals of every list as without the records', async () => {
    expect(await outsidersTotals()).toEqual(totalsBefore)
  })

  it.each(modelsProbedAt(/^\/\w+\?search=/))('gets a total of 0 when searching the list of %s', async (model) => {
    expect(await totalOf(`/${model}?search=${MARKER}`)).toBe(0)
  })

  it('sees none of the records in the totals of the dashboard and the status counts', async () => {
    const totals = (await probe(outsider, '/metrics/init/summary')).body.data
    const counts = totals.statistics.concat(totals.counts).map(({ count }: { count: number }) => count)
    expect(counts.filter((count: number) => count > 1)).toEqual([])
    const statuses = (await probe(outsider, '/statuses/accounts')).body.data
    expect(statuses.filter(({ count }: { count: number }) => count > 0)).toEqual([])
    expect((await probe(outsider, '/metrics/accounts/summary')).body.data.total).toBe(0)
  })

  it.each(modelsProbedAt(/^\/\w+\/search\?/))('gets the response for no match when searching for %s', async (model) => {
    const answer = await probe(outsider, `/${model}/search?search=${MARKER}`)
    expect(observable(answer)).toEqual(observable(await probe(outsider, `/${model}/search?search=nowherenothing`)))
    expect(answer.status).toBe(404)
  })

  it('does not include the account in an action on all accounts', async () => {
    const all = { action: 'add-favorite', input: 'all' }
    expect((await outsider.post('/api/v1/accounts/actions', all)).status).toBe(404)
    expect(await app.system.db.selectFrom('account_favorites').selectAll().execute()).toEqual([])
  })

  it('cannot subscribe to channels of the account or of its users', async () => {
    const auth = (as: As, channel_name: string) => as.post('/api/v1/broadcasting/auth', { socket_id: 'a', channel_name })
    for (const channel of [`private-account.${tenant.account}`, `private-account.${randomUUID()}`, `private-user.${tenant.owner.id}`]) {
      expect((await auth(outsider, channel)).status, channel).toBe(403)
    }
    expect((await auth(app.as(tenant.owner.id), `private-account.${tenant.account}`)).status).toBe(200)
  })

  it.each(ISOLATED_MODELS)('is subscribed to changes of %s in their own scopes only', async (model) => {
    const viewer = await app.viewer(outsiderId)
    expect(await authorizeChannel(app.system.db, viewer, `private-datatable.${model}`)).toEqual([
      rooms.everyone(model),
      rooms.list(model, viewer.companyId),
      rooms.list(model, outsiderId),
    ])
  })

  it('cannot see, change or start imports of the account', async () => {
    const { id } = await app.system.db
      .insertInto('imports')
      .values({ account_id: tenant.account, file_name: 'zanzibar.xlsx', created_by: tenant.owner.id, created_by_name: 'Zanzibar' })
      .returning('id')
      .executeTakeFirstOrThrow()
    const owner = app.as(tenant.owner.id)
    expect((await probe(owner, `/properties/import/${id}`)).status).toBe(200)
    expect((await probe(owner, `/properties/import/${tenant.account}/history`)).raw.toString()).toContain('zanzibar.xlsx')
    const body = { source: { file_id: tenant.file } }
    const calls: ((importId: string, accountId: string) => Promise<TestAnswer>)[] = [
      (of) => probe(outsider, `/properties/import/${of}`),
      (of) => probe(outsider, `/properties/import/${of}/rows`),
      (of) => probe(outsider, `/properties/import/${of}/rejected`),
      (of) => outsider.put(`/api/v1/properties/import/${of}`, { mode: 'add_only' }),
      (of) => outsider.post(`/api/v1/properties/import/${of}/commit`, { version: 1 }),
      (of) => outsider.delete(`/api/v1/properties/import/${of}`),
      (_of, account) => probe(outsider, `/properties/import/${account}/history`),
      (_of, account) => probe(outsider, `/properties/import/${account}/columns`),
      (_of, account) => outsider.post(`/api/v1/properties/import/${account}`, body),
    ]
    for (const [at, call] of calls.entries()) {
      const answer = await call(id, tenant.account)
      expect(answer.status, String(at)).toBe(404)
      expect(observable(answer), String(at)).toEqual(observable(await call(randomUUID(), randomUUID())))
    }
  })

  it('cannot reach a document through the path of an account of their own', async () => {
    const own = await app.system.db
      .insertInto('accounts')
      .values({ company_id: outsidersCompany, type: 'standard', name: 'Own' })
      .returning('id')
      .executeTakeFirstOrThrow()
    const path = (id: string) => `/accounts/${own.id}/files/${id}`
    expect(observable(await probe(outsider, path(tenant.file)))).toEqual(observable(await probe(outsider, path(randomUUID()))))
    const link = (properties: string[]) =>
      outsider.post(`/api/v1/accounts/${own.id}/files/action`, {
        action: 'assign_properties',
        files: [tenant.file],
        input: { properties, mode: 'add' },
      })
    expect((await link([tenant.ids.account_properties])).status).toBe(404)
    await app.system.db.deleteFrom('accounts').where('id', '=', own.id).execute()
  })
})

/** Who else was let in is shown to the account's company alone. */
const OF_COMPANY: Model = 'account_invites'
const IN_ACCOUNT = modelsWith('account').filter((model) => model !== OF_COMPANY)

describe('a user with access', () => {
  it.each(ISOLATED_MODELS)('sees %s of their own company at every probe', async (model) => {
    const admin = await makeUser(app.system, { role: 'admin', companyId: tenant.company.id })
    expect((await probeAll(app.as(admin.id), model, tenant.ids)).unseen).toEqual([])
  })

  it.each(IN_ACCOUNT)('sees %s at every probe after being added to the account', async (model) => {
    expect((await probeAll(app.as(tenant.added.id), model, tenant.ids)).unseen).toEqual([])
  })

  it.each(IN_ACCOUNT)(
    'sees %s as the carrier, except forms, imports, the activity, the trash and the receipt of uploads',
    async (model) => {
      const { unseen } = await probeAll(app.as(tenant.carrier.id), model, tenant.ids)
      expect(unseen.filter((path) => !/^\/forms\/|\/(activity|history|receipt)$|trashed|import/.test(path))).toEqual([])
    },
  )

  it('of another company sees none of the invitations', async () => {
    for (const { id } of [tenant.added, tenant.carrier]) expect((await probeAll(app.as(id), OF_COMPANY, tenant.ids)).seen).toEqual([])
  })

  it('sees none of its records after being removed from the account', async () => {
    const { db } = app.system
    const { id } = await makeOutsider(app)
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

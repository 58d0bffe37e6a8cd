import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { transact } from '#server/engines/transaction/transact.ts'
import type { Context } from '#server/engines/context.ts'
import { testApp, type As, type TestApp } from '#server/testing/app.ts'
import { makeProperty } from '#server/testing/factories/accounts.ts'
import { makeFile } from '#server/testing/factories/files.ts'
import { makeNeighbour, makeTenant, type Tenant } from '#server/testing/tenants.fixture.ts'

/** An unchanged list is answered with 304; a changed one never. */
let app: TestApp
let tenant: Tenant
let owner: As
let carrier: As
let ownerCtx: Context

beforeAll(async () => {
  app = await testApp()
  tenant = await makeTenant(app)
  owner = app.as(tenant.owner.id)
  carrier = app.as(tenant.carrier.id)
  ownerCtx = { ...app.system, viewer: await app.viewer(tenant.owner.id) }
})
afterAll(() => app.stop())

const lists = {
  accounts: () => '/api/v1/accounts',
  properties: () => `/api/v1/account_properties?filter__account_id=${tenant.account}`,
  files: () => `/api/v1/account_files?filter__account_id=${tenant.account}`,
  discrepancies: () => `/api/v1/discrepancies?filter__account_id=${tenant.account}`,
}
type Name = keyof typeof lists

const tagOf = async (as: As, name: Name) => String((await as.get(lists[name]())).headers['etag'])
const isFresh = async (as: As, name: Name, tag: string) => (await as.get(lists[name](), { 'if-none-match': tag })).status === 304

/** Makes the change and tells which lists of this person are not what they were. */
async function changed(as: As, change: () => Promise<unknown>): Promise<Name[]> {
  const names = Object.keys(lists) as Name[] // the keys of the literal above
  const tags = await Promise.all(names.map((name) => tagOf(as, name)))
  for (const [at, name] of names.entries()) expect(await isFresh(as, name, tags[at] ?? ''), name).toBe(true)
  await change()
  const fresh = await Promise.all(names.map((name, at) => isFresh(as, name, tags[at] ?? '')))
  return names.filter((_name, at) => fresh[at] === false)
}

const ok = async (answer: Promise<{ status: number; body: unknown }>) => {
  const { status, body } = await answer
  expect(status, JSON.stringify(body)).toBeLessThan(300)
}
const decide = () => owner.put(`/api/v1/discrepancies/${tenant.ids.discrepancies}`, { status: 'kept', note: 'It stands.' })
const account = () => `/api/v1/accounts/${tenant.account}`

describe('a list answers anew', () => {
  it('when a property was changed, for everybody who sees it', async () => {
    const { version } = (await owner.get(`/api/v1/account_properties/${tenant.ids.account_properties}`)).body.data
    const save = () => ok(owner.put(`/api/v1/account_properties/${tenant.ids.account_properties}`, { version, year_built: 1971 }))
    expect(await changed(carrier, save)).toEqual(expect.arrayContaining(['accounts', 'properties']))
  })

  it('when a document was added, changed or thrown away', async () => {
    let id = ''
    const add = async () => {
      ;({ id } = await makeFile(ownerCtx, tenant.account))
    }
    expect(await changed(carrier, add)).toEqual(expect.arrayContaining(['accounts', 'properties', 'files']))
    expect(await changed(carrier, () => ok(owner.patch(`${account()}/files/${id}`, { vanity_name: 'New name' })))).toContain('files')
    expect(await changed(carrier, () => ok(owner.delete(`${account()}/files`, { ids: [id] })))).toEqual(
      expect.arrayContaining(['accounts', 'files']),
    )
  })

  it('when a difference was decided', async () => {
    expect(await changed(carrier, () => ok(decide()))).toEqual(expect.arrayContaining(['properties', 'discrepancies']))
  })

  it('when the account was renamed or got another status', async () => {
    const shown = (await owner.get(account())).body.data
    expect(await changed(carrier, () => ok(owner.put(account(), { version: shown.version, name: 'Zanzibar Stores Inc' })))).toContain(
      'accounts',
    )
    const other = shown.statuses.find(({ id }: { id: string }) => id !== shown.status?.id)
    expect(
      await changed(carrier, () => ok(owner.patch('/api/v1/accounts/status', { account_id: tenant.account, status_id: other.id }))),
    ).toContain('accounts')
  })

  it('when its company was renamed', async () => {
    const company = `/api/v1/companies/${tenant.company.id}`
    expect(await changed(carrier, () => ok(owner.put(company, { name: 'Zanzibar Group' })))).toContain('accounts')
  })

  it('to the person who made it a favorite, and to nobody else', async () => {
    const favor = () => ok(owner.post('/api/v1/accounts/actions', { action: 'add-favorite', selectedIds: [tenant.account] }))
    expect(await changed(carrier, favor)).toEqual([])
    await owner.post('/api/v1/accounts/actions', { action: 'remove-favorite', selectedIds: [tenant.account] })
    expect(await changed(owner, favor)).toEqual(['accounts'])
  })

  it('when the account went into the trash and came back', async () => {
    const gone = await changed(carrier, () => ok(owner.delete('/api/v1/accounts', { ids: [tenant.account] })))
    expect(gone).toEqual(['accounts', 'properties', 'files', 'discrepancies'])
    for (const path of Object.values(lists)) expect((await carrier.get(path())).body.meta.total, path()).toBe(0)
    const back = await changed(carrier, () => ok(owner.post('/api/v1/accounts/restore', { ids: [tenant.account] })))
    expect(back).toEqual(['accounts', 'properties', 'files', 'discrepancies'])
  })

  it('when a permission was taken away or given', async () => {
    const { id } = await makeNeighbour(app)
    await app.system.db.insertInto('account_users').values({ account_id: tenant.account, user_id: id }).execute()
    const tag = await tagOf(app.as(id), 'files')
    await transact(app.system, (tx) =>
      tx.db
        .updateTable('roles')
        .set({ permissions: ['view_account_files', 'view_accounts_component', 'view_account_properties'] })
        .where('name', '=', 'local')
        .execute(),
    )
    expect(await isFresh(app.as(id), 'files', tag)).toBe(false)
  })

  it('not when something changed that it does not show', async () => {
    const other = await makeTenant(app)
    expect(await changed(carrier, () => makeProperty(app.system, other.account))).toEqual([])
  })
})

describe('a tag', () => {
  it('belongs to its person, its query and its list', async () => {
    const tags = [
      await tagOf(owner, 'accounts'),
      await tagOf(carrier, 'accounts'),
      String((await owner.get('/api/v1/accounts?page=2')).headers['etag']),
      await tagOf(owner, 'files'),
    ]
    expect(new Set(tags).size).toBe(4)
    expect(await isFresh(carrier, 'accounts', tags[0] ?? '')).toBe(false)
  })

  it('comes with an empty body when nothing changed', async () => {
    const tag = await tagOf(owner, 'accounts')
    const answer = await owner.get('/api/v1/accounts', { 'if-none-match': tag })
    expect([answer.status, answer.raw.length, answer.headers['etag']]).toEqual([304, 0, tag])
  })
})

import { beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { IndexQuery, listCalls } from '#contract/datatable.ts'
import { ALL_SCOPE, EVERY_SCOPE } from '#server/access/scope.ts'
import { transact } from '#server/engines/transaction/transact.ts'
import { accountDatatable } from '#server/features/accounts/accounts.datatable.ts'
import type { As } from '#server/testing/app.ts'
import { makeAccount, makeProperty } from '#server/testing/factories/accounts.ts'
import { makeFile } from '#server/testing/factories/files.ts'
import { makeUser } from '#server/testing/factories/people.ts'
import { makeOutsider, makeTenant, testTenant } from '#server/testing/tenants.fixture.ts'
import { listPage } from './index-list.ts'
import { listHandlers } from './list-routes.ts'
import { listRequest } from './list-version.ts'

/** An unchanged list answers 304, a changed list never does. */
const { app, tenant, owner, carrier, ownerCtx } = await testTenant()

const lists = {
  accounts: () => '/api/v1/accounts',
  properties: () => `/api/v1/account_properties?filter__account_id=${tenant.account}`,
  files: () => `/api/v1/account_files?filter__account_id=${tenant.account}`,
  discrepancies: () => `/api/v1/discrepancies?filter__account_id=${tenant.account}`,
  allDiscrepancies: () => '/api/v1/discrepancies',
}
type Name = keyof typeof lists
const ALL = Object.keys(lists) as Name[] // the keys of the literal above

const etagOf = async (as: As, name: Name) => String((await as.get(lists[name]())).headers['etag'])
const isUnchanged = async (as: As, name: Name, etag: string) => (await as.get(lists[name](), { 'if-none-match': etag })).status === 304

/** Makes the change and returns the lists whose earlier ETag no longer matches for this caller. */
async function changed(as: As, change: () => Promise<unknown>): Promise<Name[]> {
  const etags = await Promise.all(ALL.map((name) => etagOf(as, name)))
  for (const [at, name] of ALL.entries()) expect(await isUnchanged(as, name, etags[at] ?? ''), name).toBe(true)
  await change()
  const unchanged = await Promise.all(ALL.map((name, at) => isUnchanged(as, name, etags[at] ?? '')))
  return ALL.filter((_name, at) => unchanged[at] === false)
}

const ok = async (answer: Promise<{ status: number; body: unknown }>) => {
  const { status, body } = await answer
  expect(status, JSON.stringify(body)).toBeLessThan(300)
}
const decide = () => owner.put(`/api/v1/discrepancies/${tenant.ids.discrepancies}`, { status: 'kept', note: 'The value is right.' })
const account = () => `/api/v1/accounts/${tenant.account}`

describe('the ETag of a list changes', () => {
  it('after a change of a property, for every user who sees it', async () => {
    const { version } = (await owner.get(`/api/v1/account_properties/${tenant.ids.account_properties}`)).body.data
    const save = () => ok(owner.put(`/api/v1/account_properties/${tenant.ids.account_properties}`, { version, year_built: 1971 }))
    expect(await changed(carrier, save)).toEqual(expect.arrayContaining(['accounts', 'properties']))
  })

  it('after a document is added, changed or deleted', async () => {
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

  it('after a decision on a discrepancy', async () => {
    expect(await changed(carrier, () => ok(decide()))).toEqual(expect.arrayContaining(['properties', 'discrepancies']))
  })

  it('after a change of the name or the status of the account', async () => {
    const shown = (await owner.get(account())).body.data
    expect(await changed(carrier, () => ok(owner.put(account(), { version: shown.version, name: 'Zanzibar Stores Inc' })))).toContain(
      'accounts',
    )
    const other = shown.statuses.find(({ id }: { id: string }) => id !== shown.status?.id)
    expect(
      await changed(carrier, () => ok(owner.patch('/api/v1/accounts/status', { account_id: tenant.account, status_id: other.id }))),
    ).toContain('accounts')
  })

  it('after a change of the name of the company', async () => {
    const company = `/api/v1/companies/${tenant.company.id}`
    expect(await changed(carrier, () => ok(owner.put(company, { name: 'Zanzibar Group' })))).toContain('accounts')
  })

  it('after a change of the name of a user of another company, also in a list that was cached', async () => {
    const colleague = await makeUser(app.system, { companyId: tenant.company.id })
    await makeFile({ ...app.system, viewer: await app.viewer(colleague.id) }, tenant.account, { name: 'zanzibar-renamed.txt' })
    const admin = app.as((await makeUser(app.system, { role: 'admin' })).id)
    const query = `${lists.files()}&search=zanzibar-renamed`
    const before = await carrier.get(query)
    expect(JSON.stringify(before.body.data)).not.toContain('Renamed')
    await ok(admin.put(`/api/v1/users/${colleague.id}`, { first_name: 'Renamed' }))
    const after = await carrier.get(query, { 'if-none-match': String(before.headers['etag']) })
    expect([after.status, JSON.stringify(after.body.data)]).toEqual([200, expect.stringContaining('Renamed')])
  })

  it('for the user who adds a favorite, and for no other user', async () => {
    const favor = () => ok(owner.post('/api/v1/accounts/actions', { action: 'add-favorite', selectedIds: [tenant.account] }))
    expect(await changed(carrier, favor)).toEqual([])
    await owner.post('/api/v1/accounts/actions', { action: 'remove-favorite', selectedIds: [tenant.account] })
    expect(await changed(owner, favor)).toEqual(['accounts', 'allDiscrepancies'])
  })

  it('after the account is moved to the trash and after it is restored', async () => {
    const gone = await changed(carrier, () => ok(owner.delete('/api/v1/accounts', { ids: [tenant.account] })))
    expect(gone).toEqual(ALL)
    for (const path of Object.values(lists)) expect((await carrier.get(path())).body.meta.total, path()).toBe(0)
    const back = await changed(carrier, () => ok(owner.post('/api/v1/accounts/restore', { ids: [tenant.account] })))
    expect(back).toEqual(ALL)
  })

  it('for a user who loses access to an account, which publishes no change to that user', async () => {
    const { id } = await makeOutsider(app)
    const { db } = app.system
    await db.insertInto('account_users').values({ account_id: tenant.account, user_id: id }).execute()
    const removeAccess = () => db.deleteFrom('account_users').where('user_id', '=', id).where('account_id', '=', tenant.account).execute()
    expect(await changed(app.as(id), removeAccess)).toEqual(ALL)
    for (const path of Object.values(lists)) expect((await app.as(id).get(path())).body.meta.total, path()).toBe(0)
  })

  it('for a company that is no longer the carrier of an account, whose lists get no new version', async () => {
    const setCarrier = (carrier_company_id: string | null) => ok(owner.put(account(), { carrier_company_id }))
    expect(await changed(carrier, () => setCarrier(null))).toEqual(ALL)
    for (const path of Object.values(lists)) expect((await carrier.get(path())).body.meta.total, path()).toBe(0)
    expect(await changed(carrier, () => setCarrier(tenant.carrier.companyId))).toEqual(ALL)
  })

  it('after a change in another account, also if the query has an account that the list has no filter for', async () => {
    const other = await makeAccount(app.system, { companyId: tenant.company.id })
    const path = `/api/v1/accounts?filter__account_id=${tenant.account}`
    const { headers } = await owner.get(path)
    await ok(owner.put(`/api/v1/accounts/${other.id}`, { name: 'Quokka Mills' }))
    const after = await owner.get(path, { 'if-none-match': String(headers['etag']) })
    expect([after.status, JSON.stringify(after.body.data)]).toEqual([200, expect.stringContaining('Quokka Mills')])
  })

  it('of an account for a user who loses access to it and gets access to another', async () => {
    const { id } = await makeOutsider(app)
    const other = await makeTenant(app)
    const { db } = app.system
    await db.insertInto('account_users').values({ account_id: tenant.account, user_id: id }).execute()
    const swap = async () => {
      await db.deleteFrom('account_users').where('user_id', '=', id).execute()
      await db.insertInto('account_users').values({ account_id: other.account, user_id: id }).execute()
    }
    expect(await changed(app.as(id), swap)).toEqual(expect.arrayContaining(['properties', 'files', 'discrepancies']))
  })

  it('after a change of the permissions of the user', async () => {
    const { id } = await makeOutsider(app)
    await app.system.db.insertInto('account_users').values({ account_id: tenant.account, user_id: id }).execute()
    const etag = await etagOf(app.as(id), 'files')
    await transact(app.system, (tx) =>
      tx.db
        .updateTable('roles')
        .set({ permissions: ['view_account_files', 'view_accounts_component', 'view_account_properties'] })
        .where('name', '=', 'local')
        .execute(),
    )
    expect(await isUnchanged(app.as(id), 'files', etag)).toBe(false)
  })

  it('only after changes of records that the list shows', async () => {
    const { headers } = await owner.get('/api/v1/users')
    await makeProperty(app.system, tenant.account)
    expect((await owner.get('/api/v1/users', { 'if-none-match': String(headers['etag']) })).status).toBe(304)
  })

  it('only after changes in accounts that the list shows', async () => {
    const other = await makeTenant(app)
    expect(await changed(carrier, () => makeProperty(app.system, other.account))).toEqual([])
  })
})

describe('an ETag', () => {
  it('differs between users, queries and lists', async () => {
    const etags = [
      await etagOf(owner, 'accounts'),
      await etagOf(carrier, 'accounts'),
      String((await owner.get('/api/v1/accounts?page=2')).headers['etag']),
      await etagOf(owner, 'files'),
    ]
    expect(new Set(etags).size).toBe(4)
    expect(await isUnchanged(carrier, 'accounts', etags[0] ?? '')).toBe(false)
  })

  it('is repeated with an empty 304 while nothing changes', async () => {
    const etag = await etagOf(owner, 'accounts')
    const answer = await owner.get('/api/v1/accounts', { 'if-none-match': etag })
    expect([answer.status, answer.raw.length, answer.headers['etag']]).toEqual([304, 0, etag])
  })
})

describe('a page of a list', () => {
  let reads = 0
  const rows = async (_ctx: unknown, ids: readonly string[]) => {
    reads += 1
    return ids.map((id) => ({ id }))
  }
  const { index } = listCalls('accounts', z.object({ id: z.string() }))
  const queryOf = (over: object = {}) => IndexQuery.parse({ filter__type: 'standard', ...over })
  const caller = { address: '127.0.0.1', client: '', idleMs: 0, isConditional: false, has: () => false, signal: AbortSignal.any([]) }
  const read = async (over = {}) => {
    const { ready } = await listHandlers({ ...accountDatatable, rows }, index).index({
      ctx: ownerCtx,
      query: queryOf(over),
      caller,
    })
    return ready
  }

  it('is read once until something changes, and for each query', async () => {
    const first = await read()
    expect(reads).toBe(1)
    expect([await read(), reads]).toEqual([first, 1])
    await read({ sort: 'name' })
    expect(reads).toBe(2)
    await makeAccount(app.system, { companyId: tenant.company.id })
    expect((await read()).etag).not.toBe(first.etag)
    expect(reads).toBe(3)
  })

  it('leaves out a record that is permanently deleted while the page is read', async () => {
    const table = { ...accountDatatable, rows: async () => [] }
    expect((await listPage(ownerCtx, table, queryOf())).rows).toEqual([])
  })

  it('is a prepared statement only if it is the first, since the best plan depends on the place', async () => {
    const { statementNames } = ownerCtx
    const added = async (page: number) => {
      const before = statementNames.size
      await listPage(ownerCtx, accountDatatable, queryOf({ page, filter__type: 'standard,managed' }))
      return statementNames.size - before
    }
    expect([await added(2), await added(1), await added(1)]).toEqual([0, 1, 0])
  })

  it('has a version only for signed-in users', () => {
    expect(() => listRequest(app.system, accountDatatable, queryOf())).toThrow('sign in')
  })
})

describe('a role that sees all records of one model but not all companies', () => {
  let manager: As
  let admin: As
  beforeAll(async () => {
    admin = app.as((await makeUser(app.system, { role: 'admin' })).id)
    const user = await makeUser(app.system)
    const permissions = [
      'view_subscriptions_component',
      'view_subscriptions',
      'view_subscriptions_datatable_search',
      'view_users_component',
      'view_all_system_users',
      'view_users_datatable_search',
    ]
    const { body } = await admin.post('/api/v1/roles', { label: 'Billing clerk', permissions })
    await ok(admin.put(`/api/v1/users/${user.id}`, { roles: [body.data.id], version: 1 }))
    manager = app.as(user.id)
  })

  it('finds in search what the list shows', async () => {
    await ok(admin.post('/api/v1/subscriptions', { name: 'Evergreen' }))
    for (const path of ['/api/v1/subscriptions?search=evergr', '/api/v1/subscriptions/search?search=evergr'])
      expect((await manager.get(path)).body.data, path).toHaveLength(1)
    const name = (await app.viewer(tenant.owner.id)).lastName
    expect((await manager.get(`/api/v1/users?search=${encodeURIComponent(name)}`)).body.data.length).toBeGreaterThan(0)
  })

  it('gets a new ETag when a user of another company changes', async () => {
    const { headers } = await manager.get('/api/v1/users?paginate=100')
    await ok(admin.put(`/api/v1/users/${tenant.owner.id}`, { first_name: 'Renamed', version: 1 }))
    const again = await manager.get('/api/v1/users?paginate=100', { 'if-none-match': String(headers['etag']) })
    expect(again.status).toBe(200)
    expect(JSON.stringify(again.body)).toContain('Renamed')
  })
})

describe('a user who sees everything', () => {
  it('reads one stored version and one stored total, however many companies have lists', async () => {
    const admin = app.as((await makeUser(app.system, { role: 'admin', companyId: tenant.company.id })).id)
    const total = async () => (await admin.get('/api/v1/accounts')).body.meta.total
    const [etag, counted] = [await etagOf(admin, 'accounts'), await total()]
    await app.asOwner('UPDATE list_versions SET version = version + 1000 WHERE model = $1 AND scope_id NOT IN ($2, $3)', [
      'accounts',
      ALL_SCOPE,
      EVERY_SCOPE,
    ])
    await app.asOwner('UPDATE principal_totals SET accounts = accounts + 1000 WHERE principal_id <> $1', [ALL_SCOPE])
    expect(await isUnchanged(admin, 'accounts', etag)).toBe(true)
    expect(await total()).toBe(counted)
    await app.asOwner('UPDATE list_versions SET version = version + 1 WHERE model = $1 AND scope_id = $2', ['accounts', ALL_SCOPE])
    await app.asOwner('UPDATE principal_totals SET accounts = accounts + 7 WHERE principal_id = $1', [ALL_SCOPE])
    expect(await isUnchanged(admin, 'accounts', etag)).toBe(false)
    expect(await total()).toBe(counted + 7)
  })
})

import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { PermissionName } from '#contract/permissions.ts'
import { authorizeChannel } from '#server/access/channels.ts'
import { makeAccount } from '#server/testing/factories/accounts.ts'
import { makeInvite } from '#server/testing/factories/guests.ts'
import { makeUser } from '#server/testing/factories/people.ts'
import { makeOutsider, testTenant } from '#server/testing/tenants.fixture.ts'

const { app, tenant, owner } = await testTenant()
const DETAILS: readonly PermissionName[] = ['view_account_details', 'view_account_activity', 'view_accounts_component']

/** A user who was added to the account, with a role that has only these permissions. */
async function addedUser(permissions: readonly PermissionName[]) {
  const user = await makeOutsider(app, permissions)
  await sql`INSERT INTO account_users (account_id, user_id) VALUES (${tenant.account}, ${user.id})`.execute(app.system.db)
  const as = app.as(user.id)
  const record = (await as.get(`/api/v1/accounts/${tenant.account}`)).body.data
  const row = (await as.get('/api/v1/accounts')).body.data[0]
  const lines: { message: string }[] = (await as.get(`/api/v1/accounts/${tenant.account}/activity?paginate=100`)).body.data
  return { record, row, lines: lines.map(({ message }) => message) }
}

test('users who cannot open the register see no totals of it, instead of zeros', async () => {
  const { record, row } = await addedUser(DETAILS)
  expect(record).toMatchObject({ properties: null, divested_properties: null, tiv: null, currency: null })
  expect([row.properties, row.tiv].map(({ value, text }) => [value, text])).toEqual([
    [null, ''],
    [null, ''],
  ])
  const allowed = await addedUser([...DETAILS, 'view_account_properties'])
  expect(allowed.record).toMatchObject({ properties: 1, divested_properties: 0 })
  expect(allowed.row.properties.value).toBe(1)
})

test('broker, carrier and status are hidden from users without their permissions', async () => {
  const hidden = await addedUser(DETAILS)
  expect(hidden.record).toMatchObject({ broker: null, carrier: null, status: null, statuses: [] })
  expect(hidden.row.status.text).toBe('')
  const shown = await addedUser([...DETAILS, 'view_account_broker', 'view_account_carrier', 'view_account_status'])
  expect([shown.record.carrier?.id, shown.record.status?.name]).toEqual([tenant.carrier.companyId, 'New'])
  expect([shown.record.statuses.length > 0, shown.row.status.text]).toEqual([true, 'New'])
})

test('further details are hidden from users who only upload documents, also by invitation, and shown to all others', async () => {
  const meta = [{ label: 'Expiring limit', value: '$250,000,000' }]
  const account = `/api/v1/accounts/${tenant.account}`
  expect((await owner.put(account, { meta, effective_date: '2027-01-01' })).body.data.meta).toEqual(meta)
  const guest = async (role: 'upload_only' | 'invite_guest') =>
    app.as((await makeInvite({ ...app.system, viewer: await app.viewer(tenant.owner.id) }, tenant.account, { role })).userId)
  const uploaders = [app.as(tenant.uploader.id), await guest('upload_only')]
  for (const as of uploaders) expect((await as.get(account)).body.data).toMatchObject({ meta: [], effective_date: '2027-01-01' })
  for (const as of [app.as(tenant.added.id), await guest('invite_guest')]) expect((await as.get(account)).body.data.meta).toEqual(meta)
})

test('the form has no further details for users who only upload documents, so that saving it keeps them', async () => {
  const uploader = await makeUser(app.system, { role: 'upload_only', companyId: tenant.company.id })
  const role = { name: 'upload_only', label: 'Uploader', permissions: [...DETAILS, 'view_company_accounts', 'update_accounts'] }
  const { id } = await app.system.db
    .insertInto('roles')
    .values({ ...role, company_id: tenant.company.id })
    .returning('id')
    .executeTakeFirstOrThrow()
  await app.system.db.updateTable('user_roles').set({ role_id: id }).where('user_id', '=', uploader.id).execute()
  const fields = async (as: typeof owner) =>
    ((await as.get(`/api/v1/forms/accounts/${tenant.account}`)).body.data.sections as { fields: { name: string }[] }[]).flatMap((section) =>
      section.fields.map(({ name }) => name),
    )
  expect(await fields(app.as(uploader.id))).toContain('effective_date')
  expect(await fields(app.as(uploader.id))).not.toContain('meta')
  expect(await fields(owner)).toContain('meta')
})

test('a user without the permission for statuses finds none by search, and the list has no column, filter or order for them', async () => {
  const user = await makeOutsider(app, [...DETAILS, 'view_accounts_datatable_filters', 'view_accounts_datatable_search'])
  const ids: Record<string, string> = {}
  for (const [name, type] of [
    ['B seen', 'managed'],
    ['A hidden', 'standard'],
  ] as const) {
    const { id } = await makeAccount(app.system, { companyId: tenant.company.id, name, type, users: [user.id] })
    ids[name] = id
  }
  const names = async (as: typeof owner, query: string) =>
    ((await as.get(`/api/v1/accounts?${query}`)).body.data as { name: { text: string } }[]).map(({ name }) => name.text)
  const as = app.as(user.id)
  const statusOf = async (id: string | undefined) => (await owner.get(`/api/v1/accounts/${id ?? ''}`)).body.data.status.name as string
  const [hidden, seen] = [await statusOf(ids['A hidden']), await statusOf(ids['B seen'])]
  expect(await names(owner, `filter__status=${encodeURIComponent(hidden)}`)).toContain('A hidden')
  const query = `sort=status&filter__status=${encodeURIComponent(hidden)}`
  expect((await names(as, query)).toSorted()).toEqual(['A hidden', 'B seen'])
  expect((await as.get(`/api/v1/accounts?${query}`)).body.message).toBe(
    'Ignored, because this list does not have them: sort=status, filter__status.',
  )
  const offered = async (viewer: typeof owner, what: string, key: string) =>
    (await viewer.get(`/api/v1/accounts/${what}`)).body.data.map((one: Record<string, string>) => one[key])
  for (const [what, key] of [
    ['columns', 'src'],
    ['filters', 'name'],
  ] as const) {
    expect(await offered(owner, what, key)).toContain('status')
    expect(await offered(as, what, key)).not.toContain('status')
  }
  const exported = await as.post('/api/v1/accounts/actions', { action: 'export_csv', input: 'all', columns: ['name', 'status'] })
  expect([exported.status, exported.body.errors]).toEqual([400, { columns: ['The list of accounts does not have these columns: status.'] }])
  const found = async (viewer: typeof owner, search: string) =>
    (await viewer.get(`/api/v1/accounts/search?search=${encodeURIComponent(search)}`)).body.data[0].detail as string
  expect(await found(owner, 'A hidden')).toContain(hidden)
  expect(await found(as, 'A hidden')).toBe(tenant.company.name)
  expect(await found(as, 'B seen')).toContain(seen)
  expect((await as.get(`/api/v1/accounts/${ids['B seen'] ?? ''}`)).body.data.status.name).toBe(seen)
})

test('lines about properties and documents are hidden from users who cannot see such records', async () => {
  await owner.put(`/api/v1/account_properties/${tenant.ids.account_properties}`, { version: 1, city: 'Zanzibar Town' })
  const file = `/api/v1/accounts/${tenant.account}/files/${tenant.file}`
  expect((await owner.patch(file, { version: 1, vanity_name: 'Zanzibar survey' })).status).toBe(200)
  const about = (lines: readonly string[], word: string) => lines.some((line) => line.includes(word))
  const { lines } = await addedUser(DETAILS)
  expect([about(lines, 'Town'), about(lines, 'survey')]).toEqual([false, false])
  const properties = await addedUser([...DETAILS, 'view_account_properties'])
  expect([about(properties.lines, 'Town'), about(properties.lines, 'survey')]).toEqual([true, false])
  const all = await addedUser([...DETAILS, 'view_account_properties', 'view_account_files'])
  expect([about(all.lines, 'Town'), about(all.lines, 'survey')]).toEqual([true, true])
})

test('the channel of the list of accounts has the permission of the call for its rows', async () => {
  const channel = async (permissions: readonly PermissionName[]) =>
    authorizeChannel(app.system.db, await app.viewer((await makeOutsider(app, permissions)).id), 'private-datatable.accounts')
  expect(await channel(['view_accounts_component'])).toBeUndefined()
  expect(await channel(['view_account_details'])).toBeDefined()
})

test('without the permission for discrepancies, no list or filter says that there are none', async () => {
  const user = await makeOutsider(app, [...DETAILS, 'view_account_properties', 'view_accounts_datatable_filters'])
  const as = app.as(user.id)
  for (const call of ['', '/columns', '/filters', '/actions']) expect((await as.get(`/api/v1/discrepancies${call}`)).status).toBe(403)
  const attention = (await as.get('/api/v1/accounts/filters')).body.data.find(({ name }: { name: string }) => name === 'attention')
  const kinds = attention.options.map(({ value }: { value: string }) => value)
  expect(kinds).toContain('no_date')
  for (const kind of ['critical', 'check', 'unchecked', 'open_import', 'flagged']) {
    expect(kinds).not.toContain(kind)
    const { message } = (await as.get(`/api/v1/accounts?filter__attention=${kind}`)).body
    expect(message).toBe(`Ignored, because the value has no meaning: filter__attention=${kind}.`)
  }
  const columns = (await as.get('/api/v1/account_properties/columns')).body.data.map(({ src }: { src: string }) => src)
  expect(columns).not.toContain('quality_score')
  expect((await as.get('/api/v1/account_properties?filter__severity=critical')).body.message).toContain(
    'does not have them: filter__severity',
  )
})

test('activity shows changes of the status and found discrepancies only to users with the permission to see them', async () => {
  const insert = sql`INSERT INTO activities (model, model_id, account_id, actor_name, class, message) VALUES
    ('accounts', ${tenant.account}, ${tenant.account}, 'Dana', 'status', 'Dana changed the status from New to Bound'),
    ('accounts', ${tenant.account}, ${tenant.account}, 'Plumbline', 'reconciled', 'Reconciliation found 3 new discrepancies')`
  await insert.execute(app.system.db)
  const linesOf = async (...permissions: PermissionName[]) =>
    (await addedUser([...DETAILS, ...permissions])).lines.filter((line) => /from New to Bound|found 3 new/.test(line))
  expect(await linesOf()).toEqual([])
  expect(await linesOf('view_account_status')).toEqual(['Dana changed the status from New to Bound'])
  expect(await linesOf('view_account_reconciliation_metric')).toEqual(['Reconciliation found 3 new discrepancies'])
  const managed = sql`UPDATE accounts SET type = ${'managed'} WHERE id = ${tenant.account}`
  await managed.execute(app.system.db)
  expect(await linesOf()).toEqual(['Dana changed the status from New to Bound'])
  await sql`UPDATE accounts SET type = 'standard' WHERE id = ${tenant.account}`.execute(app.system.db)
})

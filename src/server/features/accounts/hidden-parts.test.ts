import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { PermissionName } from '#contract/permissions.ts'
import { authorizeChannel } from '#server/access/channels.ts'
import { makeAccount } from '#server/testing/factories/accounts.ts'
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

test('a status that a user does not see cannot be found by filter, order or search', async () => {
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
  expect(await names(as, `filter__status=${encodeURIComponent(`${hidden},${seen}`)}`)).toEqual(['B seen'])
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

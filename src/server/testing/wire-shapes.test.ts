import { expect, it } from 'vitest'
import { makeAccount } from './factories/accounts.ts'
import { makeFile } from './factories/files.ts'
import { testTenant } from './tenants.fixture.ts'

/** Parts of answers that clients outside of this repository read by name. */
const { app, tenant, owner, ownerCtx } = await testTenant()
const get = async (path: string) => (await owner.get(`/api/v1/${path}`)).body.data

it('every metric has an icon', async () => {
  const ofAccount = ['property-types', 'property-types-pie', 'property-locations', 'reconciliation'].map(
    (name) => `${tenant.account}/${name}`,
  )
  for (const path of ['accounts/summary', 'init/summary', ...ofAccount.map((name) => `accounts/${name}`)])
    expect(await get(`metrics/${path}`), path).toMatchObject({ icon: { icon: expect.any(String), type: expect.any(String) } })
})

it('rows of managed accounts have the state of their status, and no number of users', async () => {
  const { id } = await makeAccount(app.system, { companyId: tenant.company.id, type: 'managed', name: 'Managed one' })
  const rows: { id: string; status: object }[] = await get('accounts')
  expect(rows.find((row) => row.id === id)?.status).toMatchObject({ text: 'Uploading', state: 'uploading' })
  expect(rows.find((row) => row.id === tenant.account)?.status).not.toHaveProperty('state')
  expect(await get(`accounts/${id}`)).not.toHaveProperty('users')
  expect(await get(`accounts/${tenant.account}`)).toMatchObject({ users: 2 })
})

it('the init data have a key for maps, which is empty without one', async () => {
  expect((await get('init')).config).toMatchObject({ maps_key: '' })
})

it('a user has a name with first and last name', async () => {
  expect(await get(`users/${tenant.owner.id}`)).toMatchObject({ name: { first_name: 'Pat', last_name: 'Zanzibar' } })
})

it('a row of the properties has the id and name of its account', async () => {
  const [row] = await get('account_properties')
  expect(row).toMatchObject({ account_id: tenant.account, account_name: 'Zanzibar Stores' })
})

it('an archive says whether it contains all documents or a selection, and a document does not', async () => {
  const { id } = await makeFile(ownerCtx, tenant.account, { name: 'one.txt' })
  const path = `accounts/${tenant.account}/files`
  const archive = async (files: unknown) => (await owner.post(`/api/v1/${path}/action`, { action: 'archive', files })).body.data
  expect(await archive('all')).toMatchObject({ source: 'downloadall', account_id: tenant.account })
  const selection = await archive([id])
  expect(await get(`${path}/${selection.id}`)).toMatchObject({ source: 'fileselection' })
  expect(await get(`${path}/${id}`)).not.toHaveProperty('source')
})

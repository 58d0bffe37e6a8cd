import { expect, it } from 'vitest'
import { formatBytes } from '#contract/format.ts'
import { makeAccount, makeProperty } from '#server/testing/factories/accounts.ts'
import { makeFile } from '#server/testing/factories/files.ts'
import { testTenant } from '#server/testing/tenants.fixture.ts'
import { fileDatatable } from './files.datatable.ts'

/** In pixels: the padding of a cell on both sides, and the widest mean of a text of digits in letters of 14 pixels. */
const PADDING = 20
const CHARACTER = 8.2

it('the column of sizes has room for the longest size', () => {
  const sizes = [0, 999, 1_002, 1_023, 10_000, 1_000_000, 1_023 * 1_024, 999 * 1_024 ** 2, 1_023 * 1_024 ** 2, 1_023 * 1_024 ** 3].map(
    formatBytes,
  )
  const longest = Math.max(...sizes.map(({ length }) => length))
  expect(fileDatatable.entries.get('size')?.width, sizes.join(', ')).toBeGreaterThanOrEqual(PADDING + longest * CHARACTER)
})

it('the column of report dates has room for a date with the mark of an old document', () => {
  const [boldDate, mark] = [95, 18]
  expect(fileDatatable.entries.get('report_author_date')?.width).toBeGreaterThanOrEqual(PADDING + mark + boldDate)
})

it('an export has both names of a document, all of its properties and its flags', async () => {
  const { app, tenant, ownerCtx, owner } = await testTenant()
  const { id: account } = await makeAccount(app.system, { companyId: tenant.company.id })
  const properties = [
    await makeProperty(app.system, account, { address: '1 Oak St' }),
    await makeProperty(app.system, account, { address: '2 Oak St' }),
  ]
  const add = async (name: string, change: object) => {
    const { id } = await makeFile(ownerCtx, account, { name })
    expect((await owner.patch(`/api/v1/accounts/${account}/files/${id}`, change)).status).toBe(200)
  }
  await add('a.txt', { vanity_name: 'Roof survey', private: true, properties: properties.map(({ id }) => id) })
  await add('b.txt', { covers_all_properties: true, provided_by_broker: true })
  const columns = ['name', 'properties', 'private', 'provided_by_broker']
  const { raw } = await owner.post('/api/v1/account_files/actions', {
    model: 'account_files',
    action: 'export_csv',
    handle: 'blob',
    input: 'all',
    account_id: account,
    columns,
    filters: { sort: 'name', order: 'asc' },
  })
  expect(raw.toString().slice(1).trimEnd().split('\r\n')).toEqual([
    'Name,Original file name,Properties,Private,Provided by broker',
    'b.txt,b.txt,All properties,,Yes',
    expect.stringMatching(/^Roof survey,a\.txt,"1 Oak St, .+; 2 Oak St, .+",Yes,$/),
  ])
})

it('a document whose only property is in the trash needs a property', async () => {
  const { app, tenant, ownerCtx, owner } = await testTenant()
  const { id: account } = await makeAccount(app.system, { companyId: tenant.company.id })
  const { id: property } = await makeProperty(app.system, account, { address: '1 Oak St' })
  const { id } = await makeFile(ownerCtx, account, { name: 'roof.txt', category: 'roof' })
  await owner.patch(`/api/v1/accounts/${account}/files/${id}`, { properties: [property] })
  const needing = async () => (await owner.get(`/api/v1/account_files?filter__account_id=${account}&filter__unlinked=1`)).body.meta.total
  const ids = { ids: [property] }
  expect(await needing()).toBe(0)
  expect((await owner.delete('/api/v1/account_properties', ids)).status).toBe(200)
  expect(await needing()).toBe(1)
  expect((await owner.post('/api/v1/account_properties/restore', ids)).status).toBe(200)
  expect(await needing()).toBe(0)
})

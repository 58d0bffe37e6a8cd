import { expect, it } from 'vitest'
import type { PropertyValues } from '#contract/property-fields.ts'
import { readAll, readOne, save, texts } from '#server/engines/spreadsheet/spreadsheet.fixture.ts'
import { readArchive } from '#server/testing/archive-members.fixture.ts'
import { makeAccount, makeProperty } from '#server/testing/factories/accounts.ts'
import { makeFile } from '#server/testing/factories/files.ts'
import { testTenant } from '#server/testing/tenants.fixture.ts'

const { app, tenant, ownerCtx, owner } = await testTenant()

const newAccount = async () => (await makeAccount(app.system, { companyId: tenant.company.id })).id
const PLACE = { property_name: null, city: 'Reno', state: 'NV', postal_code: '89501' }

/** A property with a document that has its name. */
async function add(account: string, name: string, values: Partial<PropertyValues>) {
  const { id } = await makeProperty(app.system, account, { ...PLACE, address: `${name} Oak St`, ...values })
  const file = await makeFile(ownerCtx, account, { name: `${name}.txt`, property_ids: [id] })
  return { id, file: file.id }
}

async function members(account: string, files: readonly string[] | 'all' = 'all') {
  const { body } = await owner.post(`/api/v1/accounts/${account}/files/action`, { action: 'archive', files })
  return readArchive((await app.anonymous.get(body.data.url)).raw).members
}

/** The folders of properties, by the name of their document. */
const foldersIn = (paths: Iterable<string>) =>
  Object.fromEntries([...paths].flatMap((path) => (path.startsWith('Properties/') ? [[path.split('/').at(-1), path.split('/')[1]]] : [])))

it('a property without a location number has a folder without a number, which could be that of another location', async () => {
  const account = await newAccount()
  await add(account, '1', { location_number: '2' })
  await add(account, '2', { location_number: null })
  await add(account, '3', { location_number: null, building_number: 'B' })
  expect(foldersIn((await members(account)).keys())).toEqual({
    '1.txt': '002 - 1 Oak St, Reno NV',
    '2.txt': 'No number - 2 Oak St, Reno NV',
    '3.txt': 'No number, building B - 3 Oak St, Reno NV',
  })
})

it('a property has the same folder in archives of different documents', async () => {
  const account = await newAccount()
  const same = { location_number: null, property_name: 'Mill' }
  await add(account, 'z', same)
  const second = await add(account, 'b', same)
  const third = await add(account, 'a', same)
  const all = foldersIn((await members(account)).keys())
  expect(all).toEqual({
    'z.txt': 'No number - Mill, Reno NV',
    'b.txt': 'No number - Mill, Reno NV (2)',
    'a.txt': 'No number - Mill, Reno NV (3)',
  })
  for (const { file } of [second, third]) expect(all).toMatchObject(foldersIn((await members(account, [file])).keys()))
})

it('the index and the property list have locations and buildings in natural order', async () => {
  const account = await newAccount()
  const numbers = [
    ['10', '1'],
    ['2', '10'],
    ['2', '2'],
  ] as const
  const ids: string[] = []
  for (const [location_number, building_number] of numbers)
    ids.push(
      (await makeProperty(app.system, account, { ...PLACE, location_number, building_number, address: `${building_number} Elm St` })).id,
    )
  await makeFile(ownerCtx, account, { name: 'lease.txt', property_ids: ids })
  const { sheets } = await readAll(await save('index.xlsx', (await members(account)).get('Document Index.xlsx') ?? ''))
  expect(sheets.map(texts)[0]?.[1]).toContain('2 2 Elm St Reno; 2 10 Elm St Reno; 10 1 Elm St Reno')
  const { raw } = await owner.post('/api/v1/account_properties/property-list/download', { account_id: account })
  const listed = texts(await readOne(await save('list.xlsx', raw))).slice(1, 4)
  expect(listed.map(([location, building]) => [location, building])).toEqual([
    ['2', '2'],
    ['2', '10'],
    ['10', '1'],
  ])
})

import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { As } from '#server/testing/app.ts'
import { readArchive, sha256Of } from '#server/testing/archive-members.fixture.ts'
import { readAll, save, texts } from '#server/engines/spreadsheet/spreadsheet.fixture.ts'
import { manifestIn } from '#server/engines/packages/manifest.fixture.ts'
import { newPackage } from '#server/engines/packages/packages.ts'
import { makeAccount, makeProperty } from '#server/testing/factories/accounts.ts'
import { makeFile } from '#server/testing/factories/files.ts'
import { testTenant } from '#server/testing/tenants.fixture.ts'
import { buildArchive } from './archive.build.ts'
import { loadVisibleFiles } from './files.queries.ts'

const { app, tenant, ownerCtx, owner, carrier } = await testTenant()

const newAccount = async (name = 'Harbor Terminals') =>
  (await makeAccount(app.system, { companyId: tenant.company.id, carrierCompanyId: tenant.carrier.companyId, name })).id

async function archiveOf(account: string, as: As = owner) {
  const { body } = await as.post(`/api/v1/accounts/${account}/files/action`, { action: 'archive' })
  const { members } = readArchive((await app.anonymous.get(body.data.url)).raw)
  return { id: body.data.id as string, members, manifest: JSON.parse(members.get('Manifest.json')?.toString() ?? '') }
}

const REASON = 'The stored file is missing or does not have its registered size.'

/** The texts of the sheets of the index. */
async function indexOf(members: ReadonlyMap<string, Buffer>): Promise<string[][][]> {
  const { sheets } = await readAll(await save('index.xlsx', members.get('Document Index.xlsx') ?? ''))
  return sheets.map(texts)
}

it('the manifest names every file of the archive with its size and SHA-256', async () => {
  const account = await newAccount()
  const property = await makeProperty(app.system, account, {
    location_number: '7',
    property_name: null,
    address: '1 Pier Rd',
    city: 'Reno',
    state: 'NV',
    postal_code: '89501',
  })
  const roof = await makeFile(ownerCtx, account, { name: 'scan 0001.txt', sov: false, category: 'roof', property_ids: [property.id] })
  await owner.patch(`/api/v1/accounts/${account}/files/${roof.id}`, { vanity_name: 'Roof report' })
  await makeFile(ownerCtx, account, { name: 'values.txt', sov: true })
  const { id, members, manifest } = await archiveOf(account)
  expect(manifest).toMatchObject({
    manifest_version: 1,
    id,
    made_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
    account: 'Harbor Terminals',
    made_by: tenant.owner.fullName,
    check_page: `${app.system.config.appUrl}/check`,
    skipped: [],
  })
  expect(manifest.documents).toContainEqual({
    path: 'Properties/007 - 1 Pier Rd, Reno NV/08 Roof report - warranty/Roof report.txt',
    original_name: 'scan 0001.txt',
    descriptive_name: 'Roof report',
    properties: ['7 1 Pier Rd Reno'],
    size: roof.bytes.length,
    sha256: sha256Of(roof.bytes),
  })
  const listed: { path: string; size: number; sha256: string }[] = [...manifest.documents, ...manifest.generated]
  const contained = [...members].filter(([path]) => path !== 'Manifest.json')
  expect(new Map(listed.map(({ path, size, sha256 }) => [path, [size, sha256]]))).toEqual(
    new Map(contained.map(([path, bytes]) => [path, [bytes.length, sha256Of(bytes)]])),
  )
})

it('the list of properties in an archive has a row for each property of a document, and the manifest of what it lists', async () => {
  const account = await newAccount()
  const ids: string[] = []
  for (let at = 1; at <= 6; at += 1)
    ids.push((await makeProperty(app.system, account, { location_number: String(at), address: `${at} Pier` })).id)
  const file = await makeFile(ownerCtx, account, { name: 'six.txt', sov: false, property_ids: ids })
  const { members } = readArchive((await owner.post('/api/v1/account_properties/with-documents/download', { account_id: account })).raw)
  const bytes = members.get('Property List.xlsx') ?? Buffer.alloc(0)
  const { sheets } = await readAll(await save('list.xlsx', bytes))
  const rows = sheets.map(texts).at(-1)?.slice(1) ?? []
  expect(rows.map(([, document]) => document)).toEqual(ids.map(() => 'six.txt'))
  expect(new Set(rows.map(([property]) => property)).size).toBe(6)
  expect((await manifestIn(bytes)).documents).toMatchObject([{ original_name: 'six.txt', sha256: sha256Of(file.bytes) }])
})

it('the index carries the documents that it lists in its manifest', async () => {
  const account = await newAccount()
  await makeFile(ownerCtx, account, { name: 'here.txt' })
  const { members, manifest } = await archiveOf(account)
  expect((await manifestIn(members.get('Document Index.xlsx') ?? Buffer.alloc(0))).documents).toEqual(manifest.documents)
})

it('the manifest names a document that could not be read with the reason', async () => {
  const account = await newAccount()
  await makeFile(ownerCtx, account, { name: 'here.txt' })
  const lost = await makeFile(ownerCtx, account, { name: 'lost.txt' })
  await rm(join(app.dataDir, 'objects/data', `${lost.key}@object`))
  const { manifest, members } = await archiveOf(account)
  expect(manifest.documents.map((file: { original_name: string }) => file.original_name)).toEqual(['here.txt'])
  expect(manifest.skipped).toMatchObject([{ original_name: 'lost.txt', sha256: sha256Of(lost.bytes), reason: REASON }])
  expect((await indexOf(members))[0]?.flat()).toContain(`Not in this archive: ${REASON}`)
})

it('a checksum that was never computed is not known, in the manifest and in the index', async () => {
  const account = await newAccount()
  const { id } = await makeFile(ownerCtx, account, { name: 'unread.txt' })
  await app.system.db.updateTable('account_files').set({ crc32: null, sha256: null }).where('id', '=', id).execute()
  const facts = { ...newPackage(ownerCtx), account: 'Harbor Terminals', madeBy: 'Ann Harbor' }
  const request = { account_id: account, source: 'downloadall', selected_ids: null } as const
  const { layout } = await buildArchive(ownerCtx, request, facts, [], await loadVisibleFiles(ownerCtx, account, 'all'))
  const bytes = new Map(layout.members.map(({ name, source }) => [name, source.kind === 'bytes' ? source.bytes : Buffer.alloc(0)]))
  expect(JSON.parse(String(bytes.get('Manifest.json'))).skipped).toMatchObject([{ original_name: 'unread.txt', sha256: null }])
  expect((await indexOf(bytes))[0]?.at(-1)?.at(-1)).toBe('Not known')
})

it('the index has the date, the id and the address of the check page', async () => {
  const account = await newAccount()
  await makeFile(ownerCtx, account)
  const { id, members, manifest } = await archiveOf(account)
  expect((await indexOf(members))[1]).toEqual([
    ['About', 'Value'],
    ['Account', 'Harbor Terminals'],
    ['Made by', tenant.owner.fullName],
    ['Document ID', id],
    ['Date (UTC)', manifest.made_at.replace('T', ' ').slice(0, 16)],
    ['Check this file at', manifest.check_page],
    ['Documents', '1'],
    ['Documents that were left out', '0'],
  ])
})

it('a private document is in no manifest and no index of a carrier', async () => {
  const account = await newAccount('Quiet Harbor')
  await makeFile(ownerCtx, account, { name: 'open.txt', sov: false })
  const secret = await makeFile(ownerCtx, account, { name: 'quetzal.txt', sov: false, private: true })
  const [theirs, ours] = [await archiveOf(account, carrier), await archiveOf(account)]
  const named = ({ manifest }: typeof ours) => manifest.documents.map((file: { original_name: string }) => file.original_name).toSorted()
  expect([named(theirs), named(ours)]).toEqual([['open.txt'], ['open.txt', 'quetzal.txt']])
  expect(JSON.stringify(theirs.manifest)).not.toContain(sha256Of(secret.bytes))
  expect((await indexOf(theirs.members)).flat(2).join(' ')).not.toMatch(new RegExp(`quetzal|${sha256Of(secret.bytes)}`))
})

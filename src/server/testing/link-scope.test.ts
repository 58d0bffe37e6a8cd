import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { FileRow } from '#contract/account-files.ts'
import type { PropertyRow } from '#contract/account-properties.ts'
import type { Context } from '#server/engines/context.ts'
import { transact } from '#server/engines/transaction/transact.ts'
import { routes } from '#server/features/index.ts'
import { testApp, type As, type TestAnswer, type TestApp } from './app.ts'
import { bodies } from './bodies.fixture.ts'
import { makeAccount, makeProperty } from './factories/accounts.ts'
import { makeCompany, makeUser, subscribe } from './factories/people.ts'
import { makeReadFile } from './factories/texts.ts'
import { FILES, LINKS, PROPERTIES, TRASHED, downloads, type Doc, type Link } from './link-scope.fixture.ts'

let app: TestApp
let asOwner: Context
let owner: As
let account: string
/** Ids of properties and documents by their names. Each name is in no other one. */
const properties: Record<string, string> = {}
const files: Record<string, string> = {}

const at = (rest: string) => `/api/v1/accounts/${account}${rest}`

const bodyOf = ({ chosen, ...rest }: Link['input']) => ({
  ...rest,
  ...(chosen === undefined ? {} : { property_ids: chosen.map((name) => properties[name]) }),
})
const tokenIn = (link: string) => link.split('/').at(-1) ?? ''
async function open(link: string): Promise<As> {
  const { body } = await app.anonymous.post(at('/share'), { share_token: tokenIn(link) })
  return app.bearing(`Bearer ${body.token}`)
}
/** Chooses the properties before some of them go to the trash. */
const created: Record<string, { id: string; link: string }> = {}

beforeAll(async () => {
  app = await testApp()
  const company = await makeCompany(app.system, 'Harbor Point Brokerage')
  await subscribe(app.system, company.id)
  const user = await makeUser(app.system, { companyId: company.id, lastName: 'Whitfield' })
  owner = app.as(user.id)
  asOwner = { ...app.system, viewer: await app.viewer(user.id) }
  account = (await makeAccount(asOwner, { companyId: company.id, name: 'Cascadia Portfolio' })).id
  // As an administrator could: links then give all that is left to people from outside, not only what the role has at first.
  await sql`UPDATE roles SET permissions = (SELECT permissions FROM roles WHERE name = 'admin' AND company_id IS NULL)
    WHERE name = 'share_guest' AND company_id IS NULL`.execute(app.system.db)
  for (const [name, values] of Object.entries(PROPERTIES)) properties[name] = (await makeProperty(asOwner, account, values)).id
  for (const [name, { category, of, ...doc }] of Object.entries<Doc>(FILES)) {
    const bytes = Buffer.from(`The ${doc.bytesOf ?? name} clause\n`)
    const property_ids = of.map((property) => properties[property] ?? '')
    files[name] = (await makeReadFile(asOwner, account, { name: `${name}.txt`, bytes, category, property_ids })).id
  }
  await app.system.db
    .updateTable('account_files')
    .set({ private: true })
    .where('id', '=', files['panther'] ?? '')
    .execute()
  // The form rejects a second currency, which accounts of earlier versions have.
  await sql`UPDATE account_properties SET currency = 'CAD' WHERE id = ${properties['badger']}`.execute(app.system.db)
  for (const [name, { input }] of Object.entries(LINKS)) {
    const { status, body } = await owner.post(at('/links'), { label: name, ...bodyOf(input) })
    expect([status, body.message]).toEqual([201, body.message])
    created[name] = body.data
  }
  const divest = { action: 'divest', selectedIds: [properties['sold']], input: { divested_on: '2026-01-05', divested_reason: 'sold' } }
  expect((await owner.post('/api/v1/account_properties/actions', divest)).body.status).not.toBe('error')
  await owner.delete('/api/v1/account_properties', { ids: TRASHED.map((name) => properties[name]) })
})
afterAll(() => app.stop())

/** What of the account no answer to the visitors of this link may have: names, addresses and ids of everything else. */
function markers({ properties: seen, files: read }: Link): string[] {
  const hidden = Object.entries(PROPERTIES).filter(([name]) => !seen.some((one) => one === name))
  const unread = Object.keys(FILES).filter((name) => !read.some((one) => one === name))
  return [
    ...hidden.flatMap(([name, { address }]) => [address.toLowerCase(), properties[name] ?? '']),
    ...unread.flatMap((name) => [`${name}.txt`, files[name] ?? '', ...(name === 'narwhal' ? [] : [`the ${name}`])]),
  ]
}

/**
 * Every address of a call that reads, with the account and each property and document of it; those of calls that the visitor cannot make with
 * one of them.
 */
async function addresses(grantId: string): Promise<string[]> {
  const { id } = await app.system.db.selectFrom('users').select('id').where('grant_id', '=', grantId).executeTakeFirstOrThrow()
  const { permissions } = await app.viewer(id)
  const all = [account, ...Object.values(properties), ...Object.values(files)]
  const reads = routes.filter(({ call }) => call.method === 'GET' && call.can !== 'public' && !/logout/.test(call.path))
  return reads.flatMap(({ call: { path, can } }) => {
    const bare = path.replace(/:number\b/, '1').replace(/:(model|key)\b/, 'accounts')
    if (!bare.includes(':')) return [bare]
    const inAccount = bare.replace(/^(.*?):(account_id|id)\b(?=.*:)/, `$1${account}`)
    const mayCall = [...permissions].some((name) => name === can)
    return (mayCall ? all : all.slice(0, 2)).map((one) => inAccount.replace(/:\w+/g, one))
  })
}

const queries = (): string[] => [
  ...Object.values(properties).flatMap((id) => [`/account_files?filter__property_id=${id}`, `/account_properties?filter__import_id=${id}`]),
  ...Object.values(PROPERTIES).map(({ address }) => `/account_properties?search=${encodeURIComponent(address)}`),
  ...Object.values(PROPERTIES).map(({ address }) => `/account_properties/search?search=${encodeURIComponent(address)}`),
  ...Object.keys(FILES).flatMap((name) => [
    `/account_files?search=${name}`,
    `/account_files/search?search=${name}`,
    `/account_files/text-search?search=${name}`,
  ]),
]

const named = (names: readonly string[], of: Record<string, string>) => names.map((name) => of[name] ?? '').toSorted()
const ids = (rows: readonly { id: string }[]) => rows.map(({ id }) => id).toSorted()
const sumOf = (numbers: readonly (number | null)[]) => numbers.reduce<number>((sum, one) => sum + (one ?? 0), 0)

describe.each(Object.entries(LINKS))('a link to %s', (name, link) => {
  let visitor: As
  let propertyRows: PropertyRow[]
  let fileRows: FileRow[]
  const get = async (path: string) => (await visitor.get(`/api/v1${path}`)).body
  beforeAll(async () => {
    visitor = await open(created[name]?.link ?? '')
    propertyRows = (await get('/account_properties?filter__status=all&paginate=100')).data
    fileRows = (await get('/account_files?paginate=100')).data
  })

  it('shows its properties and documents, each with the properties that it shows', () => {
    expect(ids(propertyRows)).toEqual(named(link.properties, properties))
    expect(ids(fileRows)).toEqual(named(link.files, files))
    const linked = Object.fromEntries(fileRows.map(({ id, file }) => [id, file.propertyIds.toSorted()]))
    const expected = link.files.map((file) => [
      files[file],
      named(
        FILES[file].of.filter((property) => link.properties.includes(property)),
        properties,
      ),
    ])
    expect(linked).toEqual(Object.fromEntries(expected))
  })

  it('answers no call with a name, an address, an id or a text of anything else', async () => {
    const hidden = markers(link)
    const answers = await bodies(visitor, [...(await addresses(created[name]?.id ?? '')), ...queries()])
    expect(answers.filter(({ status }) => status >= 500)).toEqual([])
    const leaks = answers.flatMap(({ path, text }) => hidden.filter((word) => text.includes(word)).map((word) => `${word} in ${path}`))
    const answered = answers.filter(({ status }) => status < 400).length
    expect(answered).toBeGreaterThan(15)
    expect(leaks).toEqual([])
  })

  it('finds no record by the id of another one', async () => {
    const hiddenFiles = Object.keys(FILES).filter((file) => !link.files.some((one) => one === file))
    const hiddenProperties = Object.keys(PROPERTIES).filter((property) => !link.properties.some((one) => one === property))
    const paths = [
      ...hiddenFiles.flatMap((file) =>
        ['', '/preview', '/details', '/text', '/versions', '/versions/1/download'].map((rest) => at(`/files/${files[file]}${rest}`)),
      ),
      ...hiddenProperties.map((property) => `/api/v1/account_properties/${properties[property]}`),
    ]
    const statuses = await Promise.all(paths.map(async (path) => (await visitor.get(path)).status))
    expect(statuses).toEqual(paths.map(() => 404))
  })

  it('has the numbers and sums of the rows that it shows', async () => {
    const active = propertyRows.filter(({ status }) => status.value === 'active')
    const tiv = sumOf(active.map(({ tiv: cell }) => cell.value as number))
    const sizes = fileRows.map(({ size }) => size.value as number)
    const shown = (await get(`/accounts/${account}`)).data
    expect([shown.properties, shown.divested_properties, shown.tiv]).toEqual([active.length, propertyRows.length - active.length, tiv])
    expect(shown.currency).toBe(link.properties.includes('badger') ? null : 'USD')
    const sov = fileRows.filter(({ file }) => file.sov).length
    expect(shown.files).toMatchObject({ total: fileRows.length, sov, disclosed: fileRows.length - sov, size: { total: sumOf(sizes) } })
    const [row] = (await get('/accounts')).data
    expect([row.properties.value, row.documents.value]).toEqual([active.length, fileRows.length])
    expect(row.tiv.value ?? 0).toBe(tiv)
    const { meta } = await get(`/account_properties?filter__account_id=${account}&filter__status=active`)
    expect([meta.total, meta.totals.tiv]).toEqual([active.length, tiv])
    for (const property of propertyRows)
      expect(property.documents.value).toBe(fileRows.filter(({ file }) => file.propertyIds.includes(property.id)).length)
    const noProperties = (await get('/accounts?filter__attention=no_properties')).data
    expect(noProperties).toHaveLength(active.length === 0 ? 1 : 0)
  })

  it('has metrics and a map of the properties that it shows', async () => {
    const active = propertyRows.filter(({ status }) => status.value === 'active')
    for (const metric of ['property-types', 'property-types-pie', 'property-locations']) {
      const { data } = await get(`/metrics/accounts/${account}/${metric}`)
      expect(sumOf(data.counts.map(({ count }: { count: number }) => count))).toBe(active.length)
    }
    const map = (await get(`/account_properties/${account}/map`)).data
    const placed = link.properties.filter((property) => property !== 'dolphin' && property !== 'sold')
    expect(map.markers.map(({ info }: { info: { id: string } }) => info.id).toSorted()).toEqual(named(placed, properties))
    expect(map.missing?.count ?? 0).toBe(active.length - placed.length)
  })

  it('filters by nothing that it does not show', async () => {
    const twice = (await get('/account_files?filter__duplicate=1')).data
    expect(twice).toHaveLength(link.files.includes('narwhal') ? 2 : 0)
    for (const property of Object.keys(PROPERTIES)) {
      const found = (await get(`/account_files?filter__property_id=${properties[property]}`)).data
      const expected = link.properties.some((one) => one === property)
        ? link.files.filter((file) => FILES[file].of.some((one) => one === property))
        : []
      expect(ids(found), property).toEqual(name === 'everything' || name === 'some categories' ? ids(found) : named(expected, files))
    }
    const { unreadable, waiting } = (await get('/account_files/unread-texts')).data
    expect([unreadable, waiting]).toEqual([0, 0])
  })

  it('downloads contain what it shows', async () => {
    const available = (await get(`/accounts/${account}/downloads`)).data
    expect(available).toMatchObject({ documents: fileRows.length > 0, properties: propertyRows.length > 0 })
    const hidden = markers(link).map((marker) => marker.toLowerCase())
    const bodies = await downloads(visitor, account)
    for (const [what, text] of bodies) expect([what, hidden.filter((word) => text.toLowerCase().includes(word))]).toEqual([what, []])
    const archived = bodies.find(([what]) => what === 'archive')?.[1] ?? ''
    for (const file of link.files) expect(archived).toContain(`${file}.txt`)
    // The folder of Pier Hall has a number after its name only where the other one with the name is shown.
    expect(/\(2\)|Multi-Property/.test(archived)).toBe(link.properties.includes('aardvark'))
  })
})

describe('the scope of a link', () => {
  const create = async (input: Link['input']) => (await owner.post(at('/links'), { label: 'Carrier', ...bodyOf(input) })).body.data
  const change = (id: string, body: object) => owner.put(at(`/links/${id}`), body)
  const names = async (visitor: As) => ids((await visitor.get('/api/v1/account_properties')).body.data)

  it('ends what is open when it changes, also a download that is ready', async () => {
    const { id, link } = await create({ chosen: ['pier', 'quay'] })
    const visitor = await open(link)
    const archive = (await visitor.post(at('/files/action'), { action: 'archive' })).body.data
    expect((await visitor.get(archive.url)).status).toBe(200)
    expect((await change(id, { property_ids: [properties['quay']] })).status).toBe(200)
    expect((await visitor.get('/api/v1/account_properties')).status).toBe(401)
    expect((await visitor.get(archive.url)).status).toBe(403)
    expect(await names(await open(link))).toEqual(named(['quay'], properties))
  })

  it('is read again in a session that goes on', async () => {
    const { id, link } = await create({ chosen: ['pier', 'quay'] })
    const visitor = await open(link)
    expect(await names(visitor)).toEqual(named(['pier', 'quay'], properties))
    const counted = async () =>
      sumOf(
        (await visitor.get(`/api/v1/metrics/accounts/${account}/property-types`)).body.data.counts.map(
          (part: { count: number }) => part.count,
        ),
      )
    expect(await counted()).toBe(2)
    await transact(app.system, (tx) =>
      tx.db
        .deleteFrom('grant_properties')
        .where('grant_id', '=', id)
        .where('property_id', '=', properties['pier'] ?? '')
        .execute(),
    )
    expect(await names(visitor)).toEqual(named(['quay'], properties))
    expect(await counted()).toBe(1)
    await transact(app.system, (tx) =>
      tx.db
        .updateTable('account_grants')
        .set({ categories: ['photo'] })
        .where('id', '=', id)
        .execute(),
    )
    expect(ids((await visitor.get('/api/v1/account_files')).body.data)).toEqual(named(['quayphoto'], files))
  })

  it('counts again when a document is linked to one of its properties', async () => {
    const { link } = await create({ chosen: ['quay'] })
    const visitor = await open(link)
    const paths = [at(''), '/api/v1/accounts', '/api/v1/account_files']
    // One after the other: opening the account is a new version of the lists, which no longer mark it as new.
    const before: TestAnswer[] = []
    for (const path of paths) before.push(await visitor.get(path))
    const conditional = (path: string, index: number) => visitor.get(path, { 'if-none-match': String(before[index]?.headers['etag']) })
    expect((await Promise.all(paths.map(conditional))).map(({ status }) => status)).toEqual([304, 304, 304])
    const assign = (of: readonly string[]) =>
      owner.post(at('/files/action'), {
        action: 'assign_properties',
        files: [files['narwhal']],
        input: { properties: named(of, properties), mode: 'replace' },
      })
    expect((await assign(['badger', 'quay'])).status).toBe(200)
    const [shown, list, rows] = await Promise.all(paths.map(conditional))
    await assign(['badger'])
    expect([shown?.body.data.files.total, list?.body.data[0].documents.value, rows?.body.data.length]).toEqual([2, 2, 2])
  })

  it('leaves out downloads of everything else', async () => {
    const visitor = await open((await create({ chosen: ['sold'] })).link)
    // Its document is also one of an active property, which the link does not show.
    expect((await visitor.get(at('/downloads'))).body.data).toMatchObject({ documents: true, linked_documents: false })
  })

  it('lets visitors change nothing, regardless of their role', async () => {
    const visitor = await open((await create({ chosen: ['pier'] })).link)
    const writes = [
      visitor.put(`/api/v1/account_properties/${properties['pier']}`, { version: 1, year_built: 1990 }),
      visitor.post('/api/v1/account_properties', {
        account_id: account,
        address: '1 Main St',
        city: 'Dallas',
        country: 'US',
        currency: 'USD',
      }),
      visitor.patch(at(`/files/${files['appraisalone']}`), { vanity_name: 'Mine' }),
      visitor.post(at('/files/signed-url'), { filePath: 'a.txt', size: 3 }),
      visitor.get(`/api/v1/discrepancies?filter__account_id=${account}`),
      visitor.get('/api/v1/risk_control'),
      visitor.get(`/api/v1/metrics/accounts/${account}/reconciliation`),
    ]
    expect((await Promise.all(writes)).map(({ status }) => status)).toEqual(writes.map(() => 403))
  })

  it('remains when something else is changed, with the protection and the end', async () => {
    const { data } = (
      await owner.post(at('/links'), {
        label: 'A',
        protection: 'password',
        password: 'quiet harbor',
        days: 5,
        rights: 'view',
        ...bodyOf({ chosen: ['pier'], categories: ['roof'], unlinked_files: true }),
      })
    ).body
    const { data: renamed } = (await change(data.id, { label: 'B' })).body
    expect(renamed).toEqual({ ...data, label: 'B' })
  })

  it('has properties of the account only, and at least one property and category', async () => {
    const other = await makeAccount(asOwner, { companyId: asOwner.viewer.kind === 'user' ? asOwner.viewer.companyId : '' })
    const foreign = await makeProperty(asOwner, other.id)
    const rejected = async (body: object) => (await owner.post(at('/links'), { label: 'C', ...body })).body.data
    for (const property_ids of [[properties['pier'], foreign.id], [properties['gibbon']], []])
      expect((await rejected({ property_ids })).property_ids).toHaveLength(1)
    expect((await rejected({ categories: [] })).categories).toHaveLength(1)
    expect((await owner.get(at('/links'))).body.data.some(({ label }: { label: string }) => label === 'C')).toBe(false)
  })

  it('is in the lists of links, and limits what changed since the last visit', async () => {
    const { id, link } = await create({ chosen: ['pier', 'quay'], categories: ['photo'] })
    expect((await owner.get(at('/links'))).body.data.find((one: { id: string }) => one.id === id)).toMatchObject({
      properties: [{ id: properties['quay'] }, { id: properties['pier'] }],
      categories: ['photo'],
      unlinked_files: false,
    })
    const live = (await owner.get('/api/v1/grants')).body
    expect(live.data.find((one: { id: string }) => one.id === id).scope).toEqual({ properties: 2, categories: 1 })
    expect(live.total).toBe(live.data.length)
    await (await open(link)).get('/api/v1/init')
    await app.system.db
      .updateTable('account_files')
      .set({ updated_at: new Date(Date.now() + 60_000) })
      .where('account_id', '=', account)
      .execute()
    await app.system.db
      .updateTable('account_properties')
      .set({ updated_at: new Date(Date.now() + 60_000) })
      .where('account_id', '=', account)
      .execute()
    const visits = (await owner.get(at('/visits'))).body.data.find((one: { id: string }) => one.id === id)
    // Two properties, and two photographs.
    expect(visits.changed_since).toBe(4)
    expect((await owner.get(at(`/visits/${id}`))).body.total).toBe(1)
  })

  it('is what a preview of the link shows', async () => {
    const { id } = await create({ chosen: ['quay'] })
    const { token } = (await owner.post(at('/view-as'), { grant_id: id })).body.data
    expect(await names(app.bearing(`Bearer ${token}`))).toEqual(named(['quay'], properties))
  })
})

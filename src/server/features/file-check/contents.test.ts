import { beforeEach, describe, expect, it } from 'vitest'
import { sha256Of, readArchive } from '#server/testing/archive-members.fixture.ts'
import { makeAccount, makeProperty } from '#server/testing/factories/accounts.ts'
import { makeFile } from '#server/testing/factories/files.ts'
import { subscribe } from '#server/testing/factories/people.ts'
import { testTenant } from '#server/testing/tenants.fixture.ts'

const { app, tenant, ownerCtx, owner } = await testTenant()
const { db } = app.system
await subscribe(app.system, tenant.company.id)

// So that the limits of downloads and checks do not end the tests.
beforeEach(async () => {
  await db
    .updateTable('archives')
    .set({ created_at: new Date(0) })
    .execute()
  await db.deleteFrom('rate_limits').execute()
})

const PROPERTIES = '/api/v1/account_properties'

/** An account with two properties and four documents, of which `deed` and `sold` are linked to one property each. */
async function newAccount() {
  const { id } = await makeAccount(app.system, { companyId: tenant.company.id, name: 'Checked Stores' })
  const mill = (await makeProperty(app.system, id, { property_name: 'Mill' })).id
  const barn = (await makeProperty(app.system, id, { property_name: 'Barn' })).id
  const add = async (name: string, options: object) => (await makeFile(ownerCtx, id, { name, sov: false, ...options })).id
  const documents = {
    deed: await add('deed.dat', { property_ids: [mill] }),
    lease: await add('lease.dat', { property_ids: [barn] }),
    policy: await add('policy.dat', {}),
    secret: await add('secret.dat', { private: true }),
  }
  return { id, mill, barn, ...documents }
}
type Account = Awaited<ReturnType<typeof newAccount>>

const filesOf = ({ id }: Account) => `/api/v1/accounts/${id}/files`
const patch = (account: Account, file: string, values: object) => owner.patch(`${filesOf(account)}/${file}`, values)
const action = async (account: Account, body: object) => (await owner.post(`${filesOf(account)}/action`, body)).body.data.url
const rawOf = async (url: string) => (await app.anonymous.get(url)).raw

async function editProperty(id: string, values: object) {
  const { body } = await owner.get(`${PROPERTIES}/${id}`)
  expect((await owner.put(`${PROPERTIES}/${id}`, { version: body.data.version, ...values })).status).toBe(200)
}
const divest = (id: string) =>
  owner.post(`${PROPERTIES}/actions`, {
    action: 'divest',
    selectedIds: [id],
    input: { divested_on: '2026-03-04', divested_reason: 'sold' },
  })

async function withDocuments(account: Account, selected?: string[]) {
  const request = { handle: 'json', model: 'account_properties', action: 'export_excel', with_documents: true, account_id: account.id }
  const body = selected === undefined ? { ...request, input: 'all' } : { ...request, selectedIds: selected }
  const { export: made } = (await owner.post(`${PROPERTIES}/actions`, body)).body
  const { body: shown } = await owner.get(`${filesOf(account)}/${made.id}`)
  return readArchive(await rawOf(shown.data.url)).digest
}

/** The checksum of each package after its download, by a short name of its kind. */
async function issueAll(account: Account) {
  const archive = async (files: unknown) => readArchive(await rawOf(await action(account, { action: 'archive', files }))).digest
  const list = async (files?: string[]) =>
    sha256Of(await rawOf(await action(account, { action: 'document_list', ...(files && { files }) })))
  return {
    all: await archive('all'),
    chosen: await archive([account.lease, account.policy]),
    list: await list(),
    chosenList: await list([account.lease, account.policy]),
    folders: await withDocuments(account),
    properties: sha256Of((await owner.post(`${PROPERTIES}/property-list/download`, { account_id: account.id })).raw),
  }
}
type Issued = Awaited<ReturnType<typeof issueAll>>

/** The kinds of packages that are superseded. */
async function superseded(issued: Readonly<Record<string, string>>): Promise<string[]> {
  const { body } = await app.anonymous.post('/api/v1/check', { checksums: Object.values(issued) })
  const states = body.data.map(({ state }: { state: string }) => state)
  for (const state of states) expect(['current', 'newest', 'superseded']).toContain(state)
  return Object.keys(issued).filter((_, at) => states[at] === 'superseded')
}

type Change = (account: Account) => Promise<unknown>
const changes: [what: string, change: Change, superseded: (keyof Issued)[]][] = [
  ['renamed', (account) => patch(account, account.deed, { vanity_name: 'Deed' }), ['all', 'list', 'folders']],
  ['dated', (account) => patch(account, account.deed, { report_author_date: '2024-01-02' }), ['all', 'list', 'folders']],
  ['put into another category', (account) => patch(account, account.deed, { category: 'appraisal' }), ['all', 'folders']],
  ['moved to submission documents', (account) => patch(account, account.deed, { sov: true }), ['all', 'list', 'folders']],
  ['unlinked', (account) => patch(account, account.deed, { properties: [] }), ['all', 'list', 'folders', 'properties']],
  [
    'linked to another property',
    (account) => patch(account, account.deed, { properties: [account.mill, account.barn] }),
    ['all', 'list', 'folders', 'properties'],
  ],
  ['of all properties', (account) => patch(account, account.deed, { covers_all_properties: true }), ['all', 'list', 'folders']],
  ['disclosed', (account) => patch(account, account.secret, { private: false }), ['all', 'list']],
  ['made private', (account) => patch(account, account.deed, { private: true }), ['all', 'list', 'folders']],
  ['added', (account) => makeFile(ownerCtx, account.id, { name: 'new.dat', sov: false }), ['all', 'list']],
]

describe('packages of an account', () => {
  it('stay current while nothing changes, and after a change that none of them lists', async () => {
    const account = await newAccount()
    const issued = await issueAll(account)
    expect(await superseded(issued)).toEqual([])
    await owner.get(`${filesOf(account)}/${account.deed}`)
    await owner.get(`/api/v1/accounts/${account.id}`)
    expect(
      (await owner.post('/api/v1/flags', { flaggable_type: 'account_file', flaggable_id: account.deed, message: 'Look' })).status,
    ).toBe(201)
    expect(await superseded(issued)).toEqual([])
    await issueAll(account)
    expect(await superseded(issued)).toEqual([])
  })

  it.each(changes)('that list a document are superseded when it is %s, and others are not', async (_what, change, kinds) => {
    const account = await newAccount()
    const issued = await issueAll(account)
    await change(account)
    expect(await superseded(issued)).toEqual(kinds)
    expect(await superseded(await issueAll(account))).toEqual([])
  })

  it('are superseded when the address of a linked property changes', async () => {
    const account = await newAccount()
    const issued = await issueAll(account)
    await editProperty(account.mill, { address: '9 Other St' })
    expect(await superseded(issued)).toEqual(['all', 'list', 'folders', 'properties'])
    await editProperty(account.barn, { address: '8 Other St' })
    expect(await superseded(issued)).toEqual(Object.keys(issued))
  })

  it('are superseded when a linked property is divested, which takes its folder', async () => {
    const account = await newAccount()
    const issued = await issueAll(account)
    expect((await divest(account.mill)).status).toBe(200)
    expect(await superseded(issued)).toEqual(['all', 'folders', 'properties'])
  })

  it('are superseded when a folder has another number, because an earlier property of its name was divested', async () => {
    const account = await newAccount()
    const same = { location_number: null, property_name: 'Twin' }
    const [first, second, third] = [
      await makeProperty(app.system, account.id, same),
      await makeProperty(app.system, account.id, same),
      await makeProperty(app.system, account.id, same),
    ]
    await patch(account, account.deed, { properties: [second.id] })
    const issued = await issueAll(account)
    await divest(third.id)
    expect(await superseded(issued)).toEqual(['folders', 'properties'])
    await divest(first.id)
    expect(await superseded(issued)).toEqual(['all', 'folders', 'properties'])
  })

  it('are current again when a change is reversed', async () => {
    const account = await newAccount()
    const issued = await issueAll(account)
    await patch(account, account.deed, { vanity_name: 'Deed' })
    await patch(account, account.deed, { vanity_name: null })
    expect(await superseded(issued)).toEqual([])
  })

  it('of chosen properties are superseded by a change of one of these only', async () => {
    const account = await newAccount()
    const digest = await withDocuments(account, [account.barn])
    const stateOf = async () => (await app.anonymous.post('/api/v1/check', { checksums: [digest] })).body.data[0].state
    await patch(account, account.deed, { vanity_name: 'Deed' })
    await editProperty(account.mill, { year_built: 1950 })
    expect(await stateOf()).toBe('current')
    await patch(account, account.lease, { vanity_name: 'Lease' })
    expect(await stateOf()).toBe('superseded')
  })

  it('without a fingerprint are the newest until a property or document is changed', async () => {
    const account = await newAccount()
    const issued = await issueAll(account)
    await db.updateTable('packages').set({ listing: null, fingerprint: null }).where('account_id', '=', account.id).execute()
    const { body } = await app.anonymous.post('/api/v1/check', { checksums: Object.values(issued) })
    expect(new Set(body.data.map(({ state }: { state: string }) => state))).toEqual(new Set(['newest']))
    await patch(account, account.secret, { vanity_name: 'Secret' })
    expect(await superseded(issued)).toEqual(Object.keys(issued))
  })

  it('of a listing that cannot be read are superseded', async () => {
    const account = await newAccount()
    const issued = await issueAll(account)
    await db.updateTable('packages').set({ listing: '{}' }).where('account_id', '=', account.id).execute()
    expect(await superseded(issued)).toEqual(Object.keys(issued))
  })

  it('stay as they are when the person who made them is gone', async () => {
    const account = await newAccount()
    const issued = await issueAll(account)
    await db.updateTable('users').set({ deactivated_at: new Date() }).where('id', '=', tenant.owner.id).execute()
    const states = await superseded(issued)
    await db.updateTable('users').set({ deactivated_at: null }).where('id', '=', tenant.owner.id).execute()
    expect(states).toEqual([])
  })
})

describe('packages of a visitor of a link', () => {
  /** A link to a new account with documents of several categories. */
  async function newLink(scope: (account: Account) => object) {
    const account = await newAccount()
    await patch(account, account.deed, { category: 'appraisal' })
    await patch(account, account.lease, { category: 'roof' })
    const links = `/api/v1/accounts/${account.id}/links`
    const { id, link } = (await owner.post(links, { label: 'Carrier', ...scope(account) })).body.data
    const path = `${links}/${id}`
    const change = async (values: object) => expect((await owner.put(path, values)).status).toBe(200)
    const issue = async () => {
      const { body } = await app.anonymous.post(`/api/v1/accounts/${account.id}/share`, { share_token: link.split('/').at(-1) })
      const visitor = app.bearing(`Bearer ${body.token}`)
      const download = async (request: object) => rawOf((await visitor.post(`${filesOf(account)}/action`, request)).body.data.url)
      return {
        all: readArchive(await download({ action: 'archive', files: 'all' })).digest,
        list: sha256Of(await download({ action: 'document_list' })),
        properties: sha256Of((await visitor.post(`${PROPERTIES}/property-list/download`, { account_id: account.id })).raw),
      }
    }
    return { account, id, path, change, issue, grant: db.updateTable('account_grants').where('id', '=', id) }
  }
  type Link = Awaited<ReturnType<typeof newLink>>
  const everything = () => ({})
  const ofMill = ({ mill }: Account) => ({ property_ids: [mill] })
  const appraisals = () => ({ categories: ['appraisal'] })
  const ALL = ['all', 'list', 'properties']

  it.each([
    ['shows a category only', everything, appraisals, ALL],
    ['shows another category', appraisals, () => ({ categories: ['roof'] }), ALL],
    ['shows all categories', appraisals, () => ({ categories: null }), ALL],
    ['shows documents without property, too', ofMill, () => ({ unlinked_files: true }), ['all', 'list']],
    ['shows chosen properties only', everything, ofMill, ALL],
    ['shows another property', ofMill, ({ barn }: Account) => ({ property_ids: [barn] }), ALL],
    ['shows all properties', ofMill, () => ({ property_ids: null }), ALL],
  ])('are superseded when the link %s, and are current when it shows the same as before', async (_what, before, after, kinds) => {
    const { account, change, issue } = await newLink(before)
    const issued = await issue()
    expect(await superseded(issued)).toEqual([])
    await change(after(account))
    expect(await superseded(issued)).toEqual(kinds)
    expect(await superseded(await issue())).toEqual([])
    await change({ property_ids: null, categories: null, unlinked_files: false, ...before(account) })
    expect(await superseded(issued)).toEqual([])
  })

  it.each([
    ['is revoked', (link: Link) => owner.delete(link.path)],
    ['expires', ({ grant }: Link) => grant.set({ expires_at: new Date(0) }).execute()],
    ['no longer permits downloads', ({ change }: Link) => change({ rights: 'view' })],
    ['is deleted', ({ id }: Link) => db.deleteFrom('account_grants').where('id', '=', id).execute()],
  ])('are as requested when the link %s, also after a change of what it shows', async (_what, end) => {
    const link = await newLink((account) => ({ ...ofMill(account), ...appraisals() }))
    const { account, change, issue } = link
    const issued = await issue()
    await change({ property_ids: [account.barn], categories: null, unlinked_files: true })
    expect(await superseded(issued)).toEqual(ALL)
    await end(link)
    expect(await superseded(issued)).toEqual([])
    await patch(account, account.lease, { vanity_name: 'Lease' })
    expect(await superseded(issued)).toEqual([])
    await patch(account, account.deed, { vanity_name: 'Deed' })
    expect(await superseded(issued)).toEqual(['all', 'list'])
  })
})

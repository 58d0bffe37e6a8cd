import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { DefaultRole } from '#contract/default-roles.ts'
import { DAY_MS } from '#contract/limits.ts'
import type { Context } from '#server/engines/context.ts'
import { transact } from '#server/engines/transaction/transact.ts'
import { routes } from '#server/features/index.ts'
import { addGuest, endGrant, systemRole, VISITOR } from '#server/features/guests/guest-sessions.commands.ts'
import { newLinkToken } from '#server/engines/secrets/link-tokens.ts'
import { testApp, type As, type TestApp } from './app.ts'
import { bodies } from './bodies.fixture.ts'
import { makeAccount, makeProperty } from './factories/accounts.ts'
import { makeInvite } from './factories/guests.ts'
import { makeCompany, makeUser, subscribe } from './factories/people.ts'
import { makeFile } from './factories/files.ts'
import { makeReadFile } from './factories/texts.ts'

/** Parts of what no person from outside may read: another account, a private document, another company, users, other guests. */
const HIDDEN = [
  'walrusaccount',
  'walrusprivate',
  'walruscompany',
  'walruscolleague',
  'walrusguest',
  'walruslink',
  'walrussettings',
  'walrusreason',
]
/** The name of the owner, which only the invitation shows. */
const OWNER = 'whitfield'

let app: TestApp
let asOwner: Context
let account: { id: string }
let ids: Record<string, string>

beforeAll(async () => {
  app = await testApp()
  const company = await makeCompany(app.system, 'Harbor Point Brokerage')
  await subscribe(app.system, company.id)
  const owner = await makeUser(app.system, { companyId: company.id, firstName: 'Dana', lastName: 'Whitfield' })
  const colleague = await makeUser(app.system, { companyId: company.id, lastName: 'Walruscolleague' })
  asOwner = { ...app.system, viewer: await app.viewer(owner.id) }
  const carrier = await makeCompany(app.system, 'Walruscompany Mutual')
  account = await makeAccount(asOwner, { companyId: company.id, name: 'Cascadia Portfolio', users: [colleague.id] })
  const other = await makeAccount(asOwner, { companyId: company.id, name: 'Walrusaccount', carrierCompanyId: carrier.id })
  const property = await makeProperty(asOwner, account.id, { property_name: 'Pier Hall' })
  const hiddenProperty = await makeProperty(asOwner, other.id, { property_name: 'Walrusaccount Hall' })
  const text = (name: string, accountId = account.id) =>
    makeReadFile(asOwner, accountId, { name, bytes: Buffer.from(`The ${name} clause\n`), category: 'appraisal' })
  const file = await text('survey.txt')
  const hiddenFile = await text('walrusprivate.txt')
  await app.system.db.updateTable('account_files').set({ private: true }).where('id', '=', hiddenFile.id).execute()
  const otherFile = await text('walrusaccount.txt', other.id)
  const { version } = (await app.as(owner.id).get(`/api/v1/account_properties/${property.id}`)).body.data
  const changed = await app.as(owner.id).put(`/api/v1/account_properties/${property.id}`, { version, year_built: 1990 })
  expect(changed.status).toBe(200)
  const invite = await makeInvite(asOwner, account.id, { email: 'walrusguest@buyer.example' })
  const byAnother = { created_by: invite.userId, file_number: 2, provided_by_broker: true }
  await app.system.db.updateTable('account_files').set(byAnother).where('id', '=', file.id).execute()
  const decided = { check_id: 'COPE-02', group_name: 'data_quality', severity: 'warning', status: 'open', message: 'No year' }
  const discrepancy = await app.system.db
    .insertInto('discrepancies')
    .values({ ...decided, account_id: account.id, property_id: property.id, fingerprint: 'walrus' })
    .returning('id')
    .executeTakeFirstOrThrow()
  const waiver = { status: 'waived', note: 'Walrusreason' }
  expect((await app.as(owner.id).put(`/api/v1/discrepancies/${discrepancy.id}`, waiver)).status).toBe(200)
  ids = {
    account: account.id,
    other: other.id,
    property: property.id,
    hiddenProperty: hiddenProperty.id,
    file: file.id,
    hiddenFile: hiddenFile.id,
    otherFile: otherFile.id,
    company: company.id,
    carrier: carrier.id,
    owner: owner.id,
    colleague: colleague.id,
    invite: invite.id,
    discrepancy: discrepancy.id,
    role: await systemRole(app.system, 'broker'),
  }
})
afterAll(() => app.stop())

async function makeVisitor(mayDownload: boolean, label = 'Walruslink') {
  return transact(asOwner, async (tx) => {
    const grant = await tx.db
      .insertInto('account_grants')
      .values({ ...newLinkToken(tx.config.secretKey).columns, kind: 'link', account_id: account.id, label, may_download: mayDownload })
      .returning(['id', 'account_id', 'expires_at'])
      .executeTakeFirstOrThrow()
    const userId = await addGuest(tx, grant, { ...VISITOR, roleId: await systemRole(tx, 'share_guest') })
    return { grant, as: app.as(userId) }
  })
}

const invitee = async (role: DefaultRole) => app.as((await makeInvite(asOwner, account.id, { role })).userId)

const GUESTS: Readonly<Record<string, () => Promise<As>>> = {
  'a person who was invited to view': () => invitee('invite_guest'),
  'a person who was invited to upload': () => invitee('upload_only'),
  'a person who was invited as a client': () => invitee('client'),
  'a person who was invited as a broker': () => invitee('broker'),
  'a visitor of a link': async () => (await makeVisitor(true)).as,
  'a visitor of a link for viewing': async () => (await makeVisitor(false)).as,
}
const NAMES = Object.keys(GUESTS)

/** Every address of a call that reads, with each id of the installation in its path. */
function addresses(): string[] {
  const reads = routes.filter(({ call }) => call.method === 'GET' && call.can !== 'public' && !/logout/.test(call.path))
  return reads.flatMap(({ call: { path } }) => {
    const bare = /:(model|key|one_or_all|upload_id|token|number|name)\b/.test(path) ? path.replace(/:(model|key)\b/g, 'dashboard') : path
    if (!bare.includes(':')) return [bare]
    return Object.values(ids).map((id) => bare.replace(/:account_id|:id\b/, id).replace(/:\w+/g, id))
  })
}

const LISTS = [
  '/accounts?search=walrus',
  '/account_files/text-search?search=walrusprivate',
  '/account_files?search=walrus',
  '/account_properties?search=walrus',
  '/accounts/search?search=walrus',
  '/companies/names?search=walrus',
  '/users/search?search=walrus',
  '/discrepancies?filter__status=waived',
]

describe.each(NAMES)('%s', (name) => {
  let guest: As
  beforeAll(async () => {
    guest = await (GUESTS[name]?.() ?? Promise.reject(new Error(name)))
  })

  it('reads nothing of other accounts, companies, users and guests, and no private document, in any call', async () => {
    const answers = await bodies(guest, [...addresses(), ...LISTS])
    expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThan(10)
    expect(answers.filter(({ status }) => status >= 500)).toEqual([])
    const leaks = answers.flatMap(({ path, text }) => HIDDEN.filter((word) => text.includes(word)).map((word) => `${word} in ${path}`))
    expect(leaks).toEqual([])
  })

  it('sees this account alone in the list of accounts, and none of its private documents in its numbers', async () => {
    const { data } = (await guest.get('/api/v1/accounts')).body
    expect(data.map(({ id }: { id: string }) => id)).toEqual([account.id])
    const { files } = (await guest.get(`/api/v1/accounts/${account.id}`)).body.data
    const expected = name === 'a person who was invited to upload' ? 0 : 1
    expect(files.total).toBe(expected)
    expect(data[0].documents.value).toBe(expected)
  })

  it('sees neither who uploaded a document, nor that it was replaced or comes from the broker, unless they work on documents', async () => {
    const { data } = (await guest.get(`/api/v1/account_files?filter__account_id=${account.id}`)).body
    const seen = data.map(({ file }: { file: { created_by: unknown; file_number: number; provided_by_broker: boolean } }) => [
      file.created_by,
      file.file_number,
      file.provided_by_broker,
    ])
    const works = name.endsWith('as a broker') || name.endsWith('as a client')
    expect(seen).toEqual(name === 'a person who was invited to upload' ? [] : [[null, works ? 2 : 1, works]])
  })

  it('has no channel, no notifications, and changes nothing of the account, its users and its links', async () => {
    const closed = [
      await guest.post('/api/v1/broadcasting/auth', { socket_id: 'a', channel_name: `private-account.${account.id}` }),
      await guest.get('/api/v1/notifications'),
      await guest.get('/api/v1/saved-views?model=accounts'),
      await guest.put(`/api/v1/accounts/${account.id}`, { name: 'Mine' }),
      await guest.delete(`/api/v1/accounts/${account.id}`),
      await guest.post(`/api/v1/accounts/${account.id}/links`, { label: 'Mine' }),
      await guest.post('/api/v1/account_invites', { account_id: account.id, role: 'invite_guest', email: 'a@b.example' }),
      await guest.post(`/api/v1/accounts/${account.id}/view-as`, { role: 'client' }),
      await guest.put('/api/v1/users/password', { current_password: 'a', password: 'b', password_confirmation: 'b' }),
    ]
    expect(closed.map(({ status }) => status)).toEqual(closed.map(() => 403))
  })

  it('does not find the other account or a private document by their ids', async () => {
    const paths = [
      `/accounts/${ids['other']}`,
      `/accounts/${account.id}/files/${ids['hiddenFile']}`,
      `/account_properties/${ids['hiddenProperty']}`,
    ]
    const unknown = [`/accounts/${randomUUID()}`, `/accounts/${account.id}/files/${randomUUID()}`, `/account_properties/${randomUUID()}`]
    const statuses = async (of: readonly string[]) => (await bodies(guest, of)).map(({ status }) => status)
    expect(await statuses(paths)).toEqual(await statuses(unknown))
    expect((await statuses(paths)).every((status) => status === 404 || status === 403)).toBe(true)
  })
})

it.each(NAMES.filter((name) => name.includes('visitor')))(
  '%s reads no name and no email of a user, and no number of the account',
  async (name) => {
    const visitor = await (GUESTS[name]?.() ?? Promise.reject(new Error(name)))
    await app.system.db.updateTable('accounts').set({ account_number: 'HV-2026-0771' }).where('id', '=', account.id).execute()
    const answers = await bodies(visitor, addresses())
    const allowed = (path: string) => path === '/account_invites/inviting'
    expect(
      answers.filter(({ path, text }) => !allowed(path) && (text.includes(OWNER) || text.includes('hv-2026'))).map(({ path }) => path),
    ).toEqual([])
  },
)

it.each<[string, () => Promise<As>]>([
  ['a person who was invited as a broker', () => invitee('broker')],
  ['a person who was invited as a client', () => invitee('client')],
  [
    'a user of the carrier',
    async () => {
      const user = await makeUser(app.system, { role: 'carrier' })
      await app.system.db.updateTable('accounts').set({ carrier_company_id: user.companyId }).where('id', '=', account.id).execute()
      return app.as(user.id)
    },
  ],
])('%s reads neither who decided a discrepancy nor why, in any answer and file', async (_name, signIn) => {
  const as = await signIn()
  const row = (await as.get('/api/v1/discrepancies?filter__status=waived')).body.data[0]
  expect(row).toMatchObject({ id: ids['discrepancy'], status: { value: 'waived' }, note: { text: '' } })
  const shown = (await as.get(`/api/v1/discrepancies/${ids['discrepancy']}`)).body.data
  expect([shown.note, shown.decided_by]).toEqual([null, null])
  const csv = { action: 'export_csv', handle: 'blob', input: 'all', account_id: account.id, filters: { filter__status: 'waived' } }
  const answers = [
    await as.post('/api/v1/discrepancies/actions', { ...csv, columns: ['message', 'status', 'note'] }),
    await as.get(`/api/v1/accounts/${account.id}/activity?paginate=100`),
    await as.put(`/api/v1/discrepancies/${ids['discrepancy']}`, { status: 'kept', note: 'Mine' }),
  ]
  expect(answers[0]?.raw.toString()).toContain('No year')
  for (const { raw } of answers) expect(raw.toString()).not.toMatch(/walrusreason|whitfield (has decided|waived)/i)
  const own = (await app.as(ids['owner'] ?? '').get(`/api/v1/discrepancies/${ids['discrepancy']}`)).body.data
  expect([own.note, own.decided_by]).toEqual(['Walrusreason', 'Dana Whitfield'])
})

it('a person who was invited to upload links no properties, and reads none that others linked', async () => {
  const { userId } = await makeInvite(asOwner, account.id, { role: 'upload_only' })
  const asGuest = { ...app.system, viewer: await app.viewer(userId) }
  const property_ids = [ids['property'] ?? '']
  const unknown = 'One of the properties is no longer in this account.'
  await expect(makeFile(asGuest, account.id, { property_ids })).rejects.toMatchObject({ kind: 'invalid', message: unknown })
  const { id } = await makeFile(asGuest, account.id)
  const file = `/api/v1/accounts/${account.id}/files/${id}`
  const { version } = (await app.as(ids['owner'] ?? '').get(file)).body.data
  expect((await app.as(ids['owner'] ?? '').patch(file, { version, properties: property_ids })).status).toBe(200)
  const guest = app.as(userId)
  const row = (await guest.get('/api/v1/account_files')).body.data.find((one: { id: string }) => one.id === id)
  expect([row.properties.value, row.file.properties, row.file.propertyIds]).toEqual([0, [], []])
  expect((await guest.get(file)).body.data.properties).toEqual([])
  expect((await guest.get(`/api/v1/account_files?filter__property_id=${property_ids[0] ?? ''}`)).body.data).toEqual([])
})

it('a visitor of a link for viewing downloads nothing', async () => {
  const { as } = await makeVisitor(false)
  const files = [ids['file']]
  const calls = [
    await as.post(`/api/v1/accounts/${account.id}/files/action`, { action: 'archive', files }),
    await as.post(`/api/v1/accounts/${account.id}/files/action`, { action: 'document_list', files }),
    await as.post('/api/v1/account_properties/property-list/download', { account_id: account.id }),
    await as.post('/api/v1/account_properties/with-documents/download', { account_id: account.id }),
    await as.post('/api/v1/account_properties/actions', { action: 'export_csv', input: 'all', account_id: account.id }),
    await as.post('/api/v1/account_files/actions', { action: 'export_excel', input: 'all', account_id: account.id }),
  ]
  expect(calls.map(({ status }) => status)).toEqual(calls.map(() => 403))
  expect((await as.get(`/api/v1/accounts/${account.id}/files/${ids['file']}`)).body.data.url).toBeNull()
})

it('a visitor of a link for viewing gets links only to documents that browsers show', async () => {
  const { as } = await makeVisitor(false)
  const named = [
    ['table.xlsx', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'],
    ['letter.docx', 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'],
    ['mail.eml', 'message/rfc822'],
    ['mail.msg', 'application/vnd.ms-outlook'],
    ['rows.csv', 'text/csv'],
    ['all.zip', 'application/zip'],
  ] as const
  for (const [name, contentType] of named) {
    const { id } = await makeFile(asOwner, account.id, { name, contentType, sov: false, private: false, category: 'other' })
    for (const path of [`${id}/preview`, `${id}/versions/1/preview`]) {
      const { data } = (await as.get(`/api/v1/accounts/${account.id}/files/${path}`)).body
      expect([name, data.url, data.previewable]).toEqual([name, null, false])
    }
    const { as: downloading } = await makeVisitor(true)
    expect((await downloading.get(`/api/v1/accounts/${account.id}/files/${id}/preview`)).body.data.url).toEqual(expect.any(String))
    await app.system.db.updateTable('account_files').set({ deleted_at: new Date() }).where('id', '=', id).execute()
  }
  const shown = (await as.get(`/api/v1/accounts/${account.id}/files/${ids['file']}/preview`)).body.data
  expect(shown).toMatchObject({ previewable: true, url: expect.stringContaining('disposition=inline') })
})

describe('a session of a person from outside', () => {
  it('sees nothing after the invitation has expired', async () => {
    const { userId } = await makeInvite(asOwner, account.id, { expiresAt: new Date(Date.now() - DAY_MS) })
    const answers = await bodies(app.as(userId), addresses())
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([401]))
  })

  it('sees nothing after the link was revoked', async () => {
    const { grant, as } = await makeVisitor(true)
    expect((await as.get(`/api/v1/accounts/${account.id}`)).status).toBe(200)
    await transact(asOwner, (tx) => endGrant(tx, grant))
    const answers = await bodies(as, addresses())
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([401]))
  })

  it('sees nothing while the account is in the trash', async () => {
    const { as } = await makeVisitor(true)
    await app.system.db.updateTable('accounts').set({ deleted_at: new Date() }).where('id', '=', account.id).execute()
    const answers = await bodies(as, [`/accounts/${account.id}`, '/account_files', '/account_properties'])
    await app.system.db.updateTable('accounts').set({ deleted_at: null }).where('id', '=', account.id).execute()
    expect(answers.map(({ text }) => text.includes('survey') || text.includes('pier hall') || text.includes('cascadia'))).toEqual([
      false,
      false,
      false,
    ])
  })
})

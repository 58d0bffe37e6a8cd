import { describe, expect, it } from 'vitest'
import { ARCHIVE_LIFE_MS, CHECKSUMS_PER_CHECK_MAX, CHECKS_PER_NETWORK, DAY_MS } from '#contract/limits.ts'
import { sweepUploads } from '#server/features/account-files/files.job.ts'
import { issuerOf } from '#server/access/issued-files.ts'
import type { As } from '#server/testing/app.ts'
import { readArchive, sha256Of } from '#server/testing/archive-members.fixture.ts'
import { postFrom } from '#server/testing/clients.fixture.ts'
import { makeAccount, makeProperty } from '#server/testing/factories/accounts.ts'
import { makeFile } from '#server/testing/factories/files.ts'
import { makeUser, subscribe } from '#server/testing/factories/people.ts'
import { testTenant } from '#server/testing/tenants.fixture.ts'

const { app, tenant, ownerCtx, owner } = await testTenant()
const { db } = app.system
const companyId = tenant.company.id
await subscribe(app.system, companyId)

const newAccount = async () => (await makeAccount(app.system, { companyId, name: 'Checked Stores' })).id
let serial = 0
const add = (account: string, options: { private?: boolean } = {}) => {
  serial += 1
  return makeFile(ownerCtx, account, { name: `deed ${serial}.dat`, bytes: Buffer.from(`deed ${serial}`), sov: false, ...options })
}
/** The answers of the public page for these checksums. */
const check = async (...checksums: string[]) => (await app.anonymous.post('/api/v1/check', { checksums })).body.data
const stateOf = async (bytes: Buffer): Promise<string> => (await check(sha256Of(bytes)))[0].state
const open = (account: string, id: string, as: As = owner) => as.get(`/api/v1/accounts/${account}/files/${id}`)

async function archiveUrl(account: string, files: unknown = 'all', as: As = owner): Promise<string> {
  return (await as.post(`/api/v1/accounts/${account}/files/action`, { action: 'archive', files })).body.data.url
}
const download = async (url: string) => readArchive((await app.anonymous.get(url)).raw)
const archive = async (account: string, files: unknown = 'all', as: As = owner) => download(await archiveUrl(account, files, as))
const exportOf = async (account: string, action: string, as: As = owner) =>
  (await as.post('/api/v1/account_properties/actions', { action, input: 'all', account_id: account })).raw

describe('a document', () => {
  it('is unknown until it is downloaded, then current, without a date', async () => {
    const account = await newAccount()
    const { id, bytes } = await add(account)
    expect(await stateOf(bytes)).toBe('unknown')
    await open(account, id)
    expect(await check(sha256Of(bytes))).toEqual([{ checksum: sha256Of(bytes), state: 'current', made_at: null }])
    expect(await stateOf(Buffer.concat([bytes, Buffer.from('.')]))).toBe('unknown')
  })

  it('is current also after the link of a preview that browsers cannot show, which is a download', async () => {
    const account = await newAccount()
    const { id, bytes } = await makeFile(ownerCtx, account, { contentType: 'application/x-drawing', bytes: Buffer.from('drawing') })
    await owner.get(`/api/v1/accounts/${account}/files/${id}/preview`)
    expect(await stateOf(bytes)).toBe('current')
  })

  it.each([
    [
      'replaced',
      (id: string) =>
        db
          .updateTable('account_files')
          .set({ sha256: 'f'.repeat(64) })
          .where('id', '=', id)
          .execute(),
    ],
    ['moved to the trash', (id: string) => owner.delete('/api/v1/account_files', { ids: [id] })],
    ['made private', (id: string, account: string) => owner.patch(`/api/v1/accounts/${account}/files/${id}`, { private: true })],
    ['in a trashed account', (_: string, account: string) => owner.delete('/api/v1/accounts', { ids: [account] })],
    [
      'deleted for good',
      async (id: string) => {
        await owner.delete('/api/v1/account_files', { ids: [id] })
        return owner.delete('/api/v1/account_files', { ids: [id], force: true })
      },
    ],
  ])('that was issued and then %s is superseded', async (_what, change) => {
    const account = await newAccount()
    const { id, bytes } = await add(account)
    await open(account, id)
    expect(await stateOf(bytes)).toBe('current')
    await change(id, account)
    expect(await stateOf(bytes)).toBe('superseded')
  })

  it('of another account with the same bytes does not change the answer', async () => {
    const [first, second] = [await newAccount(), await newAccount()]
    const { id, bytes } = await add(first)
    await makeFile(ownerCtx, second, { bytes })
    await open(first, id)
    await owner.delete('/api/v1/account_files', { ids: [id] })
    expect(await stateOf(bytes)).toBe('superseded')
  })

  it('that one account replaced stays superseded when another one issues the same bytes, which are current alone', async () => {
    const [first, second] = [await newAccount(), await newAccount()]
    const { id, bytes } = await add(first)
    await open(first, id)
    const again = await makeFile(ownerCtx, first, { name: 'copy.dat', bytes, sov: false })
    await open(first, again.id)
    await owner.delete('/api/v1/account_files', { ids: [again.id] })
    expect(await stateOf(bytes)).toBe('current')
    await owner.delete('/api/v1/account_files', { ids: [id] })
    const elsewhere = await makeFile(ownerCtx, second, { bytes })
    await open(second, elsewhere.id)
    expect(await stateOf(bytes)).toBe('superseded')
  })

  it('whose bytes are read after its download is known from then on', async () => {
    const account = await newAccount()
    const { id, bytes } = await add(account)
    await db.updateTable('account_files').set({ crc32: null, sha256: null }).where('id', '=', id).execute()
    await open(account, id)
    expect(await stateOf(bytes)).toBe('unknown')
    await db
      .updateTable('account_files')
      .set({ sha256: sha256Of(bytes) })
      .where('id', '=', id)
      .execute()
    expect(await stateOf(bytes)).toBe('current')
  })

  it('that is private stays unknown to everyone, also after its download alone and in an archive', async () => {
    const account = await newAccount()
    const { id, bytes } = await add(account, { private: true })
    await open(account, id)
    const { members } = await archive(account)
    expect([...members.values()].some((content) => content.equals(bytes))).toBe(true)
    for (const as of [app.anonymous, owner, app.as(tenant.carrier.id)]) {
      const { body } = await as.post('/api/v1/check', { checksums: [sha256Of(bytes)] })
      expect(body.data).toEqual([{ checksum: sha256Of(bytes), state: 'unknown', made_at: null }])
    }
  })
})

describe('an archive', () => {
  it('is known with all of its members from its first download on', async () => {
    const account = await newAccount()
    await add(account)
    const url = await archiveUrl(account)
    const { rows } = await app.system.pool.query<{ checksum: string }>(
      `SELECT checksum FROM package_checksums JOIN packages ON id = package_id WHERE account_id = $1 AND checksum LIKE 'zip:%'`,
      [account],
    )
    expect(await check(rows[0]?.checksum ?? '')).toMatchObject([{ state: 'unknown', made_at: null }])
    const { digest, members } = await download(url)
    expect(digest).toBe(rows[0]?.checksum)
    expect(await check(digest)).toEqual([{ checksum: digest, state: 'current', made_at: expect.stringMatching(/^\d{4}-.*Z$/) }])
    for (const [path, bytes] of members) expect(await stateOf(bytes), path).toBe('current')
  })

  it('is superseded by a later archive of the company with other documents, but not by one with the same', async () => {
    const account = await newAccount()
    await add(account)
    const first = await archive(account)
    const colleague = app.as((await makeUser(app.system, { companyId })).id)
    const same = await archive(account, 'all', colleague)
    expect(same.digest).not.toBe(first.digest)
    expect(await check(first.digest, same.digest)).toMatchObject([{ state: 'current' }, { state: 'current' }])
    const { id } = await add(account)
    const selected = await archive(account, [id])
    const url = await archiveUrl(account)
    const later = await download(url)
    expect(await check(first.digest, same.digest, selected.digest, later.digest)).toMatchObject(
      ['superseded', 'superseded', 'current', 'current'].map((state) => ({ state })),
    )
  })

  it('of another company, which sees no private documents, does not supersede it', async () => {
    const account = await newAccount()
    await add(account)
    await add(account, { private: true })
    const first = await archive(account)
    const { companyId: other, id: other_user } = await makeUser(app.system)
    await db.insertInto('account_users').values({ account_id: account, user_id: other_user }).execute()
    expect(other).not.toBe(companyId)
    const second = await archive(account, 'all', app.as(other_user))
    expect(second.members.size).toBe(first.members.size - 1)
    expect(await check(first.digest, second.digest)).toMatchObject([{ state: 'current' }, { state: 'current' }])
    await add(account, { private: true })
    expect(await check(first.digest, second.digest)).toMatchObject([{ state: 'superseded' }, { state: 'current' }])
  })

  it.each([
    ['private', true, 'unknown', 'superseded'],
    ['public', false, 'current', 'current'],
  ])('judges a %s document with the bytes of a former property list as a document', async (_what, isPrivate, state, alone) => {
    const account = await newAccount()
    const property = await makeProperty(app.system, account)
    const list = async () => (await owner.post('/api/v1/account_properties/property-list/download', { account_id: account })).raw
    const bytes = await list()
    await makeFile(ownerCtx, account, { name: 'list.xlsx', bytes, private: isPrivate })
    await db.updateTable('account_properties').set({ city: 'Elsewhere' }).where('id', '=', property.id).execute()
    await list()
    const { digest, members } = await archive(account)
    const found = await check(digest, ...[...members.values()].map(sha256Of))
    const document = { checksum: sha256Of(bytes), state, made_at: null }
    expect(found.filter(({ checksum }: { checksum: string }) => checksum === document.checksum)).toEqual([document])
    expect(found.filter((one: { state: string }) => one.state === 'superseded')).toEqual([])
    expect(await stateOf(bytes)).toBe(alone)
  })

  it('is superseded when its account is in the trash', async () => {
    const account = await newAccount()
    await add(account)
    const { digest } = await archive(account)
    await owner.delete('/api/v1/accounts', { ids: [account] })
    expect(await check(digest)).toMatchObject([{ state: 'superseded' }])
  })
})

it('an archive that is never downloaded is removed with its checksums, and a downloaded one is not', async () => {
  const account = await newAccount()
  await add(account)
  const { digest } = await archive(account)
  await archiveUrl(account)
  const made = async () => (await db.selectFrom('packages').select('issued_at').where('account_id', '=', account).execute()).length
  const later = (ms: number) => ({ ...app.system, clock: { now: () => new Date(Date.now() + ms) } })
  const job = { id: 'job', attempt: 1, lastAttempt: false, signal: new AbortController().signal }
  await sweepUploads.run(later(ARCHIVE_LIFE_MS - DAY_MS), {}, job)
  expect(await made()).toBe(2)
  await sweepUploads.run(later(ARCHIVE_LIFE_MS + DAY_MS), {}, job)
  expect(await made()).toBe(1)
  expect(await check(digest)).toMatchObject([{ state: 'current' }])
})

describe('an exported list', () => {
  it.each(['export_excel', 'export_csv'])('by %s is the newest until the same user exports other rows', async (action) => {
    const account = await newAccount()
    const { id } = await makeProperty(app.system, account)
    const first = await exportOf(account, action)
    await exportOf(account, action)
    expect(await stateOf(first)).toBe('newest')
    await db.updateTable('account_properties').set({ city: 'Elsewhere' }).where('id', '=', id).execute()
    await exportOf(account, action, app.as((await makeUser(app.system, { companyId })).id))
    expect(await stateOf(first)).toBe('newest')
    const later = await exportOf(account, action)
    expect([await stateOf(first), await stateOf(later)]).toEqual(['superseded', 'newest'])
  })

  it.each(['export_excel', 'export_csv'])(
    'of several accounts by %s is only the newest one, since its rows are not compared',
    async (action) => {
      const account = await newAccount()
      const exported = async () => (await owner.post('/api/v1/accounts/actions', { action, handle: 'blob', input: 'all' })).raw
      const first = await exported()
      expect(await stateOf(first)).toBe('newest')
      await db
        .updateTable('accounts')
        .set({ name: `Renamed ${action}` })
        .where('id', '=', account)
        .execute()
      const later = await exported()
      expect([await stateOf(first), await stateOf(later)]).toEqual(['superseded', 'newest'])
    },
  )
})

describe('a list of an account', () => {
  const propertyList = async (account: string) =>
    (await owner.post('/api/v1/account_properties/property-list/download', { account_id: account })).raw
  const documentList = async (account: string, as: As = owner) =>
    (await app.anonymous.get((await as.post(`/api/v1/accounts/${account}/files/action`, { action: 'document_list' })).body.data.url)).raw

  it('of properties is superseded once its properties change, without a newer list', async () => {
    const account = await newAccount()
    const { id } = await makeProperty(app.system, account)
    const list = await propertyList(account)
    await add(account)
    expect(await stateOf(list)).toBe('current')
    const { body } = await owner.get(`/api/v1/account_properties/${id}`)
    await owner.put(`/api/v1/account_properties/${id}`, { version: body.data.version, city: 'Elsewhere' })
    expect(await stateOf(list)).toBe('superseded')
    expect(await stateOf(await propertyList(account))).toBe('current')
  })

  it('of a visitor is of a series of their own', async () => {
    const account = await newAccount()
    const scope = { choosesProperties: true, categories: null, unlinkedFiles: false, key: '' }
    const { viewer } = ownerCtx
    if (viewer.kind !== 'user') throw new TypeError('The owner is a user')
    const visitor = { ...viewer, via: { kind: 'share', grantId: account, accountId: account, preview: false, scope } } as const
    expect([issuerOf(viewer), issuerOf(visitor)]).toEqual([companyId, viewer.userId])
  })

  it('of documents is superseded by the newer one of a colleague', async () => {
    const account = await newAccount()
    const { id } = await add(account)
    const colleague = app.as((await makeUser(app.system, { companyId })).id)
    const first = await documentList(account)
    await owner.patch(`/api/v1/accounts/${account}/files/${id}`, { vanity_name: 'Deed' })
    const later = await documentList(account, colleague)
    expect([await stateOf(first), await stateOf(later)]).toEqual(['superseded', 'current'])
  })
})

describe('the check', () => {
  it('answers each checksum in its order, and nothing about what is stored', async () => {
    const account = await newAccount()
    const { id, bytes } = await add(account)
    await open(account, id)
    const { digest } = await archive(account)
    const asked = ['0'.repeat(64), digest, sha256Of(bytes), '0'.repeat(64)]
    const { body, headers } = await app.anonymous.post('/api/v1/check', { checksums: asked })
    expect(body.data.map(({ checksum }: { checksum: string }) => checksum)).toEqual(asked)
    expect(body.data.map((found: object) => Object.keys(found).toSorted().join(' '))).toEqual(asked.map(() => 'checksum made_at state'))
    expect(headers['cache-control']).toBe('no-store')
    const text = JSON.stringify(body)
    for (const secret of [account, id, companyId, 'Checked', 'deed', 'Zanzibar']) expect(text).not.toContain(secret)
  })

  it.each([
    ['an empty list', []],
    ['upper case', ['A'.repeat(64)]],
    ['another length', ['a'.repeat(63)]],
    ['another prefix', [`rar:${'a'.repeat(64)}`]],
    ['a number', [7]],
  ])('rejects %s', async (_what, checksums) => {
    const { status, body } = await app.anonymous.post('/api/v1/check', { checksums })
    expect([status, Object.keys(body.errors)[0]]).toEqual([400, expect.stringMatching(/^checksums/)])
  })

  it('rejects more checksums than one request can have, and says how many that is', async () => {
    const many = (count: number) => Array.from({ length: count }, (_, at) => at.toString(16).padStart(64, '0'))
    const { status, body } = await app.anonymous.post('/api/v1/check', { checksums: many(10_000) })
    expect([status, body.errors]).toEqual([400, { checksums: ['Please check at most 1,000 files in one request.'] }])
    expect(await check(...many(CHECKSUMS_PER_CHECK_MAX))).toHaveLength(CHECKSUMS_PER_CHECK_MAX)
  })

  it('is limited for each network, without limiting another one', async () => {
    const post = (address: string) => postFrom(app, address, '/check', { checksums: ['0'.repeat(64)] })
    expect((await post('10.7.7.7')).status).toBe(200)
    await db.updateTable('rate_limits').set({ points: CHECKS_PER_NETWORK }).where('key', '=', 'check 10.7.7.7').execute()
    const { status, body, retryAfter } = await post('10.7.7.7')
    expect([status, body.message]).toEqual([429, 'Too many files were checked from this network. Please try again in 10 minutes.'])
    expect(retryAfter).toBeGreaterThan(0)
    expect((await post('10.7.7.8')).status).toBe(200)
  })
})

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { randomUUID } from 'node:crypto'
import type { Context } from '#server/engines/context.ts'
import { testApp, type As, type TestAnswer, type TestApp } from './app.ts'
import { readOne, save } from '#server/engines/spreadsheet/spreadsheet.fixture.ts'
import { rowsOfWord } from '#server/engines/word/word.fixture.ts'
import { observable } from './leak-probes.fixture.ts'
import { makeFile } from './factories/files.ts'
import { makeUser } from './factories/people.ts'
import { makeTenant, type Tenant } from './tenants.fixture.ts'

/** Private documents are visible to users of the account's company and the provider who can edit documents, and to no other user. */
let app: TestApp
let tenant: Tenant
let secret: { id: string; bytes: Buffer }
let members: Record<'broker' | 'client' | 'provider' | 'admin', As>
let outsiders: Record<'carrier' | 'added' | 'guest' | 'reader', As>
let uploader: As

beforeAll(async () => {
  app = await testApp()
  tenant = await makeTenant(app)
  const { account, company } = tenant
  const asOwner: Context = { ...app.system, viewer: await app.viewer(tenant.owner.id) }
  const linked = { category: 'appraisal' as const, property_ids: [tenant.ids.account_properties] }
  secret = await makeFile(asOwner, account, {
    name: 'quetzal-report.txt',
    bytes: Buffer.from('quetzal\n'),
    private: true,
    sov: false,
    ...linked,
  })
  await makeFile(asOwner, account, { name: 'quetzal-values.txt', bytes: Buffer.from('values\n'), private: true, sov: true })
  const as = async (role: 'broker' | 'client' | 'provider' | 'admin' | 'share_guest' | 'carrier', companyId?: string) => {
    const person = await makeUser(app.system, { role, ...(companyId === undefined ? {} : { companyId }) })
    return { id: person.id, call: app.as(person.id) }
  }
  const guest = await as('share_guest')
  const reader = await as('carrier', company.id)
  await app.system.db.insertInto('account_users').values({ account_id: account, user_id: guest.id }).execute()
  members = {
    broker: app.as(tenant.owner.id),
    client: (await as('client', company.id)).call,
    provider: (await as('provider')).call,
    admin: (await as('admin')).call,
  }
  // `added` is a broker of another company; `reader` belongs to the company but cannot edit documents.
  outsiders = { carrier: app.as(tenant.carrier.id), added: app.as(tenant.added.id), guest: guest.call, reader: reader.call }
  uploader = app.as(tenant.uploader.id)
  for (const file_id of [secret.id, tenant.file])
    await app.anonymous.get((await members.broker.get(`/api/v1/accounts/${account}/files/${file_id}`)).body.data.url)
})
afterAll(() => app.stop())

const ok = async (answer: Promise<TestAnswer>) => expect((await answer).status).toBe(200)
const inAccount = (rest: string) => `/api/v1/accounts/${tenant.account}${rest}`
const each = (people: Record<string, As>) => Object.entries(people)
interface Listed {
  file: { original_file_name: string } | { file: { original_file_name: string } }
}
/** Rows of the documents table contain the file itself. */
const nameOf = ({ file }: Listed) => ('file' in file ? file.file : file).original_file_name
const names = (answer: TestAnswer): string[] => answer.body.data.map(nameOf).sort()
const EVERYTHING = ['quetzal-report.txt', 'quetzal-values.txt', 'zanzibar-report.txt']
const DISCLOSED = ['zanzibar-report.txt']
const expected = () => [
  ...each(members).map(([who, as]) => ({ who, as, files: EVERYTHING })),
  ...each(outsiders).map(([who, as]) => ({ who, as, files: DISCLOSED })),
]

describe('a private document', () => {
  it('is in the lists and their totals only for users with access', async () => {
    for (const { who, as, files } of expected()) {
      for (const path of [inAccount('/files'), `/api/v1/account_files?filter__account_id=${tenant.account}`]) {
        const list = await as.get(path)
        expect(names(list), `${who} ${path}`).toEqual(files)
        expect(list.body.meta.total, `${who} ${path}`).toBe(files.length)
      }
      const page = await as.get(inAccount('/files?page=2&paginate=1'))
      expect(page.body.meta.last_page, who).toBe(files.length)
    }
  })

  it('counts toward the number and size of documents of the account only for users with access', async () => {
    for (const { who, as, files } of expected()) {
      const { files: counts } = (await as.get(inAccount(''))).body.data
      const sov = files.length === 3 ? 1 : 0
      expect(counts, who).toMatchObject({ total: files.length, sov, disclosed: files.length - sov })
      const tabs = await Promise.all(['0', '1'].map(async (flag) => (await as.get(inAccount(`/files?filter__sov=${flag}`))).body))
      expect(
        tabs.map((tab) => tab.meta.total),
        who,
      ).toEqual([counts.disclosed, counts.sov])
      const sizes = tabs.map((tab) => tab.data.reduce((sum: number, row: { file: { size: number } }) => sum + row.file.size, 0))
      expect([counts.size.disclosed, counts.size.sov, counts.size.total], who).toEqual([sizes[0], sizes[1], sizes[0] + sizes[1]])
    }
  })

  it('counts in the accounts list and at its property only for users with access', async () => {
    const listing = expected().filter(({ who }) => who !== 'guest')
    for (const { who, as, files } of listing) {
      const row = (await as.get('/api/v1/accounts')).body.data[0]
      expect(row.documents.value, who).toBe(files.length)
    }
    for (const { who, as, files } of expected()) {
      const list = (await as.get(`/api/v1/account_properties?filter__account_id=${tenant.account}`)).body.data
      expect(list[0].documents.value, who).toBe(files.length === 3 ? 2 : 1)
      const shown = (await as.get(`/api/v1/account_properties/${tenant.ids.account_properties}`)).body.data
      expect(shown.documents, who).toBe(files.length === 3 ? 2 : 1)
    }
  })

  it('does not move the time of change of its account, which a document that all users see does', async () => {
    const asOwner: Context = { ...app.system, viewer: await app.viewer(tenant.owner.id) }
    const timeAfter = async (change: Promise<unknown>) => {
      await change
      return (await outsiders.carrier.get(inAccount(''))).body.data.updated_at
    }
    const linked = { category: 'appraisal' as const, property_ids: [tenant.ids.account_properties] }
    const before = await timeAfter(Promise.resolve())
    const { id } = await makeFile(asOwner, tenant.account, { name: 'later.txt', private: true, ...linked })
    const path = inAccount(`/files/${id}`)
    const { version } = (await members.broker.get(path)).body.data
    expect([
      await timeAfter(ok(members.broker.patch(path, { vanity_name: 'renamed.txt', version }))),
      await timeAfter(ok(members.broker.patch(path, { properties: [], version: version + 1 }))),
      await timeAfter(ok(members.broker.delete(inAccount('/files'), { ids: [id] }))),
    ]).toEqual([before, before, before])
    const shown = await makeFile(asOwner, tenant.account, { name: 'shown.txt', private: false, ...linked })
    expect(Date.parse(await timeAfter(Promise.resolve()))).toBeGreaterThan(Date.parse(before))
    await ok(members.broker.delete(inAccount('/files'), { ids: [shown.id] }))
  })

  it('is found by name only by users with access', async () => {
    for (const [who, as] of each(members)) expect((await as.get(inAccount('/files?search=QUETZAL'))).body.meta.total, who).toBe(2)
    for (const [who, as] of each(outsiders)) expect((await as.get(inAccount('/files?search=QUETZAL'))).body.meta.total, who).toBe(0)
  })

  it('answers other users exactly like an id that does not exist', async () => {
    for (const [who, as] of each(outsiders)) {
      for (const rest of ['', '/preview', '/details']) {
        const answer = await as.get(inAccount(`/files/${secret.id}${rest}`))
        expect(answer.status, `${who}${rest}`).toBe(404)
        expect(observable(answer), `${who}${rest}`).toEqual(observable(await as.get(inAccount(`/files/${randomUUID()}${rest}`))))
      }
    }
    for (const [who, as] of each(members)) {
      for (const rest of ['', '/preview', '/details'])
        expect((await as.get(inAccount(`/files/${secret.id}${rest}`))).status, `${who}${rest}`).toBe(200)
    }
  })

  it('is skipped when other users page through documents', async () => {
    const details = (as: As) => as.get(inAccount(`/files/${tenant.file}/details?sort=name&order=asc`))
    for (const { who, as, files } of expected()) {
      const { total, previous_id } = (await details(as)).body.data
      expect(total, who).toBe(files.length)
      expect(previous_id === null, who).toBe(files.length === 1)
    }
  })

  it('is named in the activity only for users with access', async () => {
    for (const [who, as] of each(members)) expect((await as.get(inAccount('/activity'))).raw.toString(), who).toContain('quetzal')
    const added = await outsiders.added.get(inAccount('/activity'))
    expect(added.status).toBe(200)
    expect(added.raw.toString()).toContain('zanzibar')
    expect(added.raw.toString()).not.toContain('quetzal')
    expect(added.body.meta.total).toBe(added.body.data.length)
  })

  it('is in archives only of users with access, even when selected by id', async () => {
    const archive = (as: As, files: unknown) => as.post(inAccount('/files/action'), { action: 'archive', files })
    for (const { who, as, files } of expected()) {
      const made = await archive(as, 'all')
      expect(made.body.data.progress.total_files, who).toBe(files.length)
      const bytes = (await app.anonymous.get(made.body.data.url)).raw
      expect(bytes.includes('zanzibar-report'), who).toBe(true)
      expect(bytes.includes('quetzal'), who).toBe(files.length === 3)
    }
    for (const [who, as] of each(outsiders))
      expect((await archive(as, [secret.id])).body, who).toMatchObject({ message: 'Files not found.' })
  })

  it('is in no list of disclosed documents, also for users with access', async () => {
    for (const { who, as } of expected()) {
      for (const files of ['all', [secret.id, tenant.file]]) {
        const { body } = await as.post(inAccount('/files/action'), { action: 'document_list', files })
        const names = (await rowsOfWord((await app.anonymous.get(body.data.url)).raw)).map(([name]) => name)
        expect(
          names.filter((name) => /zanzibar|quetzal/.test(name ?? '')),
          who,
        ).toEqual(['zanzibar-report.txt'])
      }
      const alone = await as.post(inAccount('/files/action'), { action: 'document_list', files: [secret.id] })
      expect([alone.status, alone.body.message], who).toEqual([404, 'Could not find those documents.'])
    }
  })

  it('is counted in the property list, and in the archive of properties, only for users with access', async () => {
    const body = { account_id: tenant.account }
    for (const { who, as, files } of expected()) {
      const { raw } = await as.post('/api/v1/account_properties/property-list/download', body)
      const sheet = await readOne(await save('list.xlsx', raw))
      const column = sheet.rows[0]?.cells.find(({ value }) => value === 'Documents')?.column ?? 0
      expect(sheet.at(2, column)?.value, who).toBe(files.length === 3 ? 2 : 1)
      const zip = (await as.post('/api/v1/account_properties/with-documents/download', body)).raw
      expect([zip.includes('zanzibar-report'), zip.includes('quetzal')], who).toEqual([true, files.length === 3])
    }
  })

  it('does not make its visible copy count as a duplicate for other users', async () => {
    const asAdded: Context = { ...app.system, viewer: await app.viewer(tenant.added.id) }
    const copy = await makeFile(asAdded, tenant.account, { name: 'copy.txt', bytes: secret.bytes, sov: false })
    const duplicates = (as: As) => as.get(inAccount('/files?filter__duplicate=1'))
    expect((await duplicates(members.broker)).body.meta.total).toBe(2)
    expect((await duplicates(outsiders.added)).body.meta.total).toBe(0)
    await app.system.db.deleteFrom('account_files').where('id', '=', copy.id).execute()
  })

  it('does not match the filter for properties with documents for other users', async () => {
    const { db } = app.system
    await db.deleteFrom('account_file_properties').where('file_id', '=', tenant.file).execute()
    const path = `/api/v1/account_properties?filter__account_id=${tenant.account}&filter__documents=`
    const totals = async (as: As) => [(await as.get(`${path}1`)).body.meta.total, (await as.get(`${path}0`)).body.meta.total]
    expect(await totals(members.broker)).toEqual([1, 0])
    expect(await totals(outsiders.carrier)).toEqual([0, 1])
    await db
      .insertInto('account_file_properties')
      .values({ account_id: tenant.account, file_id: tenant.file, property_id: tenant.ids.account_properties })
      .execute()
  })

  it('is removed from archives that other users made while it was public', async () => {
    const made = await outsiders.carrier.post(inAccount('/files/action'), { action: 'archive', files: 'all' })
    const link = async () => (await outsiders.carrier.get(inAccount(`/files/${made.body.data.id}`))).body.data?.url as string | undefined
    const before = await app.anonymous.get((await link()) ?? '')
    expect(before.raw.includes('zanzibar-report')).toBe(true)
    await members.broker.patch(inAccount(`/files/${tenant.file}`), { private: true })
    const url = await link()
    const after = typeof url === 'string' ? (await app.anonymous.get(url)).raw : Buffer.alloc(0)
    expect(after.includes('zanzibar-report')).toBe(false)
    await members.broker.patch(inAccount(`/files/${tenant.file}`), { private: false })
  })
})

describe('an archive or upload in progress', () => {
  it('is accessible only to the user who started it', async () => {
    const other = app.as((await makeUser(app.system, { companyId: tenant.company.id })).id)
    const mine = members.broker
    const archive = (await mine.post(inAccount('/files/action'), { action: 'archive', files: 'all' })).body.data.id as string
    const upload = (await mine.post(inAccount('/files/multipart'), { filePath: 'large.dat', size: 200_000_000 })).body.data
    const part = (await mine.post(inAccount('/files/signed-url'), { filePath: 'small.txt', size: 3 })).body.data
    const register = (key: string) => ({ file: { name: 'a.txt', size: 3 }, s3ObjectLocation: key, account_id: tenant.account })
    const calls: ((as: As, unknown: boolean) => Promise<TestAnswer>)[] = [
      (as, unknown) => as.get(inAccount(`/files/${unknown ? randomUUID() : archive}`)),
      (as, unknown) => as.delete(inAccount(`/archives/${unknown ? randomUUID() : archive}`)),
      (as, unknown) => as.get(inAccount(`/files/multipart/${unknown ? 'nothing' : encodeURIComponent(upload.upload_id)}`)),
      (as, unknown) =>
        as.post(inAccount(`/files/multipart/${unknown ? 'nothing' : encodeURIComponent(upload.upload_id)}/part`), { number: 1 }),
      (as, unknown) => as.post(inAccount(`/files/multipart/${unknown ? 'nothing' : encodeURIComponent(upload.upload_id)}/abort`)),
      (as, unknown) => as.post('/api/v1/account_files', register(unknown ? 'nothing' : upload.key)),
      (as, unknown) => as.post('/api/v1/account_files', register(unknown ? 'nothing' : (part.fields.key ?? ''))),
    ]
    for (const [at, call] of calls.entries()) {
      const answer = await call(other, false)
      expect(answer.status, String(at)).toBe(404)
      expect(observable(answer), String(at)).toEqual(observable(await call(other, true)))
    }
    expect((await mine.get(inAccount(`/files/${archive}`))).status).toBe(200)
    expect((await mine.get(inAccount(`/files/multipart/${encodeURIComponent(upload.upload_id)}`))).status).toBe(200)
  })
})

describe('an upload-only user', () => {
  it('sees only their own uploads in the account', async () => {
    expect(names(await uploader.get(inAccount('/files')))).toEqual([])
    const own = await makeFile({ ...app.system, viewer: await app.viewer(tenant.uploader.id) }, tenant.account, { name: 'mine.txt' })
    const list = await uploader.get(inAccount('/files'))
    expect(names(list)).toEqual(['mine.txt'])
    expect(list.body.meta.total).toBe(1)
    expect((await uploader.get(inAccount(`/files/${own.id}`))).body.data.url).toEqual(expect.any(String))
    for (const rest of ['', '/details']) expect((await uploader.get(inAccount(`/files/${tenant.file}${rest}`))).status).toBe(404)
    expect((await uploader.get(inAccount(`/files/${own.id}/details`))).body.data).toMatchObject({
      total: 1,
      previous_id: null,
      next_id: null,
    })
  })

  it('sees only totals of their own uploads, and none of the account', async () => {
    const account = (await uploader.get(inAccount(''))).body.data
    const [listed] = (await uploader.get('/api/v1/accounts')).body.data
    const own = (await uploader.get(`/api/v1/account_files?filter__account_id=${tenant.account}`)).body.meta.total
    expect([account.files.total, listed.documents.value]).toEqual([own, own])
    expect([account.properties, account.divested_properties, account.tiv]).toEqual([null, null, null])
    expect([listed.properties.value, listed.tiv.value]).toEqual([null, null])
    for (const path of [
      '/accounts/columns',
      `/account_properties?filter__account_id=${tenant.account}`,
      `/metrics/accounts/${tenant.account}/property-types`,
    ]) {
      expect((await uploader.get(`/api/v1${path}`)).status, path).toBe(403)
    }
  })
})

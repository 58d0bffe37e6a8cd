import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { fileCalls } from '#contract/account-files.ts'
import { fileVersionCalls } from '#contract/file-versions.ts'
import { readOne, save, texts } from '#server/engines/spreadsheet/spreadsheet.fixture.ts'
import { LEAK_PROBES, TEXT_MARKER, observable, probe, send } from './leak-probes.fixture.ts'
import { ISOLATED_MODELS } from './model-visibility.ts'
import { makeUserWithout, testTenant } from './tenants.fixture.ts'

const { app, tenant, owner } = await testTenant()
const { id: userId } = await makeUserWithout(app, 'view_account_files', tenant.company.id)
const user = app.as(userId)
/** Part of the name of the tenant's document, and a word of its text. */
const SECRETS = ['zanzibar-report', TEXT_MARKER]
const inAccount = (rest: string) => `/api/v1/accounts/${tenant.account}${rest}`
const shown = (raw: Buffer) => SECRETS.filter((secret) => raw.toString().toLowerCase().includes(secret))
/** Calls of one document, by the contract. */
const OF_ONE = [...Object.values(fileCalls), ...Object.values(fileVersionCalls)].filter(
  ({ path }) => path.includes('/files/:file_id') && !path.includes('/archives/'),
)

describe('a user of the company with every permission but the one to see documents', () => {
  it.each(OF_ONE.map(({ method, path }) => [method, path] as const))('gets no answer of %s %s', async (method, path) => {
    const call = (file: string) => {
      const url = `/api/v1${path.replace(':id', tenant.account).replace(':file_id', file).replace(':number', '1')}`
      const body = path.endsWith('/versions') ? { from: randomUUID() } : { vanity_name: 'mine.txt' }
      if (method === 'GET') return user.get(url)
      return method === 'PATCH' ? user.patch(url, body) : user.post(url, path.endsWith('/current') ? undefined : body)
    }
    const answer = await call(tenant.file)
    expect([403, 404]).toContain(answer.status)
    expect(shown(answer.raw)).toEqual([])
    expect((await call(randomUUID())).status).toBe(answer.status)
  })

  it.each(ISOLATED_MODELS)('finds no document in the lists and records of %s', async (model) => {
    for (const path of [...LEAK_PROBES[model].lists(tenant.ids), ...LEAK_PROBES[model].pages(tenant.ids)])
      expect(shown((await probe(user, path)).raw), path).toEqual([])
  })

  it('cannot change, download or delete a document', async () => {
    const document = async () => ({ ...(await owner.get(inAccount(`/files/${tenant.file}/details`))).body.data, url: null })
    const before = await document()
    const unknown = { ...tenant.ids, account_files: randomUUID() }
    for (const [at, write] of LEAK_PROBES.account_files.writes(tenant.ids).entries()) {
      const answer = await send(user, write)
      // 409: a document cannot be a version of itself, whether it exists or not.
      expect([403, 404, 409], `${write.method} ${write.path} ${JSON.stringify(write.body)}`).toContain(answer.status)
      const other = LEAK_PROBES.account_files.writes(unknown)[at] ?? write
      expect(observable(answer)).toEqual(observable(await send(user, other)))
    }
    expect(await document()).toEqual(before)
  })

  it('gets no archive with documents', async () => {
    const body = { account_id: tenant.account }
    expect((await user.post('/api/v1/account_properties/with-documents/download', body)).status).toBe(403)
    const all = { ...body, action: 'export_excel', handle: 'json', input: 'all', with_documents: true }
    expect((await user.post('/api/v1/account_properties/actions', all)).status).toBe(403)
  })

  it('gets the property list, without the number of documents', async () => {
    const body = { action: 'export_excel', handle: 'json', input: 'all', account_id: tenant.account }
    const list = async (as: typeof user) => {
      const { url } = (await as.post('/api/v1/account_properties/actions', body)).body.export
      const { raw } = await app.anonymous.get(url)
      return texts(await readOne(await save('list.xlsx', raw)))[0] ?? []
    }
    const [all, without] = [await list(owner), await list(user)]
    expect(all).toContain('Documents')
    expect(without).toEqual(all.filter((heading) => heading !== 'Documents'))
  })

  it('sees no number of documents, not even 0', async () => {
    expect((await user.get(inAccount(''))).body.data.files).toBeNull()
    expect((await user.get(inAccount('/downloads'))).body.data).toMatchObject({
      documents: false,
      disclosed_documents: false,
      linked_documents: false,
    })
    expect((await user.get(`/api/v1/account_properties/${tenant.ids.account_properties}`)).body.data.documents).toBeNull()
    for (const model of ['accounts', 'account_properties']) {
      const [row] = (await user.get(`/api/v1/${model}`)).body.data
      expect(row.documents, model).toEqual({ value: null, text: '' })
      const named = async (part: string, key: string) =>
        (await user.get(`/api/v1/${model}/${part}`)).body.data.map((one: Record<string, string>) => one[key])
      expect(await named('columns', 'src'), model).not.toContain('documents')
      expect(await named('filters', 'name'), model).not.toContain('filter__documents')
    }
  })

  it('sees no count of accounts without documents', async () => {
    await app.system.db
      .updateTable('accounts')
      .set({ effective_date: new Date().toISOString().slice(0, 10) })
      .execute()
    const statistics = async (metric: string) => (await user.get(`/api/v1/metrics/${metric}`)).body.data.statistics
    const keys = async (metric: string) => (await statistics(metric)).map(({ key }: { key: string }) => key)
    expect(await keys('init/summary')).not.toContain('documents')
    expect(await keys('accounts/attention')).not.toContain('no_documents')
    const filters = (await user.get('/api/v1/accounts/filters')).body.data
    expect(JSON.stringify(filters)).not.toContain('no_documents')
    const due = (await user.get('/api/v1/metrics/accounts/due?days=30')).body.data.accounts
    expect(due.map(({ documents }: { documents: unknown }) => documents)).toEqual([null])
  })
})

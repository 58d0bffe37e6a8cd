import { describe, expect, it } from 'vitest'
import { makeAccount } from '#server/testing/factories/accounts.ts'
import { makeFile } from '#server/testing/factories/files.ts'
import { makeUser } from '#server/testing/factories/people.ts'
import { testTenant } from '#server/testing/tenants.fixture.ts'

const { app, tenant, owner: broker, ownerCtx } = await testTenant()
const companyId = tenant.company.id
const client = app.as((await makeUser(app.system, { role: 'client', companyId })).id)
const LISTS = ['/api/v1/accounts', `/api/v1/accounts/${tenant.account}/files`]

describe('a list', () => {
  it.each(LISTS)('%s says which sort, filter and parameter it does not have', async (path) => {
    const { status, body } = await broker.get(`${path}?sort=nothing&filter__moon=full&filter__sun=1&color=red&filter__trashed=with`)
    expect([status, body.message]).toEqual([
      200,
      'Ignored, because this list does not have them: sort=nothing, filter__moon, filter__sun, color.',
    ])
    expect((await broker.get(`${path}?sort=name&paginate=15&page=1&search=a&order=asc`)).body.message).toBe('')
  })

  it('says that a column cannot be sorted, and that the value of a filter has no meaning', async () => {
    const { body } = await broker.get('/api/v1/accounts?sort=documents&filter__trashed=sometimes&filter__status=xyz')
    expect(body.message).toBe(
      'Ignored, because this list does not have them: sort=documents. Ignored, because the value has no meaning: filter__trashed=sometimes, filter__status=xyz.',
    )
  })

  it.each([
    '/accounts?filter__status=xyz',
    '/accounts?filter__type=loose',
    '/accounts?filter__attention=none',
    '/accounts?filter__favorites=perhaps',
    '/accounts?filter__effective_date=2026-02-30',
    '/accounts?filter__effective_date=2026-01-01..tomorrow',
    '/accounts?filter__effective_date=2026-13-01..',
    '/accounts?filter__effective_date=2026-01..',
    '/accounts?filter__effective_date=..',
    '/accounts?filter__effective_date=2026-01-01..2026-02-01..2026-03-01',
    '/account_properties?filter__status=xyz',
    '/account_properties?filter__property_type=castle',
    '/account_properties?filter__property_type=office,castle',
    '/account_properties?filter__property_type=,',
    '/account_properties?filter__has_discrepancy=2',
    '/account_properties?filter__discrepancy=incomplete_address,xyz',
    '/account_properties?filter__severity=grave',
    '/account_properties?filter__documents=some',
    '/account_files?filter__private=secret',
    '/account_files?filter__category=poem',
    '/discrepancies?filter__property_status=lost',
  ])('%s shows the same rows as without the filter and says so', async (path) => {
    const [list = '', filter] = path.split('?')
    const [plain, filtered] = [await broker.get(`/api/v1${list}`), await broker.get(`/api/v1${path}`)]
    expect(filtered.body.message).toBe(`Ignored, because the value has no meaning: ${filter}.`)
    expect(filtered.body.data).toEqual(plain.body.data)
    expect(filtered.body.meta).toEqual(plain.body.meta)
  })

  it('accepts 1 and true for yes, 0 and false for no, and a status by its name', async () => {
    for (const value of ['1', 'true', '0', 'false'])
      for (const path of [
        'accounts?filter__trashed',
        'accounts?filter__favorites',
        'account_files?filter__private',
        'account_properties?filter__documents',
      ])
        expect((await broker.get(`/api/v1/${path}=${value}`)).body.message, path).toBe('')
    expect((await broker.get('/api/v1/accounts?filter__effective_date=2026-01-01..2026-02-28')).body.message).toBe('')
    const { body } = await broker.get('/api/v1/accounts/filters')
    const [first] = body.data.find(({ name }: { name: string }) => name === 'status').options
    expect((await broker.get(`/api/v1/accounts?filter__status=${encodeURIComponent(first.value)}`)).body.message).toBe('')
  })

  it('without trash does not have the trash filter', async () => {
    const { status, body } = await broker.get('/api/v1/discrepancies?filter__trashed=only')
    expect([status, body.message]).toEqual([200, 'Ignored, because this list does not have them: filter__trashed.'])
  })

  it.each(LISTS)('%s rejects the trash filter for viewers who cannot delete', async (path) => {
    for (const value of ['with', 'only']) expect((await client.get(`${path}?filter__trashed=${value}`)).status).toBe(403)
    expect((await client.get(`${path}?filter__trashed=`)).status).toBe(200)
  })

  it('rejects the trash filter of an action for viewers who cannot delete', async () => {
    const body = { action: 'add-favorite', input: 'all', filters: { filter__trashed: 'only' } }
    expect((await client.post('/api/v1/accounts/actions', body)).status).toBe(403)
  })

  it('answers a page far beyond the end without rows and with the total', async () => {
    for (const path of [...LISTS, `/api/v1/accounts/${tenant.account}/activity`]) {
      const { status, body } = await broker.get(`${path}?page=1000000000`)
      expect([status, body.data], path).toEqual([200, []])
      expect(body.meta).toMatchObject({ current_page: 1_000_000_000, from: null, to: null })
    }
  })

  it('has up to 9,999 rows on a page, the activity too', async () => {
    for (const path of [...LISTS, `/api/v1/accounts/${tenant.account}/activity`]) {
      expect((await broker.get(`${path}?paginate=9999`)).body.meta?.per_page, path).toBe(9_999)
      expect((await broker.get(`${path}?paginate=10000`)).status, path).toBe(400)
    }
  })
})

describe('a bulk action on documents', () => {
  it.each(['set_private', 'set_disclosed', 'set_sov', 'unset_sov', 'assign_properties', 'archive'])(
    '%s is rejected as a whole if one document is foreign or unknown',
    async (action) => {
      const { id: own } = await makeFile(ownerCtx, tenant.account, { name: 'own.txt' })
      const elsewhere = await makeAccount(app.system, { companyId })
      const { id: foreign } = await makeFile(ownerCtx, elsewhere.id, { name: 'foreign.txt' })
      const read = () =>
        app.system.db.selectFrom('account_files').select(['private', 'sov', 'version']).where('id', 'in', [own, foreign]).execute()
      const before = await read()
      const input = action === 'assign_properties' ? { input: { properties: [], mode: 'replace' } } : {}
      for (const other of [foreign, '00000000-0000-7000-8000-000000000000']) {
        const path = `/api/v1/accounts/${tenant.account}/files/action`
        const { status, body } = await broker.post(path, { action, files: [own, other], ...input })
        expect([status, body.message]).toEqual([404, 'One of the documents was not found.'])
      }
      expect(await read()).toEqual(before)
      expect((await broker.get('/api/v1/archives')).body.data).toEqual([])
    },
  )

  it('includes the list of disclosed documents', async () => {
    const path = `/api/v1/accounts/${tenant.account}/files/action`
    const { status, body } = await broker.post(path, { action: 'document_list' })
    expect([status, body.data?.source]).toEqual([200, 'document-list'])
    expect((await describedCalls()).calls).toContain('"document_list"')
  })
})

/** The OpenAPI document as text. */
const describedCalls = async () => ({ calls: (await app.anonymous.get('/api/docs/openapi.json')).raw.toString() })

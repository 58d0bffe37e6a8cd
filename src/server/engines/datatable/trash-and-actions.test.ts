import { beforeAll, describe, expect, it } from 'vitest'
import type { As } from '#server/testing/app.ts'
import { makeAccount } from '#server/testing/factories/accounts.ts'
import { makeUser } from '#server/testing/factories/people.ts'
import { testTenant } from '#server/testing/tenants.fixture.ts'

/** A broker with one live and two trashed accounts, a client of the same company, and an account of another company. */
const { app, tenant, owner: broker } = await testTenant()
const companyId = tenant.company.id
const client = app.as((await makeUser(app.system, { role: 'client', companyId })).id)
const live = tenant.account
const { id: trashed } = await makeAccount(app.system, { companyId })
const { id: alsoTrashed } = await makeAccount(app.system, { companyId })
const { id: foreign } = await makeAccount(app.system)

beforeAll(async () => {
  expect((await broker.delete('/api/v1/accounts', { ids: [trashed, alsoTrashed] })).status).toBe(200)
})

/** The ids of a list, whose total is their number. */
const ids = async (as: As, query: string): Promise<string[]> => {
  const { body } = await as.get(`/api/v1/accounts?sort=created_at&order=asc${query}`)
  const found: string[] = body.data.map((row: { id: string }) => row.id)
  expect(body.meta.total, query).toBe(found.length)
  return found
}

describe('the trash filter', () => {
  it('can be combined with a search', async () => {
    const name = async (filter: string) => {
      const { body } = await broker.get(`/api/v1/accounts?search=departed${filter}`)
      return body.data.map(({ id }: { id: string }) => id)
    }
    const { id } = await makeAccount(app.system, { companyId, name: 'Departed' })
    expect((await broker.delete('/api/v1/accounts', { ids: [id] })).status).toBe(200)
    expect([await name(''), await name('&filter__trashed=only'), await name('&filter__trashed=with')]).toEqual([[], [id], [id]])
    await app.system.db.deleteFrom('accounts').where('id', '=', id).execute()
  })

  it.each([
    ['', () => [live]],
    ['&filter__trashed=with', () => [live, trashed, alsoTrashed]],
    ['&filter__trashed=only', () => [trashed, alsoTrashed]],
    ['&filter__trashed=sometimes', () => [live]],
  ])('shows a viewer who can delete the expected accounts for "%s"', async (query, expected) => {
    expect(await ids(broker, query)).toEqual(expected())
  })

  it('shows live accounts to a viewer who cannot delete', async () => {
    expect(await ids(client, '')).toEqual([live])
  })

  it('is offered to viewers who can delete', async () => {
    const names = async (as: As) => (await as.get('/api/v1/accounts/filters')).body.data.map(({ name }: { name: string }) => name)
    expect(await names(broker)).toContain('trashed')
    expect(await names(client)).not.toContain('trashed')
  })
})

describe('a sort', () => {
  it('by an unknown or absent column is the default order', async () => {
    const all = async (query: string) => (await broker.get(`/api/v1/accounts?filter__trashed=with${query}`)).body.data
    expect(await all('&sort=nothing')).toEqual(await all(''))
  })
})

describe('a row action', () => {
  const act = (body: object) => broker.post('/api/v1/accounts/actions', body)
  const favorites = () => ids(broker, '&filter__favorites=1')

  it('that does not exist is rejected with the names that do', async () => {
    const { status, body } = await act({ action: 'add_favorite', selectedIds: [live] })
    expect([status, body.errors]).toEqual([
      400,
      { action: ['This action is not known. Known: add-favorite, remove-favorite, export_excel, export_csv.'] },
    ])
  })

  it('changes nothing if one of the records is not visible or none is named', async () => {
    for (const selectedIds of [[live, foreign], [foreign]])
      expect((await act({ action: 'add-favorite', selectedIds })).status, selectedIds.join()).toBe(404)
    const { status, body } = await act({ action: 'add-favorite', selectedIds: [] })
    expect([status, body.errors]).toEqual([400, { selectedIds: ['Please select at least one record.'] }])
    expect(await favorites()).toEqual([])
  })

  it('can be used on trashed records by viewers who can delete only', async () => {
    const favor = { action: 'add-favorite', selectedIds: [trashed] }
    expect((await client.post('/api/v1/accounts/actions', favor)).status).toBe(404)
    expect((await act(favor)).status).toBe(200)
    expect((await act({ action: 'remove-favorite', selectedIds: [trashed] })).status).toBe(200)
  })

  it('is rejected if it would have no documents, file or account as requested', async () => {
    const errors = async (over: object) => (await act({ action: 'add-favorite', selectedIds: [live], ...over })).body.errors
    expect(await errors({ with_documents: true })).toEqual({ with_documents: ['This action has no documents.'] })
    expect(await errors({ fileName: 'a.csv' })).toEqual({ fileName: ['This action makes no file.'] })
    expect(await errors({ account_id: live })).toEqual({ account_id: ['This list is not divided by account.'] })
    expect(await errors({ handle: 'blob' })).toEqual({ handle: ['This action answers json.'] })
    expect(await favorites()).toEqual([])
  })

  it('for all records is rejected if the list does not have a filter, or if no record matches', async () => {
    const all = (filters: object) => act({ action: 'add-favorite', input: 'all', filters })
    const unknown = await all({ filter__moon: 'full' })
    expect([unknown.status, unknown.body.errors]).toEqual([
      400,
      { filters: ['Ignored, because this list does not have them: filter__moon.'] },
    ])
    const none = await all({ filter__type: 'managed' })
    expect([none.status, none.body.message]).toEqual([404, 'One of the selected records was not found.'])
    expect(await favorites()).toEqual([])
  })

  it('changes the named records, or all that match the filters', async () => {
    // Filters limit only an action on all records.
    const named = { selectedIds: [live, live.toUpperCase(), live], handle: 'json', filters: { filter__moon: 'full' } }
    expect((await act({ action: 'add-favorite', ...named })).status).toBe(200)
    expect(await favorites()).toEqual([live])
    await makeAccount(app.system, { companyId })
    expect((await broker.get('/api/v1/accounts?filter__favorites=1')).body.meta.total).toBe(1)
    expect((await act({ action: 'remove-favorite', input: 'all', filters: { filter__favorites: '1' } })).status).toBe(200)
    expect(await favorites()).toEqual([])
  })

  it('for all records and some, or for an account and filtered by another, is rejected', async () => {
    const all = { action: 'add-favorite', input: 'all' }
    expect((await act({ ...all, selectedIds: [live] })).body.errors).toEqual({
      selectedIds: ['Please send either selectedIds or the input all.'],
    })
    const other = await act({ ...all, account_id: live, filters: { filter__account_id: foreign } })
    expect(other.body.errors).toEqual({ account_id: ['Please filter by the same account.'] })
    expect(await favorites()).toEqual([])
  })
})

import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Cell } from '#contract/datatable.ts'
import { FALSE } from '#server/access/scope.ts'
import { testApp, type As, type TestApp } from '#server/testing/app.ts'
import { makeAccount, makeProperty } from '#server/testing/factories/accounts.ts'
import { makeFile } from '#server/testing/factories/files.ts'
import { makeProperty as storeProperty } from '#server/testing/factories/register.ts'
import { makeUser } from '#server/testing/factories/people.ts'
import { bytesCell, dateCell, decimalCell, labelCell, moneyCell, plainDateCell, plainNumberCell, textCell, wholeCell } from './cells.ts'
import { defineDatatable } from './define-datatable.ts'

/** What a list says about itself, and what its cells show: a broker with two accounts, and an invited viewer of the same company. */
let app: TestApp
let broker: As
let guest: As
let older: string
let newer: string

beforeAll(async () => {
  app = await testApp()
  const { id, companyId } = await makeUser(app.system)
  broker = app.as(id)
  guest = app.as((await makeUser(app.system, { role: 'invite_guest', companyId })).id)
  older = (await makeAccount(app.system, { companyId, name: 'Birch' })).id
  newer = (await makeAccount(app.system, { companyId, name: 'Aspen' })).id
})
afterAll(() => app.stop())

const get = async (path: string, as = broker) => {
  const { status, body } = await as.get(`/api/v1/${path}`)
  expect(status, path).toBe(200)
  return body.data
}
const ids = async (path: string) => (await get(path)).map(({ id }: { id: string }) => id)

describe('the columns of a list', () => {
  it('have label, width and alignment, and say whether they can be sorted, hidden or are hidden at first', async () => {
    const columns = await get('accounts/columns')
    const described = (src: string) => columns.find((column: { src: string }) => column.src === src)
    const plain = { sortable: true, primary: false, disabled: false, default: true, classes: '', icon_only: false }
    expect(described('name')).toEqual({ ...plain, src: 'name', sort: 'name', label: 'Account', width: 214, primary: true, disabled: true })
    expect(described('tiv')).toEqual({ ...plain, src: 'tiv', sort: 'tiv', label: 'TIV', width: 134, classes: 'number' })
    expect(described('type')).toEqual({ ...plain, src: 'type', sort: 'type', label: 'Type', width: null, default: false })
    expect(described('documents')).toMatchObject({ sort: null, sortable: false, default: false })
    expect(described('created_at')).toMatchObject({ classes: 'date' })
  })
})

describe('the company of accounts', () => {
  const shown = async (as: As) => (await get('accounts/columns', as)).find(({ src }: { src: string }) => src === 'company').default
  it('is hidden at first from a user who has only accounts of one company', async () => expect(await shown(broker)).toBe(false))
  it('is shown to a user who has accounts of other companies', async () => {
    const carrier = await makeUser(app.system, { role: 'carrier' })
    await makeAccount(app.system, { carrierCompanyId: carrier.companyId })
    expect(await shown(app.as(carrier.id))).toBe(true)
    expect(await shown(app.as((await makeUser(app.system, { role: 'admin' })).id))).toBe(true)
  })
})

describe('the filter of effective dates', () => {
  beforeAll(async () => {
    for (const [id, effective_date] of [
      [older, '2026-01-15'],
      [newer, '2026-03-01'],
    ] as const)
      await app.system.db.updateTable('accounts').set({ effective_date }).where('id', '=', id).execute()
  })
  it.each([
    ['between two dates, both included', '2026-01-15..2026-03-01', ['Aspen', 'Birch']],
    ['up to a date', '..2026-03-01', ['Aspen', 'Birch']],
    ['up to the day before', '..2026-02-28', ['Birch']],
    ['from a date', '2026-01-16..', ['Aspen']],
    ['from a date without dots', '2026-01-16', ['Aspen']],
    ['of all dates, if one end is a day that no calendar has', '2026-02-30..', ['Aspen', 'Birch']],
    ['of all dates, if one end is no date', '2026-02-01..later', ['Aspen', 'Birch']],
  ])('finds accounts %s', async (_title, range, names) => {
    const rows = await get(`accounts?sort=name&order=asc&filter__effective_date=${range}`)
    expect(rows.map(({ name }: { name: Cell }) => name.text)).toEqual(names)
  })
})

describe('the filters of a list', () => {
  it('have their choices and default value', async () => {
    const filters = await get('discrepancies/filters')
    expect(filters[0]).toMatchObject({ name: 'status', label: 'Status', type: 'multiselect', default: 'open' })
    expect(filters[0].options).toContainEqual({ value: 'open', label: 'Open' })
    expect(filters[1]).toMatchObject({ name: 'severity', default: null })
    expect((await get('accounts/filters')).find(({ name }: { name: string }) => name === 'favorites').options).toEqual([])
  })

  it('do not include filters that only links use', async () => {
    const names = (await get('account_properties/filters')).map(({ name }: { name: string }) => name)
    expect(names).toContain('property_type')
    expect(names).not.toContain('account_id')
  })

  it('end with the trash for viewers who can delete', async () => {
    const options = [
      { value: 'with', label: 'With trashed' },
      { value: 'only', label: 'Only trashed' },
    ]
    expect((await get('accounts/filters')).at(-1)).toEqual({ name: 'trashed', label: 'Trash', type: 'select', options, default: null })
    expect((await get('discrepancies/filters')).map(({ name }: { name: string }) => name)).not.toContain('trashed')
  })
})

describe('a filter', () => {
  it('with yes or no shows the rows that fulfill its condition, or all others', async () => {
    const ctx = { ...app.system, viewer: await app.viewer((await makeUser(app.system)).id) }
    const account = (await makeAccount(app.system, { companyId: ctx.viewer.companyId })).id
    const property = await makeProperty(app.system, account)
    const linked = await makeFile(ctx, account, { category: 'appraisal', property_ids: [property.id] })
    const unlinked = await makeFile(ctx, account, { category: 'appraisal' })
    const other = await makeFile(ctx, account, { category: 'other' })
    const found = async (value: string) =>
      (await app.as(ctx.viewer.userId).get(`/api/v1/account_files?filter__account_id=${account}&filter__unlinked=${value}`)).body.data.map(
        ({ id }: { id: string }) => id,
      )
    expect([await found('1'), await found('0')]).toEqual([[unlinked.id], [other.id, linked.id]])
    const filters: { name: string; label: string; help?: string }[] = (await app.as(ctx.viewer.userId).get('/api/v1/account_files/filters'))
      .body.data
    expect(filters.find(({ name }) => name === 'unlinked')).toMatchObject({
      label: 'Needs a property',
      help: 'Yes: documents of a category that is usually linked to properties, without a property. No: all others.',
    })
  })

  it('for several values shows the rows with any of them', async () => {
    const property = await makeProperty(app.system, older, { property_type: 'office' })
    const other = await makeProperty(app.system, older, { property_type: 'retail' })
    const found = (types: string) => ids(`account_properties?filter__account_id=${older}&filter__property_type=${types}`)
    expect((await found('office,retail')).sort()).toEqual([property.id, other.id].sort())
    expect(await found('retail,')).toEqual([other.id])
  })

  it('for an account that is not an id finds nothing, and one in capital letters finds the account', async () => {
    expect(await ids('account_properties?filter__account_id=none')).toEqual([])
    expect(await ids('account_properties?filter__account_id=none&search=main')).toEqual([])
    const rows = await ids(`account_properties?filter__account_id=${older.toUpperCase()}&search=main`)
    expect(rows.length).toBeGreaterThan(0)
  })
})

describe('the sums of a list', () => {
  it('are those of all rows in one account, and absent across accounts', async () => {
    await makeProperty(app.system, older, { building_value: 700 })
    const { body } = await broker.get(`/api/v1/account_properties?filter__account_id=${older}&paginate=1`)
    const values = (await get(`account_properties?filter__account_id=${older}&paginate=9999`)).map((row: { tiv: Cell }) => row.tiv.value)
    expect(body.meta.totals.tiv).toBe(values.reduce((sum: number, value: number | null) => sum + (value ?? 0), 0))
    expect((await broker.get('/api/v1/account_properties')).body.meta.totals).toBeUndefined()
  })

  it('count the rows with a value, and have the one currency of the rows with an amount', async () => {
    const { companyId } = await app.viewer((await makeUser(app.system)).id)
    const admin = app.as((await makeUser(app.system, { role: 'admin' })).id)
    const { id } = await makeAccount(app.system, { companyId })
    const noAmounts = { building_value: null, contents_value: null, bi_value: null }
    const add = (currency: string, values: object = {}) => storeProperty(app, id, { ...noAmounts, ...values, currency })
    // A direct insert publishes no change, so each query is another one, which is not cached.
    let paginate = 0
    const meta = async () => (await admin.get(`/api/v1/account_properties?filter__account_id=${id}&paginate=${(paginate += 1)}`)).body.meta
    expect((await meta()).currency).toBe('USD')
    await add('EUR')
    expect((await meta()).currency).toBe('EUR')
    await add('CAD', { building_value: 700 })
    expect(await meta()).toMatchObject({ currency: 'CAD', valued: { building_value: 1, contents_value: 0, bi_value: 0, tiv: 1 } })
    await add('CHF', { contents_value: 50 })
    expect(await meta()).toMatchObject({ currency: null, valued: { building_value: 1, contents_value: 1, bi_value: 0, tiv: 2 } })
  })
})

describe('the order of a list', () => {
  it('is the newest first, ascending by a chosen column, and as requested otherwise', async () => {
    expect(await ids('accounts')).toEqual([newer, older])
    expect(await ids('accounts?order=asc')).toEqual([older, newer])
    expect(await ids('accounts?sort=name')).toEqual([newer, older])
    expect(await ids('accounts?sort=name&order=desc')).toEqual([older, newer])
  })

  it('by a status is that of the statuses of the company', async () => {
    const { statuses } = await get(`accounts/${older}`)
    const bound = statuses.find(({ name }: { name: string }) => name === 'Bound').id
    await app.system.db.updateTable('accounts').set({ status_id: bound }).where('id', '=', older).execute()
    expect(await ids('accounts?sort=status&order=asc')).toEqual([newer, older])
    expect(await ids('accounts?sort=status&order=desc')).toEqual([older, newer])
  })
})

describe('a search', () => {
  it('for blanks, or by a viewer without the permission to search, shows the whole list', async () => {
    expect(await ids('accounts?search=%20%20')).toEqual([newer, older])
    const { id } = await makeUser(app.system, { role: 'upload_only' })
    await app.system.db.insertInto('account_users').values({ account_id: older, user_id: id }).execute()
    const file = await makeFile({ ...app.system, viewer: await app.viewer(id) }, older)
    const found = await get('account_files?search=nothing-like-it', app.as(id))
    expect(found.map((row: { id: string }) => row.id)).toEqual([file.id])
  })
})

describe('the row actions of a list', () => {
  it('are described with their prompt to viewers with the permission, and rejected for others', async () => {
    const actions = await get('account_properties/actions')
    expect(actions[0]).toEqual({
      action: 'divest',
      undo: 'reactivate',
      label: 'Mark as divested',
      handle: 'json',
      prompt: { message: expect.any(String), type: 'date', name: 'divested_on', placeholder: 'YYYY-MM-DD' },
      fileName: null,
      supportsPrefix: false,
    })
    expect((await get('accounts/actions'))[0]).toMatchObject({ action: 'add-favorite', prompt: null })
    const names = (await get('account_properties/actions', guest)).map(({ action }: { action: string }) => action)
    expect(names).toEqual(['export_excel', 'export_csv'])
    const { body } = await guest.post('/api/v1/account_properties/actions', { action: 'sell', selectedIds: [older] })
    expect(body.errors).toEqual({ action: ['This action is not known. Known: export_excel, export_csv.'] })
    const { id } = await makeProperty(app.system, older)
    expect((await guest.post('/api/v1/account_properties/actions', { action: 'divest', selectedIds: [id] })).status).toBe(403)
  })

  it('receive the answer to the prompt, except for all records', async () => {
    const { id } = await makeProperty(app.system, newer, { property_name: 'Sold Hall' })
    const divest = (body: object) => broker.post('/api/v1/account_properties/actions', { action: 'divest', ...body })
    const filters = { filter__account_id: newer }
    expect((await divest({ input: 'all', filters })).status).toBe(400)
    const answer = await divest({ selectedIds: [id], input: { divested_on: '2026-01-31' } })
    expect([answer.status, answer.body.message]).toEqual([200, '1 property marked as divested.'])
    expect(await get(`account_properties/${id}`)).toMatchObject({ status: 'divested', divested_on: '2026-01-31' })
  })

  it('change only records of the account that is named', async () => {
    const [first, second] = [await makeProperty(app.system, older), await makeProperty(app.system, newer)]
    const act = (body: object) => broker.post('/api/v1/account_properties/actions', body)
    const divest = { action: 'divest', selectedIds: [first.id, second.id], input: { divested_on: '2026-01-31' } }
    expect((await act({ ...divest, account_id: newer })).status).toBe(404)
    const status = async (id: string) => (await get(`account_properties/${id}`)).status
    for (const account of [{ account_id: newer }, { filters: { filter__account_id: newer } }]) {
      expect((await act(divest)).status).toBe(200)
      expect((await act({ action: 'reactivate', input: 'all', ...account })).status).toBe(200)
      expect([await status(first.id), await status(second.id)]).toEqual(['divested', 'active'])
    }
  })
})

describe('a cell', () => {
  it('shows its value as people read it', () => {
    const labels = { office: 'Office' }
    const night = new Date('2026-03-01T02:00:00Z')
    const cells = [textCell('A'), wholeCell(12_000), plainNumberCell(1985), decimalCell(2.5), moneyCell(1_200), bytesCell(2_048)]
    expect(cells.map(({ text }) => text)).toEqual(['A', '12,000', '1985', '2.5', '$1,200', '2 KB'])
    expect([labelCell('office', labels), labelCell('mill', labels)].map(({ text }) => text)).toEqual(['Office', 'mill'])
    expect(dateCell(night, 'America/New_York')).toEqual({ value: '2026-03-01T02:00:00.000Z', text: 'Feb 28, 2026' })
    expect(plainDateCell('2026-03-01')).toEqual({ value: '2026-03-01', text: 'Mar 1, 2026' })
  })

  it('without a value is empty', () => {
    const empty = [textCell(null), wholeCell(null), moneyCell(null), labelCell(null, {}), dateCell(null, 'UTC'), plainDateCell(null)]
    for (const cell of empty) expect(cell).toEqual({ value: null, text: '' })
  })
})

describe('a declared list', () => {
  const definition = {
    visible: () => FALSE,
    columns: { name: { label: 'Name', sort: { by: sql`name` } } },
    defaultSort: { column: 'name', order: 'asc' },
    rows: async () => [],
  } as const
  it('without a permission to search it or to see its trash does not start', () => {
    const declare = (own: { canSearch?: 'view_accounts_datatable_search' }) =>
      defineDatatable<{ id: string; name: Cell }>({ ...definition, model: 'discrepancies', dependsOn: [], ...own })
    expect(() => declare({})).toThrow('There is no permission view_discrepancies_datatable_search; add it to contract/models.ts')
    expect(() => declare({ canSearch: 'view_accounts_datatable_search' })).toThrow('There is no permission delete_discrepancies')
  })
  it('whose default order is by a column that cannot be sorted does not start', () => {
    const declare = () =>
      defineDatatable<{ id: string; name: Cell }>({ ...definition, columns: { name: { label: 'Name' } }, model: 'accounts', dependsOn: [] })
    expect(declare).toThrow('The list of accounts cannot be sorted by name, its default')
  })
  it('has the permissions of its model, no filters and no actions unless given', () => {
    expect(defineDatatable<{ id: string; name: Cell }>({ ...definition, model: 'accounts', dependsOn: [] })).toMatchObject({
      table: 'accounts',
      canSearch: 'view_accounts_datatable_search',
      canSeeTrash: 'delete_accounts',
      filters: {},
      actions: {},
    })
  })
  it('without trash needs no permission to delete', () => {
    const canSearch = 'view_account_properties_datatable_search'
    const table = defineDatatable<{ id: string; name: Cell }>({
      ...definition,
      model: 'discrepancies',
      dependsOn: [],
      hasTrash: false,
      canSearch,
    })
    expect(table.canSeeTrash).toBeUndefined()
  })
})

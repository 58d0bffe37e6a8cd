import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { DEFAULT_ROLE_NAMES } from '#contract/default-roles.ts'
import { BULK_ROWS_MAX, EXPORTS_PER_MINUTE, EXPORT_ROWS_MAX } from '#contract/limits.ts'
import { MODELS, MODEL_NAMES, type Model } from '#contract/models.ts'
import type { As } from '#server/testing/app.ts'
import { makeAccount, makeProperty } from '#server/testing/factories/accounts.ts'
import { makeFile } from '#server/testing/factories/files.ts'
import { makeUser, subscribe } from '#server/testing/factories/people.ts'
import { makeUserWithout, testTenant } from '#server/testing/tenants.fixture.ts'
import { readOne, save } from '../spreadsheet/spreadsheet.fixture.ts'

/** A broker with an account of its own, and an administrator who sees all companies. */
const { app, tenant, ownerCtx, owner: broker } = await testTenant()
const companyId = tenant.company.id
const admin = app.as((await makeUser(app.system, { role: 'admin' })).id)
const { id: foreign } = await makeAccount(app.system)
const account = (await makeAccount(app.system, { companyId, name: 'Exported' })).id
const inAccount = { filter__account_id: account }

const send = (as: As, model: Model, body: object) =>
  as.post(`/api/v1/${model}/actions`, { model, action: 'export_csv', handle: 'blob', input: 'all', ...body })
const failure = async (as: As, model: Model, body: object) => {
  const { status, body: answer } = await send(as, model, body)
  return [status, answer.message]
}

/** The lines of an export as CSV; no value of these tests has a comma. */
async function lines(as: As, model: Model, body: object = {}): Promise<string[][]> {
  const { status, raw, headers } = await send(as, model, body)
  expect([status, headers['content-type']], raw.toString()).toEqual([200, 'text/csv; charset=utf-8'])
  const text = raw.toString()
  expect([text.startsWith('\uFEFF'), text.endsWith('\r\n')]).toEqual([true, true])
  return text
    .slice(1, -2)
    .split('\r\n')
    .map((line) => line.split(','))
}
const column = async (as: As, model: Model, src: string, body: object = {}) =>
  (await lines(as, model, { columns: [src], ...body })).slice(1).map(([value]) => value)

beforeAll(async () => {
  await subscribe(app.system, companyId)
  for (const [number, city, building_value] of [
    ['10', 'Salem', 900],
    ['9', 'Austin', 1_234_567],
    ['11', '=HYPERLINK("http://a.test")', 0],
  ] as const)
    await makeProperty(app.system, account, { location_number: number, city, building_value, property_name: '-Hall' })
})

describe('an export of a list', () => {
  it.each(MODEL_NAMES)('of %s has every column and row that the list shows', async (model) => {
    const [columns, page] = await Promise.all([admin.get(`/api/v1/${model}/columns`), admin.get(`/api/v1/${model}?paginate=9999`)])
    const actions: { action: string; fileName: string }[] = (await admin.get(`/api/v1/${model}/actions`)).body.data
    expect(actions.slice(-2)).toMatchObject([
      { action: 'export_excel', handle: 'blob', prompt: null, fileName: `${MODELS[model].many}.xlsx`, supportsPrefix: true },
      { action: 'export_csv', handle: 'blob', prompt: null, fileName: `${MODELS[model].many}.csv`, supportsPrefix: true },
    ])
    const { raw, headers, status } = await send(admin, model, { action: 'export_excel' })
    expect([status, headers['content-disposition']]).toEqual([200, expect.stringContaining(`${MODELS[model].many}.xlsx`)])
    const { rows } = await readOne(await save('export.xlsx', raw))
    expect(rows.length).toBe(page.body.meta.total + 1)
    expect(rows[0]?.cells.length).toBeGreaterThanOrEqual(columns.body.data.length)
  })

  it('has the columns of the view in its order, with its filters, search and sort', async () => {
    const view = { columns: ['city', 'location_number'], filters: { ...inAccount, sort: 'location_number', order: 'desc' } }
    expect(await lines(broker, 'account_properties', { ...view, filters: { ...view.filters, search: 'main' } })).toEqual([
      ['City', 'Location #', 'Building #'],
      [`"'=HYPERLINK(""http://a.test"")"`, '11', '1'],
      ['Salem', '10', '1'],
      ['Austin', '9', '1'],
    ])
    const found = await column(broker, 'account_properties', 'city', { filters: { ...inAccount, search: 'salem' } })
    expect(found).toEqual(['Salem'])
    const none = { filters: { ...inAccount, search: 'nowhere' } }
    expect(await failure(broker, 'account_properties', none)).toEqual([404, 'No properties found'])
  })

  it('has numbers as numbers, dates as dates and every text as text', async () => {
    const body = { action: 'export_excel', columns: ['address', 'city', 'building_value', 'updated_at'], filters: inAccount }
    const { raw } = await send(broker, 'account_properties', { ...body, filters: { ...inAccount, sort: 'building_value', order: 'desc' } })
    const { rows } = await readOne(await save('values.xlsx', raw))
    expect(rows[0]?.cells.map(({ value }) => value)).toEqual([
      'Property name',
      'Street address',
      'City',
      'Building value',
      'Last updated',
      'Currency',
    ])
    const cells = rows[1]?.cells ?? []
    expect(cells.map(({ kind }) => kind)).toEqual(['text', 'text', 'text', 'number', 'date', 'text'])
    expect(cells[3]?.value).toBe(1_234_567)
    expect(cells[4]?.value).toMatch(/^\d{4}-\d{2}-\d{2}$/)
    expect(rows[3]?.cells.slice(0, 3)).toMatchObject([
      { kind: 'text', value: '-Hall' },
      { kind: 'text' },
      { kind: 'text', value: '=HYPERLINK("http://a.test")' },
    ])
  })

  it('has the date of a moment in the time zone of the viewer', async () => {
    const { id } = await makeAccount(app.system, { companyId, name: 'Late' })
    await sql`UPDATE accounts SET created_at = '2026-01-02T03:00:00Z' WHERE id = ${id}`.execute(app.system.db)
    expect(await column(broker, 'accounts', 'created_at', { selectedIds: [id], input: {} })).toEqual(['2026-01-01'])
  })

  it('has no sum of several currencies, and names the currency of each amount', async () => {
    const { id } = await makeAccount(app.system, { companyId, name: 'Two currencies' })
    await makeProperty(app.system, id, { building_value: 700, contents_value: 0, bi_value: 0, currency: 'USD' })
    const { id: other } = await makeProperty(app.system, id, { building_value: 800, contents_value: 0, bi_value: 0 })
    // As in registers from before accounts had one currency.
    await sql`UPDATE account_properties SET currency = 'CAD' WHERE id = ${other}`.execute(app.system.db)
    const sums = await lines(broker, 'accounts', { columns: ['name', 'tiv'], selectedIds: [id], input: {} })
    expect(sums).toEqual([
      ['Account', 'TIV', 'Currency'],
      ['Two currencies', '', 'Several'],
    ])
    const filters = { filter__account_id: id, sort: 'building_value', order: 'asc' }
    const amounts = await lines(broker, 'account_properties', { columns: ['building_value'], filters })
    expect(amounts.slice(1)).toEqual([
      ['700', 'USD'],
      ['800', 'CAD'],
    ])
  })

  it('of selected records has these in the order of the list', async () => {
    const all = (await broker.get(`/api/v1/account_properties?filter__account_id=${account}&sort=location_number&order=asc`)).body.data
    const [first, , last] = all.map(({ id }: { id: string }) => id)
    const body = { selectedIds: [last, first], input: {}, filters: { sort: 'location_number', order: 'asc' } }
    expect(await column(broker, 'account_properties', 'location_number', body)).toEqual(['9', '11'])
  })

  it('is rejected as a whole with a record of another company among the selected ones', async () => {
    const body = { selectedIds: [account, foreign], input: {} }
    expect(await failure(broker, 'accounts', body)).toEqual([404, 'One of the selected records was not found.'])
    expect(await column(broker, 'accounts', 'name')).not.toContain('Account 1')
  })

  it('rejects a column, filter or order that the list does not have, and a name that is not its own', async () => {
    expect(await failure(broker, 'accounts', { columns: ['name', 'password'] })).toEqual([
      400,
      'The list of accounts does not have these columns: password.',
    ])
    for (const filters of [{ sort: 'password' }, { filter__moon: '1' }, { order: 'sideways' }, { search: 'x'.repeat(10_000) }])
      expect((await failure(broker, 'accounts', { filters }))[0], JSON.stringify(filters).slice(0, 50)).toBe(400)
    expect((await failure(broker, 'accounts', { fileName: 'accounts.exe' }))[0]).toBe(400)
    expect((await failure(broker, 'accounts', { handle: 'json' }))[0]).toBe(400)
    expect((await failure(broker, 'accounts', { action: 'add-favorite', handle: 'json', columns: ['name'] }))[0]).toBe(400)
  })
})

describe('the permission to export', () => {
  it('is that to see the list, but for properties and documents that of their list as a file', async () => {
    const role = async (permissions: string[]) => {
      const user = await makeUser(app.system, { companyId })
      const { id } = await app.system.db
        .insertInto('roles')
        .values({ company_id: companyId, name: `r${permissions.length}`, label: `R${permissions.length}`, permissions })
        .returning('id')
        .executeTakeFirstOrThrow()
      await app.system.db.updateTable('user_roles').set({ role_id: id }).where('user_id', '=', user.id).execute()
      return app.as(user.id)
    }
    const reader = await role(['view_accounts_component', 'view_company_accounts', 'view_account_properties'])
    expect(await column(reader, 'accounts', 'name')).toContain('Exported')
    expect(await failure(reader, 'account_properties', { filters: inAccount })).toEqual([403, 'You do not have permission to do this.'])
    expect((await reader.get('/api/v1/account_properties/actions')).body.data).toEqual([])
    const exporter = await role([
      'view_accounts_component',
      'view_company_accounts',
      'view_account_properties',
      'view_download_property_list_button',
    ])
    const [header, ...rows] = await lines(exporter, 'account_properties', { filters: inAccount })
    expect(rows).toHaveLength(3)
    expect(header).not.toContain('Quality score')
    const unseen = { columns: ['discrepancies', 'quality_score'], filters: inAccount }
    expect((await failure(exporter, 'account_properties', unseen))[0]).toBe(400)
  })

  it.each(['account_files', 'account_properties', 'accounts'] as const)(
    'exports selected rows of %s only with the permission for actions of the list, and all rows without it',
    async (model) => {
      const user = await makeUserWithout(app, `view_${model}_datatable_actions`, companyId)
      const reader = app.as(user.id)
      const selectedIds = [model === 'accounts' ? tenant.account : tenant.ids[model]]
      for (const action of ['export_csv', 'export_excel']) {
        const body = { action, selectedIds, input: {} }
        expect(await failure(reader, model, body)).toEqual([403, 'You do not have permission to do this.'])
        expect((await send(broker, model, body)).status).toBe(200)
      }
      expect((await send(reader, model, {})).status).toBe(200)
    },
  )

  it.each(DEFAULT_ROLE_NAMES)('of the role %s is the same for the offer and the call, in every list', async (name) => {
    const { id } = await makeUser(app.system, { role: name, companyId })
    await app.system.db.insertInto('account_users').values({ account_id: account, user_id: id }).execute()
    const as = app.as(id)
    const offered: Model[] = []
    for (const model of MODEL_NAMES) {
      const { status, body } = await as.get(`/api/v1/${model}/actions`)
      const isOffered = status === 200 && body.data.some(({ action }: { action: string }) => action === 'export_csv')
      expect((await send(as, model, {})).status === 403, model).toBe(!isOffered)
      if (isOffered) offered.push(model)
    }
    expect(offered.includes('account_files')).toBe(name !== 'upload_only')
  })

  it('does not include private documents that the viewer does not see, nor the trash of a list whose trash they do not see', async () => {
    await makeFile(ownerCtx, account, { name: 'secret.txt', private: true })
    const reader = app.as((await makeUser(app.system, { role: 'carrier', companyId })).id)
    expect(await column(broker, 'account_files', 'name', { filters: inAccount })).toEqual(['secret.txt'])
    expect(await failure(reader, 'account_files', { filters: inAccount })).toEqual([404, 'No documents found'])
    expect((await failure(reader, 'accounts', { filters: { filter__trashed: 'only' } }))[0]).toBe(403)
  })
})

describe('an export of a large list', () => {
  it('has all rows in order', async () => {
    const { id } = await makeAccount(app.system, { companyId, name: 'Large' })
    await sql`INSERT INTO account_properties (account_id, location_number, address, city)
      SELECT ${id}, n::text, n || ' Elm St', 'Dallas' FROM generate_series(1, 1_200) n`.execute(app.system.db)
    const body = { filters: { filter__account_id: id, sort: 'location_number', order: 'asc' } }
    const numbers = await column(broker, 'account_properties', 'location_number', body)
    expect(numbers).toEqual(Array.from({ length: 1_200 }, (_, at) => String(at + 1)))
  })

  it('says when there are more rows than an export can contain, and an action when there are more than it can change', async () => {
    const { id } = await makeAccount(app.system, { companyId, name: 'Too large' })
    // Without triggers, which take longer than the rows.
    await app.asOwner('ALTER TABLE account_properties DISABLE TRIGGER USER')
    const insert = (rows: number) =>
      app.asOwner(
        `INSERT INTO account_properties (account_id, address, city) SELECT $1, n || ' Elm St', 'Dallas' FROM generate_series(1, $2::int) n`,
        [id, rows],
      )
    const filters = { filter__account_id: id }
    await insert(BULK_ROWS_MAX + 1)
    const input = { action: 'reactivate', handle: 'json', filters }
    expect(await failure(broker, 'account_properties', input)).toEqual([
      413,
      'An action changes at most 10,000 properties, and this list has more. Nothing was changed. Narrow the list with a search or a filter.',
    ])
    await insert(EXPORT_ROWS_MAX - BULK_ROWS_MAX)
    expect(await failure(broker, 'account_properties', { filters })).toEqual([
      413,
      'An export contains at most 100,000 properties, and this list has more. Narrow it with a search or a filter.',
    ])
    await app.asOwner('ALTER TABLE account_properties ENABLE TRIGGER USER')
  })
})

describe('exports of one user', () => {
  it('are limited to some a minute, others are not held up', async () => {
    const [busy, other] = await Promise.all([makeUser(app.system, { companyId }), makeUser(app.system, { companyId })])
    const answers = await Promise.all(Array.from({ length: 50 }, () => send(app.as(busy.id), 'accounts', {})))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(EXPORTS_PER_MINUTE)
    const refused = answers.filter(({ status }) => status === 429)
    expect(refused).toHaveLength(50 - EXPORTS_PER_MINUTE)
    expect(refused[0]?.body.message).toBe('You have exported many lists. Please try again in a minute.')
    expect(Number(refused[0]?.headers['retry-after'])).toBeGreaterThan(0)
    expect((await send(app.as(other.id), 'accounts', {})).status).toBe(200)
  })
})

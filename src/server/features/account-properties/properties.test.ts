import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from 'kysely'
import { testApp, type As, type TestApp } from '#server/testing/app.ts'
import type { PropertyRow } from '#contract/account-properties.ts'
import { makeAccount, makeProperty } from '#server/testing/factories/accounts.ts'
import { makeUser } from '#server/testing/factories/people.ts'
import { addToAccount, reconciledAccount } from '#server/testing/factories/register.ts'

let app: TestApp
let broker: As
let companyId: string
let accountId: string

beforeAll(async () => {
  app = await testApp()
  const user = await makeUser(app.system, { firstName: 'Ada', lastName: 'King' })
  broker = app.as(user.id)
  companyId = user.companyId
  accountId = (await makeAccount(app.system, { companyId })).id
})
afterAll(() => app.stop())

const URL = '/api/v1/account_properties'
const ADDRESS = { address: '12 Pier Rd', city: 'Galveston', state: 'TX', postal_code: '77550', country: 'US', currency: 'USD' }
const create = (values: object = {}) => broker.post(URL, { account_id: accountId, ...ADDRESS, ...values })
const made = async (values: object = {}): Promise<{ id: string; version: number }> => {
  const { body, status } = await create(values)
  expect(status, JSON.stringify(body)).toBe(201)
  return body.data
}
const show = async (id: string) => (await broker.get(`${URL}/${id}`)).body.data
const act = (action: string, ids: string[], input: object = { confirm: true }) =>
  broker.post(`${URL}/actions`, { action, selectedIds: ids, input })
const lastActivity = async (id: string) =>
  (await app.system.db.selectFrom('activities').select('message').where('model_id', '=', id).orderBy('id', 'desc').executeTakeFirst())
    ?.message
const runsRequested = async () =>
  (
    await sql`SELECT 1 FROM pgboss.job WHERE name = 'reconcile' AND state < 'active' AND data ->> 'accountId' = ${accountId}`.execute(
      app.system.db,
    )
  ).rows.length
const clearRuns = () => sql`DELETE FROM pgboss.job WHERE name = 'reconcile'`.execute(app.system.db)

describe('a new property', () => {
  it('gets the defaults of the fields that were not sent', async () => {
    const { id } = await made()
    const unknown = { property_type: 'unknown', sprinklered: 'unknown', valuation_basis: 'unknown' }
    expect((await show(id)).values).toMatchObject({ ...unknown, building_number: '1', building_count: 1, bi_months: 12, stories: null })
  })

  it('stores the source and the user of each sent value', async () => {
    const { id } = await made({ year_built: 1970 })
    const { sources } = await show(id)
    expect(sources.year_built).toMatchObject({ source: 'form', by: 'Ada King', ref: null })
    expect(sources.stories).toBeUndefined()
  })

  it('has the currency of the other properties, since amounts in several currencies cannot be added up', async () => {
    const { id: account } = await makeAccount(app.system, { companyId })
    const { currency: _currency, ...address } = ADDRESS
    const add = (values: object) => broker.post(URL, { account_id: account, ...address, building_value: 100, ...values })
    const { id, version } = (await add({ currency: 'EUR', location_number: '1' })).body.data
    const second = (await add({ location_number: '2' })).body.data
    expect(second.currency ?? (await show(second.id)).values.currency).toBe('EUR')
    const rejected = await add({ currency: 'USD', location_number: '3' })
    expect([rejected.status, rejected.body.errors]).toEqual([
      400,
      { currency: ['The other properties of this account are in EUR. Convert the values to it.'] },
    ])
    expect((await broker.put(`${URL}/${id}`, { version, currency: 'USD' })).status).toBe(400)
    expect((await add({ currency: 'USD', location_number: '4', building_value: null })).status).toBe(201)
  })

  it('is named by its address in the activity of the account', async () => {
    const { id } = await made()
    expect(await lastActivity(id)).toBe('Ada King added 12 Pier Rd, Galveston')
  })

  it('requests one reconciliation of its account', async () => {
    await clearRuns()
    await made()
    await made()
    expect(await runsRequested()).toBe(1)
  })

  it.each([
    ['without an address', { address: '' }, 'address'],
    ['without a state in the US', { state: null }, 'state'],
    ['with a state of another country', { state: 'ON' }, 'state'],
    ['with a malformed ZIP code', { postal_code: '7755' }, 'postal_code'],
    ['with a latitude alone', { latitude: 29.3 }, 'latitude'],
    ['at latitude 0, longitude 0', { latitude: 0, longitude: 0 }, 'latitude'],
    ['with a roof older than the building', { year_built: 1990, roof_year: 1980 }, 'roof_year'],
    ['with partial sprinklers at 100%', { sprinklered: 'partial', percent_sprinklered: 100 }, 'percent_sprinklered'],
    ['with sprinklers at 10% but none', { sprinklered: 'none', percent_sprinklered: 10 }, 'percent_sprinklered'],
    ['with an unknown flood zone', { flood_zone: 'Q' }, 'flood_zone'],
    ['with an unknown protection class', { protection_class: '11' }, 'protection_class'],
  ])('is rejected %s', async (_case, values, field) => {
    const { status, body } = await create(values)
    expect([status, Object.keys(body.errors)]).toEqual([400, [field]])
  })

  it('is rejected in an account that the viewer does not see', async () => {
    const other = await makeAccount(app.system, { companyId: (await makeUser(app.system)).companyId })
    expect((await broker.post(URL, { ...ADDRESS, account_id: other.id })).status).toBe(404)
  })

  it('cannot repeat a location and building number of an active property', async () => {
    await made({ location_number: '7', building_number: '2' })
    const { status, body } = await create({ location_number: '7', building_number: '2' })
    expect([status, Object.keys(body.errors)]).toEqual([400, ['location_number']])
    expect((await create({ location_number: '7', building_number: '3' })).status).toBe(201)
  })
})

describe('changing a property', () => {
  it('names up to three changed fields and counts the others', async () => {
    const { id } = await made({ year_built: 1970 })
    await broker.put(`${URL}/${id}`, {
      version: 1,
      year_built: 1971,
      stories: 2,
      building_value: 1_000_000,
      contents_value: 5,
      bi_value: 6,
    })
    expect(await lastActivity(id)).toMatch(/^Ada King updated 12 Pier Rd, Galveston: .*Year built 1970 to 1971.*, and 2 more$/)
  })

  it('writes nothing when no value changes', async () => {
    const { id } = await made({ year_built: 1970 })
    expect((await broker.put(`${URL}/${id}`, { version: 1, year_built: 1970 })).body.data.version).toBe(1)
    expect(await lastActivity(id)).toContain('added')
  })

  it('can keep its own location number', async () => {
    const { id } = await made({ location_number: '8' })
    expect((await broker.put(`${URL}/${id}`, { version: 1, location_number: '8', stories: 3 })).status).toBe(200)
  })

  it('cannot take the location number of another active property', async () => {
    await made({ location_number: '9' })
    const { id } = await made({ location_number: '10' })
    const { status, body } = await broker.put(`${URL}/${id}`, { version: 1, location_number: '9' })
    expect([status, Object.keys(body.errors)]).toEqual([400, ['location_number']])
  })

  it('returns a field that was emptied to its default', async () => {
    const { id } = await made({ building_number: '4', sprinklered: 'full' })
    await broker.put(`${URL}/${id}`, { version: 1, building_number: '', sprinklered: '' })
    expect((await show(id)).values).toMatchObject({ building_number: '1', sprinklered: 'unknown' })
  })

  it('answers a stale save with the stored and the sent value', async () => {
    const { id } = await made({ year_built: 1970 })
    await broker.put(`${URL}/${id}`, { version: 1, year_built: 1971 })
    const { status, body } = await broker.put(`${URL}/${id}`, { version: 1, year_built: 1972 })
    expect([status, body.data]).toEqual([
      409,
      { version: 2, changed_by: 'Ada King', current: { year_built: 1971 }, mine: { year_built: 1972 } },
    ])
  })
})

describe('divesting a property', () => {
  it('stores date and reason, and takes the property out of the totals', async () => {
    const { id } = await made({ building_value: 2_000_000 })
    const total = async () => (await broker.get(`/api/v1/accounts/${accountId}`)).body.data.tiv
    const before = await total()
    expect((await act('divest', [id], { divested_on: '2026-03-04', divested_reason: 'sold' })).status).toBe(200)
    expect(await show(id)).toMatchObject({ status: 'divested', divested_on: '2026-03-04', divested_reason: 'sold' })
    expect(before - (await total())).toBe(2_000_000)
    expect(await lastActivity(id)).toBe('Ada King marked 12 Pier Rd, Galveston as divested (sold)')
  })

  it('is rejected with a date before the acquisition date', async () => {
    const { id } = await made({ acquired_on: '2026-03-05' })
    const { status, body } = await act('divest', [id], { divested_on: '2026-03-04' })
    expect([status, Object.keys(body.errors)]).toEqual([400, ['divested_on']])
    expect((await show(id)).status).toBe('active')
    expect((await act('divest', [id], { divested_on: '2026-03-05' })).status).toBe(200)
  })

  it('frees its location number', async () => {
    const { id } = await made({ location_number: '20' })
    await act('divest', [id], { divested_on: '2026-03-04' })
    expect((await create({ location_number: '20' })).status).toBe(201)
  })

  it('does nothing to a property that is divested already', async () => {
    const { id } = await made()
    await act('divest', [id], { divested_on: '2026-03-04' })
    const again = await act('divest', [id], { divested_on: '2026-05-06' })
    expect((await show(id)).divested_on).toBe('2026-03-04')
    expect(again.body.message).toBe('1 property was already divested.')
  })

  it('counts only the properties that were active, and states how many were already divested', async () => {
    const [{ id: divested }, { id: active }] = [await made(), await made()]
    await act('divest', [divested], { divested_on: '2026-03-04' })
    const { body } = await act('divest', [divested, active], { divested_on: '2026-03-04' })
    expect(body.message).toBe('1 property marked as divested; 1 property was already divested.')
    await act('reactivate', [active])
    expect((await act('reactivate', [divested, active])).body.message).toBe('1 property reactivated; 1 property was already active.')
    expect((await act('reactivate', [divested, active])).body.message).toBe('2 properties were already active.')
  })

  it('is undone for what it changed, and not after a later change', async () => {
    const [{ id: first }, { id: second }] = [await made(), await made()]
    const undo = (ids: string[], changed: { id: string; version: number }[]) =>
      broker.post(`${URL}/actions`, {
        action: 'reactivate',
        selectedIds: ids,
        versions: Object.fromEntries(changed.map(({ id, version }) => [id, version])),
      })
    await act('divest', [first], { divested_on: '2026-03-04' })
    const { changed } = (await act('divest', [first, second], { divested_on: '2026-05-06' })).body
    expect(changed).toEqual([{ id: second, version: (await show(second)).version }])
    expect((await undo([second], changed)).body.message).toBe('1 property reactivated.')
    const again = (await act('divest', [second], { divested_on: '2026-05-06' })).body.changed
    await act('reactivate', [second])
    await act('divest', [second], { divested_on: '2026-07-08' })
    const { status, body } = await undo([second], again)
    expect([status, body.message]).toEqual([409, 'One of the properties was changed since, so nothing was undone.'])
    expect(await show(second)).toMatchObject({ status: 'divested', divested_on: '2026-07-08' })
    expect((await undo([first], again)).status).toBe(409)
    const flagged = await act('flag', [(await made()).id], { message: 'Check it' })
    expect([flagged.status, flagged.body.changed, flagged.body.message]).toEqual([200, [], '1 property was flagged.'])
  })
})

describe('reactivating a property', () => {
  it('clears date and reason', async () => {
    const { id } = await made()
    await act('divest', [id], { divested_on: '2026-03-04', divested_reason: 'sold' })
    expect((await act('reactivate', [id])).status).toBe(200)
    expect(await show(id)).toMatchObject({ status: 'active', divested_on: null, divested_reason: null, divested_note: null })
  })

  it('is rejected when another active property has its location number, and says which', async () => {
    const { id } = await made({ location_number: '30' })
    await act('divest', [id], { divested_on: '2026-03-04' })
    await made({ location_number: '30', address: '99 Wharf St' })
    const { status, body } = await act('reactivate', [id])
    expect([status, body.message]).toEqual([
      409,
      '30 12 Pier Rd, Galveston cannot be reactivated: 99 Wharf St already has its location and building number.',
    ])
    expect((await show(id)).status).toBe('divested')
  })

  it('is possible when only a building of the same location is active', async () => {
    const { id } = await made({ location_number: '31', building_number: '1' })
    await act('divest', [id], { divested_on: '2026-03-04' })
    await made({ location_number: '31', building_number: '2' })
    expect((await act('reactivate', [id])).status).toBe(200)
  })
})

describe('the trash of properties', () => {
  it('rejects restoring a property whose location number is used again', async () => {
    const { id } = await made({ location_number: '40' })
    await broker.delete(URL, { ids: [id] })
    await made({ location_number: '40' })
    expect((await broker.post(`${URL}/restore`, { ids: [id] })).status).toBe(409)
  })

  it('restores a divested property although its number is used again', async () => {
    const { id } = await made({ location_number: '41' })
    await act('divest', [id], { divested_on: '2026-03-04' })
    await broker.delete(URL, { ids: [id] })
    await made({ location_number: '41' })
    expect((await broker.post(`${URL}/restore`, { ids: [id] })).status).toBe(200)
  })

  it('hides trashed properties from their own address', async () => {
    const { id } = await made()
    await broker.delete(URL, { ids: [id] })
    expect((await broker.get(`${URL}/${id}`)).status).toBe(404)
    expect((await broker.put(`${URL}/${id}`, { version: 1, stories: 1 })).status).toBe(404)
  })

  it('writes one activity line with the number for several properties', async () => {
    const ids = [(await made()).id, (await made()).id, (await made()).id]
    const lines = async () =>
      (await app.system.db.selectFrom('activities').select('message').where('model_id', 'in', ids).orderBy('id').execute()).slice(
        ids.length,
      )
    await broker.delete(URL, { ids })
    await broker.post(`${URL}/restore`, { ids })
    expect(await lines()).toEqual([{ message: 'Ada King deleted 3 properties' }, { message: 'Ada King restored 3 properties' }])
  })

  it('requests a reconciliation when a property is trashed or restored', async () => {
    const { id } = await made()
    await clearRuns()
    await broker.delete(URL, { ids: [id] })
    expect(await runsRequested()).toBe(1)
    await clearRuns()
    await broker.post(`${URL}/restore`, { ids: [id] })
    expect(await runsRequested()).toBe(1)
  })
})

describe('a viewer without permission to change properties', () => {
  it('sees the property and can neither change, divest nor delete it', async () => {
    const carrier = await makeUser(app.system, { role: 'carrier' })
    const shared = await makeAccount(app.system, { companyId, carrierCompanyId: carrier.companyId })
    const { id } = (await broker.post(URL, { account_id: shared.id, ...ADDRESS })).body.data
    const as = app.as(carrier.id)
    expect((await as.get(`${URL}/${id}`)).body.data.accessible_features).toEqual({ update: false, delete: false, divest: false })
    expect((await as.put(`${URL}/${id}`, { version: 1, stories: 1 })).status).toBe(403)
    expect((await as.post(`${URL}/actions`, { action: 'divest', selectedIds: [id], input: { divested_on: '2026-03-04' } })).status).toBe(
      403,
    )
    expect((await as.delete(URL, { ids: [id] })).status).toBe(403)
  })
})

describe('score and discrepancies', () => {
  const faults = async (role: 'broker' | 'share_guest') => {
    const account = await reconciledAccount(app, companyId, [{ year_built: null }])
    const user = await makeUser(app.system, { role, ...(role === 'broker' ? { companyId } : {}) })
    await addToAccount(app, account, user.id)
    const call = app.as(user.id)
    const [listed] = (await call.get(`${URL}?filter__account_id=${account}`)).body.data
    const { findings, quality_score } = (await call.get(`${URL}/${listed.id}`)).body.data
    return { call, listed, shown: { findings, quality_score } }
  }

  it('are sent to viewers who can see them', async () => {
    const { listed, shown } = await faults('broker')
    expect(shown).toEqual({ findings: [expect.objectContaining({ check_id: 'DQ-04' })], quality_score: expect.any(Number) })
    expect(listed).toMatchObject({ discrepancies: { value: 1 }, quality_score: { value: shown.quality_score } })
  })

  it('are unknown, not none, before the first check, also in exports', async () => {
    const user = await makeUser(app.system, { companyId })
    const { id: account } = await makeAccount(app.system, { companyId })
    await makeProperty(app.system, account)
    const call = app.as(user.id)
    const filters = { filter__account_id: account }
    const [listed] = (await call.get(`${URL}?${new URLSearchParams(filters)}`)).body.data
    expect(listed).toMatchObject({ discrepancies: { value: null, text: '' }, quality_score: { value: null } })
    const columns = ['location_number', 'quality_score', 'discrepancies']
    const body = { model: 'account_properties', action: 'export_csv', handle: 'blob', input: 'all', columns, filters }
    const { raw } = await call.post(`${URL}/actions`, body)
    expect(raw.toString().split('\r\n')[1]).toMatch(/^[^,]+,1,,$/)
  })

  it('are null, not none, for viewers who cannot see them, whose list has no columns for them', async () => {
    const { call, listed, shown } = await faults('share_guest')
    expect(shown).toEqual({ findings: null, quality_score: null })
    expect(listed).toMatchObject({ findings: null, discrepancies: { value: null, text: '' }, quality_score: { value: null, text: '' } })
    const columns: { src: string; default: boolean }[] = (await call.get(`${URL}/columns`)).body.data
    expect(columns.filter(({ default: isShown }) => isShown).map(({ src }) => src)).not.toContain('discrepancies')
    expect(columns.filter(({ src }) => src === 'quality_score' || src === 'discrepancies')).toEqual([])
  })

  it('do not decide the order for viewers who cannot see them, and properties without a score are last', async () => {
    const { call, listed } = await faults('share_guest')
    const { db } = app.system
    await db.deleteFrom('account_properties').where('id', '=', listed.id).execute()
    for (const [property_name, quality_score] of Object.entries({ low: 20, none: null, high: 90 })) {
      const { id } = await makeProperty(app.system, listed.account_id, { property_name })
      await db.updateTable('account_properties').set({ quality_score }).where('id', '=', id).execute()
    }
    const sorted = async (as: typeof call, order: string) => {
      const { body } = await as.get(`${URL}?filter__account_id=${listed.account_id}&sort=quality_score&order=${order}`)
      return body.data.map((row: PropertyRow) => row.property_name.text)
    }
    expect([await sorted(call, 'asc'), await sorted(call, 'desc')]).toEqual([
      ['low', 'none', 'high'],
      ['high', 'none', 'low'],
    ])
    expect([await sorted(broker, 'asc'), await sorted(broker, 'desc')]).toEqual([
      ['low', 'high', 'none'],
      ['high', 'low', 'none'],
    ])
  })
})

describe('the usual columns of the list', () => {
  it('begin with the location number and have the values in view', async () => {
    const columns: { src: string; default: boolean; width: number }[] = (await broker.get(`${URL}/columns`)).body.data
    const usual = columns.filter(({ default: isShown }) => isShown)
    const names = usual.map(({ src }) => src)
    expect(names.slice(0, 2)).toEqual(['location_number', 'address'])
    const end = names.indexOf('tiv')
    expect(names.slice(end - 3, end)).toEqual(['building_value', 'contents_value', 'bi_value'])
    const widthOf = (shown: typeof usual) => shown.reduce((sum, { width }) => sum + width, 0)
    // A window 1024 pixels wide leaves 760 for the table, one of 1440 pixels 1,176.
    expect(widthOf(usual.slice(0, end + 1))).toBeLessThanOrEqual(760)
    expect(widthOf(usual)).toBeLessThanOrEqual(1_176)
  })
})

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql, type Insertable, type RawBuilder } from 'kysely'
import type { DefaultRole } from '#contract/default-roles.ts'
import type { Cell } from '#contract/datatable.ts'
import type { Metric } from '#contract/metrics.ts'
import type { AccountProperties } from '#server/db/schema.gen.ts'
import { transact } from '#server/engines/transaction/transact.ts'
import { emit } from '#server/engines/transaction/changes.ts'
import { testApp, type As, type TestApp } from '#server/testing/app.ts'
import { makeCompany, makeUser } from '#server/testing/factories/people.ts'
import { requestReconciliation } from '#server/features/reconciliation/reconciliation.commands.ts'
import { addToAccount, reconcile, reconciledAccount } from '#server/testing/factories/register.ts'

let app: TestApp
beforeAll(async () => {
  app = await testApp()
})
afterAll(() => app.stop())

type Changes = Partial<Insertable<AccountProperties>>
async function scene(properties: readonly Changes[], role: DefaultRole = 'broker') {
  const company = await makeCompany(app.system)
  const user = await makeUser(app.system, { role, companyId: company.id })
  const accountId = await reconciledAccount(app, company.id, properties)
  await addToAccount(app, accountId, user.id)
  return { user, accountId, company, call: app.as(user.id) }
}
const read = async (call: As, path: string): Promise<Metric> => (await call.get(`/api/v1/metrics/${path}`)).body.data
const linkedTotal = async (call: As, { model, filters }: { model: string; filters: Record<string, string> }): Promise<number> =>
  (await call.get(`/api/v1/${model}?${new URLSearchParams(filters)}`)).body.meta.total

const FAULTS: readonly Changes[] = [
  ...Array.from({ length: 9 }, () => ({})),
  { year_built: null, construction_class: null },
  { postal_code: '90210' },
  { latitude: null, longitude: null },
  { valuation_date: '2019-01-01' },
  { valuation_basis: 'acv' },
  { building_value: 900_000, floor_area: 50_000, stories: 2 },
  { stated_tiv: 5 },
  { building_value: null, contents_value: null, bi_value: null },
  { address: '1 Elm St', address_key: '1|ELM ST||75201' },
  { address: '1 Elm Street', address_key: '1|ELM ST||75201' },
  { year_built: null, status: 'divested', divested_on: '2026-01-01' },
  { year_built: null, deleted_at: new Date() },
]

/** Properties with several findings of one check, one of which is divested after the run. */
const SEVERAL: readonly Changes[] = [
  ...Array.from({ length: 9 }, () => ({})),
  { stories: null, floor_area: null },
  { stories: null, floor_area: null, postal_code: null, address: 'Elm Street' },
  { address: 'TBD', city: 'Unknown', postal_code: null, year_built: null },
  { stories: null, floor_area: null, property_name: 'Sold after the run' },
]

/** Findings that most properties share, and few others. */
const SHARED: readonly Changes[] = [
  ...Array.from({ length: 9 }, () => ({ sprinklered: 'unknown', valuation_date: null })),
  { sprinklered: 'unknown', year_built: null },
]

describe('the reconciliation metric', () => {
  it('counts in each statistic exactly the rows of the list it opens', async () => {
    const { call, accountId } = await scene(FAULTS)
    const metric = await read(call, `accounts/${accountId}/reconciliation`)
    expect(metric.statistics.map(({ key }) => key)).toEqual([
      'score',
      'discrepancies',
      'critical',
      'incomplete',
      'location',
      'values',
      'possible_duplicate',
      'valuation',
    ])
    for (const { key, count, action } of metric.statistics.filter(({ key }) => key !== 'score')) {
      expect(count, key).toBeGreaterThan(0)
      expect(action && (await linkedTotal(call, action)), key).toBe(count)
    }
  })

  it.each([
    ['with findings of many checks', FAULTS],
    ['with several findings of one check on a property', SEVERAL],
    ['with findings that most properties share', SHARED],
  ])('has only counts that open as many rows, in a register %s', async (_name, properties) => {
    const { call, accountId } = await scene(properties)
    await app.system.db
      .updateTable('account_properties')
      .set({ status: 'divested', divested_on: '2026-01-01' })
      .where('account_id', '=', accountId)
      .where('property_name', '=', 'Sold after the run')
      .execute()
    const { counts, statistics, total } = await read(call, `accounts/${accountId}/reconciliation?force=1`)
    expect(counts.length).toBeGreaterThan(2)
    for (const { id, count, findings, action, findings_action } of counts) {
      expect(action && (await linkedTotal(call, action)), `properties of ${id}`).toBe(count)
      expect(findings_action && (await linkedTotal(call, findings_action)), `findings of ${id}`).toBe(findings)
    }
    expect(counts.reduce((sum, { findings = 0 }) => sum + findings, 0)).toBe(total)
    for (const { key, count, action } of statistics.filter(({ key }) => key !== 'score'))
      expect(action === null ? 0 : await linkedTotal(call, action), key).toBe(count)
    const open = { filter__account_id: accountId, filter__status: 'open', filter__property_status: 'active' }
    expect(await linkedTotal(call, { model: 'discrepancies', filters: open })).toBe(total)
  })

  it('calls the register reconciled only while a finished run has read its present values', async () => {
    const { call, accountId } = await scene(Array.from({ length: 9 }, () => ({})))
    const metric = () => read(call, `accounts/${accountId}/reconciliation`)
    const good = { empty: 'Everything is reconciled.', is_current: true, as_of: expect.any(String), icon: { icon: 'check', type: 'good' } }
    expect(await metric()).toMatchObject(good)
    await transact(app.system, (tx) => requestReconciliation(tx, accountId, 'document'))
    expect(await metric()).toMatchObject({
      empty: 'The properties have changed since the last check.',
      is_current: false,
      as_of: expect.any(String),
      icon: { icon: 'alert', type: 'info' },
    })
    await app.system.db.deleteFrom('check_states').where('account_id', '=', accountId).execute()
    expect(await read(call, `accounts/${accountId}/reconciliation?force=1`)).toMatchObject({
      empty: 'The properties have not been checked yet.',
      is_current: false,
      as_of: null,
    })
    await reconcile(app, accountId)
    expect(await metric()).toMatchObject(good)
  })

  it('counts the properties of a check, with its findings, the critical ones and the value at stake', async () => {
    const { call, accountId } = await scene([
      ...Array.from({ length: 9 }, () => ({})),
      { stories: null, floor_area: null, building_value: 3_000_000, contents_value: 0, bi_value: 0 },
      { stories: null, building_value: 2_000_000, floor_area: 10_000, contents_value: 0, bi_value: 0, postal_code: '90210' },
      { building_value: null, contents_value: null, bi_value: null },
    ])
    const { counts, statistics } = await read(call, `accounts/${accountId}/reconciliation`)
    const dq05 = { count: 2, findings: 3, critical: 0, severity: 'warning', value_at_stake: 5_000_000, share: 2 / 12, sentence: null }
    expect(counts.find(({ id }) => id === 'DQ-05')).toMatchObject(dq05)
    expect(counts.find(({ id }) => id === 'DQ-02')).toMatchObject({ count: 1, findings: 1, critical: 1, value_at_stake: 2_000_000 })
    expect(counts.find(({ id }) => id === 'DQ-10')).toMatchObject({ count: 1, critical: 1, value_at_stake: null })
    expect(statistics.find(({ key }) => key === 'incomplete')).toMatchObject({
      count: 3,
      display_count: '3 (4 discrepancies)',
      findings: 4,
      critical: 1,
      value_at_stake: 5_000_000,
    })
  })

  it('makes one sentence of a check that hits most properties, which counts in no group and for no property, row or marker', async () => {
    const { call, accountId } = await scene(SHARED)
    const { counts, statistics } = await read(call, `accounts/${accountId}/reconciliation`)
    expect(counts.find(({ id }) => id === 'DQ-07')).toMatchObject({
      count: 10,
      sentence: 'Sprinkler protection is missing on all 10 properties: ask for one column',
    })
    expect(counts.find(({ id }) => id === 'DQ-15')?.sentence).toBe('The valuation date is missing on 9 of 10 properties: ask for one date')
    expect(counts.find(({ id }) => id === 'DQ-04')).toMatchObject({ count: 1, sentence: null })
    expect(statistics.find(({ key }) => key === 'incomplete')).toMatchObject({ count: 1, findings: 1 })
    expect(statistics.find(({ key }) => key === 'valuation')).toBeUndefined()
    expect(statistics.find(({ key }) => key === 'discrepancies')).toMatchObject({ count: 1, findings: 1, display_count: '1 (1 open)' })
    const list = `/api/v1/account_properties?filter__account_id=${accountId}&paginate=100`
    const rows = async (filter = ''): Promise<{ discrepancies: Cell }[]> => (await call.get(`${list}${filter}`)).body.data
    expect((await rows()).filter(({ discrepancies }) => discrepancies.value !== 0).length).toBe(1)
    expect([(await rows('&filter__has_discrepancy=1')).length, (await rows('&filter__has_discrepancy=0')).length]).toEqual([1, 9])
    expect((await call.get(`/api/v1/account_properties/${accountId}/map`)).raw.toString().match(/Open Discrepancies/g)?.length).toBe(1)
    await app.system.db.updateTable('account_totals').set({ active_properties: 12 }).where('account_id', '=', accountId).execute()
    const later = await read(call, `accounts/${accountId}/reconciliation?force=1`)
    expect(later.counts.find(({ id }) => id === 'DQ-07')?.sentence).toContain('is missing on most properties')
  })

  it('has the score of the newest run, limited and explained while values are missing', async () => {
    const { call, accountId } = await scene([...Array.from({ length: 9 }, () => ({})), { building_value: null }])
    const [score] = (await read(call, `accounts/${accountId}/reconciliation`)).statistics
    const run = await app.system.db
      .selectFrom('reconciliation_runs')
      .select(['account_score', 'uncapped_score', 'properties', 'without_value'])
      .where('account_id', '=', accountId)
      .executeTakeFirstOrThrow()
    expect(run).toMatchObject({ account_score: 69, properties: 10, without_value: 1 })
    expect(run.uncapped_score).toBeGreaterThan(80)
    expect(score).toMatchObject({
      count: 69,
      display_count: '69 (D)',
      severity: 'warning',
      note: `Limited to 69 (D) because a value is missing on 1 of 10 properties. Without this limit the score is ${run.uncapped_score}.`,
    })
  })

  it('contains the score with its grade, which opens the properties with the worst first', async () => {
    const { call, accountId } = await scene(FAULTS)
    const [score] = (await read(call, `accounts/${accountId}/reconciliation`)).statistics
    expect(score).toMatchObject({
      key: 'score',
      display_count: expect.stringMatching(/^\d+ \([A-F]\)$/),
      action: { model: 'account_properties', search: '', sort: 'quality_score', order: 'asc' },
    })
  })

  it('counts a property once in a group and shows the number of open discrepancies', async () => {
    const { call, accountId } = await scene([
      ...Array.from({ length: 8 }, () => ({})),
      { year_built: null, construction_class: null, stories: null },
    ])
    const { statistics } = await read(call, `accounts/${accountId}/reconciliation`)
    expect(statistics.find(({ key }) => key === 'incomplete')).toMatchObject({ count: 1, severity: 'warning' })
    expect(statistics.find(({ key }) => key === 'discrepancies')).toMatchObject({ count: 1, display_count: '1 (3 open)' })
    expect(statistics.find(({ key }) => key === 'critical')).toMatchObject({ count: 0, severity: 'none', action: null })
  })

  it('contains only the score if everything is reconciled, and no statistic without properties', async () => {
    const clean = await scene(Array.from({ length: 8 }, () => ({})))
    const reconciled = { total: 0, empty: 'Everything is reconciled.', statistics: [{ key: 'score' }] }
    expect(await read(clean.call, `accounts/${clean.accountId}/reconciliation`)).toMatchObject(reconciled)
    const empty = await scene([])
    const none = { total: 0, empty: 'No properties exist on this account.', statistics: [] }
    expect(await read(empty.call, `accounts/${empty.accountId}/reconciliation`)).toMatchObject(none)
  })

  it('has counts without links and values for viewers who cannot open the list', async () => {
    const { call, accountId } = await scene(FAULTS)
    const setPermissions = (permissions: RawBuilder<string[]>) =>
      transact(app.system, (tx) => tx.db.updateTable('roles').set({ permissions }).where('name', '=', 'broker').execute())
    await setPermissions(sql`array_remove(permissions, 'view_account_properties')`)
    const { statistics, counts } = await read(call, `accounts/${accountId}/reconciliation`)
    await setPermissions(sql`array_append(permissions, 'view_account_properties')`)
    expect(statistics.find(({ key }) => key === 'critical')?.count).toBeGreaterThan(0)
    expect([...statistics, ...counts].filter((one) => one.action !== null || one.value_at_stake)).toEqual([])
  })

  it('is forbidden to share-link visitors and not found by another company', async () => {
    const { call, accountId } = await scene(FAULTS, 'share_guest')
    expect((await call.get(`/api/v1/metrics/accounts/${accountId}/reconciliation`)).status).toBe(403)
    const stranger = app.as((await makeUser(app.system)).id)
    for (const name of ['reconciliation', 'property-types', 'property-locations'])
      expect((await stranger.get(`/api/v1/metrics/accounts/${accountId}/${name}`)).status, name).toBe(404)
  })
})

describe('the property types metric', () => {
  const types = ['office', 'retail', 'warehouse', 'education', 'hospitality', 'industrial', 'parking', 'tech', 'utility'] as const

  it('has the seven largest types, the rest as one, and properties without a type last', async () => {
    const properties = types.flatMap((property_type, index) => Array.from({ length: 10 - index }, () => ({ property_type })))
    const { call, accountId } = await scene([
      ...properties,
      { property_type: 'unknown' },
      { property_type: 'office', status: 'divested', divested_on: '2026-01-01' },
    ])
    const metric = await read(call, `accounts/${accountId}/property-types`)
    expect(metric.chart.labels).toEqual([
      'Office',
      'Retail',
      'Warehouse / distribution',
      'Education',
      'Hotel / lodging',
      'Manufacturing',
      'Parking',
      'Other types (2)',
      'Not stated',
    ])
    expect(metric.chart.datasets[0]?.data).toEqual([10, 9, 8, 7, 6, 5, 4, 5, 1])
    expect(metric.total).toBe(55)
    expect(metric.counts[0]).toMatchObject({ id: 'office', name: 'Office', count: 10, tiv: expect.any(Number) })
    for (const { name, count, action } of metric.counts) expect(action && (await linkedTotal(call, action)), name).toBe(count)
  })

  it('has an empty chart if no property has a type', async () => {
    const { call, accountId } = await scene([{ property_type: 'unknown' }])
    expect(await read(call, `accounts/${accountId}/property-types`)).toMatchObject({
      total: 0,
      empty: 'Not enough data to render chart.',
      chart: { labels: [] },
    })
  })
})

describe('the property locations metric', () => {
  const labels = async (properties: readonly Changes[]) => {
    const { call, accountId } = await scene(properties)
    const metric = await read(call, `accounts/${accountId}/property-locations`)
    for (const { name, count, action } of metric.counts) if (action) expect(await linkedTotal(call, action), name).toBe(count)
    return metric.chart.labels
  }
  it('groups by state inside one country', async () => {
    expect(await labels([{ state: 'CA' }, { state: 'CA' }, { state: 'TX' }, { state: null }])).toEqual([
      'California',
      'Texas',
      'Not stated',
    ])
    expect(await labels([{ state: 'CA' }, { state: null }])).toEqual(['California', 'Not stated'])
  })
  it('groups by country if fewer than nine in ten properties are in one', async () => {
    expect(await labels([{}, {}, {}, { country: 'CA', state: 'ON' }])).toEqual(['United States', 'Canada'])
  })
  it('groups by county inside one state, and by city if no county is stated', async () => {
    expect(await labels([{ county: 'Dallas County' }, { county: 'Dallas County' }, { county: null }])).toEqual([
      'Dallas County',
      'Not stated',
    ])
    expect(await labels([{ city: 'Austin' }, { city: 'Austin' }, { city: 'Dallas' }])).toEqual(['Austin', 'Dallas'])
  })
})

describe('the dashboard metrics', () => {
  it('count the viewer’s accounts by status in the colors of the statuses', async () => {
    const { call, accountId, company } = await scene([])
    const { id, color } = await app.system.db
      .selectFrom('statuses')
      .select(['id', 'color'])
      .where('company_id', '=', company.id)
      .where('name', '=', 'Bound')
      .executeTakeFirstOrThrow()
    await app.system.db.updateTable('accounts').set({ status_id: id }).where('id', '=', accountId).execute()
    await reconciledAccount(app, company.id, [])
    const metric = await read(call, 'accounts/summary')
    expect(metric).toMatchObject({
      total: 2,
      chart: { labels: ['Bound', 'No status'], datasets: [{ data: [1, 1], backgroundColor: [color, expect.any(String)] }] },
    })
    const bound = metric.counts.find(({ name }) => name === 'Bound')
    expect(bound?.action && (await linkedTotal(call, bound.action))).toBe(1)
  })

  it('count what the viewer sees under the name of the company', async () => {
    const { call, company } = await scene([{}, {}, { status: 'divested', divested_on: '2026-01-01' }])
    const metric = await read(call, 'init/summary')
    expect(metric.title).toBe(company.name)
    expect(metric.statistics.map(({ key, count }) => `${key} ${count}`)).toEqual([
      'accounts 1',
      'properties 2',
      expect.stringMatching(/^tiv [1-9]/),
      'documents 0',
      'users 1',
    ])
  })
})

describe('a cached metric', () => {
  const retype = (accountId: string) =>
    app.system.db.updateTable('account_properties').set({ property_type: 'retail' }).where('account_id', '=', accountId).execute()

  it('is computed again only after a change or with force', async () => {
    const { call, accountId } = await scene([{}])
    const path = `accounts/${accountId}/property-types`
    expect((await read(call, path)).chart.labels).toEqual(['Office'])
    await retype(accountId)
    expect((await read(call, path)).chart.labels).toEqual(['Office'])
    expect((await read(call, `${path}?force=1`)).chart.labels).toEqual(['Retail'])
    await app.system.db.updateTable('account_properties').set({ property_type: 'tech' }).where('account_id', '=', accountId).execute()
    await transact(app.system, async (tx) => emit(tx, { model: 'account_properties', id: null, inAccount: accountId }))
    expect((await read(call, path)).chart.labels).toEqual(['Data center / high tech'])
  })

  it('is computed again at once after the viewer loses an account', async () => {
    const [{ accountId }, { user, call }] = [await scene([{}]), await scene([{}])]
    await addToAccount(app, accountId, user.id)
    const totals = async () => [(await read(call, 'accounts/summary')).total, (await read(call, 'init/summary')).total]
    expect(await totals()).toEqual([2, 2])
    await app.system.db.deleteFrom('account_users').where('account_id', '=', accountId).where('user_id', '=', user.id).execute()
    expect(await totals()).toEqual([1, 1])
  })
})

describe('the map of an account', () => {
  it('marks active properties with a position and counts the others', async () => {
    const { call, accountId } = await scene([
      { property_name: 'Tower', address: '1 Elm St', latitude: 32.5, longitude: -97, geocode_level: '8', stories: null, year_built: 1999 },
      { latitude: null, longitude: null },
      { status: 'divested', divested_on: '2026-01-01' },
    ])
    const { data } = (await call.get(`/api/v1/account_properties/${accountId}/map`)).body
    expect(data.markers).toMatchObject([
      { position: { lat: 32.5, lng: -97 }, info: { property_name: 'Tower', address: '1 Elm St', address_2: '' } },
    ])
    const meta = Object.fromEntries(data.markers[0].info.meta.map(({ label, value }: { label: string; value: string }) => [label, value]))
    expect(meta).toMatchObject({
      'Property Type': 'Office',
      'Year Built': '1999',
      TIV: expect.stringMatching(/^\$/),
      'Data Quality': expect.any(String),
      'Open Discrepancies': expect.any(String),
    })
    expect(meta).not.toHaveProperty('Stories')
    expect(data.missing).toMatchObject({ count: 1, text: '1 property is not on the map' })
    expect(await linkedTotal(call, data.missing.action)).toBe(1)
  })

  it('hides score and findings from share-link visitors, and everything from another company', async () => {
    const { call, accountId } = await scene([{ stories: null }], 'share_guest')
    const { data } = (await call.get(`/api/v1/account_properties/${accountId}/map`)).body
    const labels = data.markers[0].info.meta.map(({ label }: { label: string }) => label)
    expect(labels).toContain('Property Type')
    expect(labels).not.toContain('Data Quality')
    expect(labels).not.toContain('Open Discrepancies')
    const stranger = app.as((await makeUser(app.system)).id)
    expect((await stranger.get(`/api/v1/account_properties/${accountId}/map`)).status).toBe(404)
  })
})

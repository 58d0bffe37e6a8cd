import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Metric } from '#contract/metrics.ts'
import { transact } from '#server/engines/transaction/transact.ts'
import { requestReconciliation } from '#server/features/reconciliation/reconciliation.commands.ts'
import { testApp, type As, type TestApp } from '#server/testing/app.ts'
import { makeCompany, makeUser } from '#server/testing/factories/people.ts'
import { reconciledAccount } from '#server/testing/factories/register.ts'

let app: TestApp
beforeAll(async () => {
  app = await testApp()
})
afterAll(() => app.stop())

const read = async (call: As): Promise<Metric> => (await call.get('/api/v1/metrics/accounts/fixes?force=1')).body.data
const listedTotal = async (call: As, { model, filters }: { model: string; filters: Record<string, string> }): Promise<number> =>
  (await call.get(`/api/v1/${model}?${new URLSearchParams(filters)}`)).body.meta.total

async function broker() {
  const company = await makeCompany(app.system)
  const user = await makeUser(app.system, { role: 'broker', companyId: company.id })
  return { company, call: app.as(user.id) }
}
const worth = (building_value: number) => ({ building_value, contents_value: null, bi_value: null })
const SOUND = Array.from({ length: 9 }, () => ({}))
/** Two properties with one construction text, a pair of duplicates, and a size that is missing. */
const FAULTS = [
  ...SOUND,
  { ...worth(20_000_000), construction_class: null, construction_original: 'Masonry?' },
  { ...worth(18_000_000), construction_class: null, construction_original: 'Masonry?' },
  { ...worth(12_000_000), stories: null },
]
const rowsOf = ({ counts }: Metric) => counts.map(({ name, count, value_at_stake, fix }) => [name, count, value_at_stake, fix?.answers])

it('fixes are ordered by value at stake, and each row counts exactly the properties that it opens', async () => {
  const { company, call } = await broker()
  await reconciledAccount(app, company.id, FAULTS)
  await reconciledAccount(
    app,
    company.id,
    [...SOUND, worth(15_000_000)].map((values) => ({ ...values, sprinklered: 'unknown' as const })),
  )
  const metric = await read(call)
  expect(rowsOf(metric)[0]).toEqual(['Ask for the sprinkler column', 10, expect.any(Number), 1])
  expect(rowsOf(metric).slice(1)).toEqual([
    ['Classify 1 construction code', 2, 38_000_000, 1],
    ['Find 1 building size', 1, 12_000_000, 1],
  ])
  for (const { count, action, name } of metric.counts) expect(action && (await listedTotal(call, action)), name).toBe(count)
})

const UNDATED = { valuation_date: null }
const OLD = { valuation_date: '2019-01-01' }
const UNKNOWN = { valuation_basis: 'unknown' } as const
const half = (some: object, others: object) => Array.from({ length: 10 }, (_, at) => (at < 5 ? some : others))
it.each([
  ['Give the values a date', half(UNDATED, UNDATED)],
  ['Ask for current values', half(OLD, UNDATED)],
  ['Confirm the basis of the values', half(UNKNOWN, UNKNOWN)],
  ['Ask for date and basis of the values', half(OLD, UNKNOWN)],
  ['Confirm date and basis of 2 values', [...SOUND, UNDATED, UNKNOWN]],
])('“%s” says what the valuations lack', async (text, properties) => {
  const { company, call } = await broker()
  await reconciledAccount(app, company.id, properties)
  expect((await read(call)).counts.map(({ name }) => name)).toEqual([text])
})

it('a decision takes its discrepancy out of the fixes at once', async () => {
  const { company, call } = await broker()
  const accountId = await reconciledAccount(app, company.id, FAULTS)
  await app.system.db
    .updateTable('discrepancies')
    .set({ status: 'kept' })
    .where('account_id', '=', accountId)
    .where('check_id', '=', 'DQ-03')
    .execute()
  expect(rowsOf(await read(call))).toEqual([['Find 1 building size', 1, 12_000_000, 1]])
})

it('values in several currencies are not compared: the currency of most accounts comes first, and each has a row', async () => {
  const { company, call } = await broker()
  const yen = { currency: 'JPY', stories: null, floor_area: null } as const
  await reconciledAccount(app, company.id, [...SOUND.map(() => ({ currency: 'JPY' })), { ...worth(900_000_000), ...yen }])
  const currencies = async () => (await read(call)).counts.map(({ fix }) => fix?.currency)
  for (let account = 1; account <= 2; account += 1) await reconciledAccount(app, company.id, FAULTS)
  expect(new Set((await currencies()).slice(0, 4))).toEqual(new Set(['USD']))
  expect((await currencies())[4]).toBe('JPY')
  for (let account = 3; account <= 5; account += 1) await reconciledAccount(app, company.id, FAULTS)
  // Ten rows in US dollars leave room for one in yen.
  expect(await currencies()).toEqual([...Array.from({ length: 6 }, () => 'USD'), 'JPY'])
})

it('accounts that are out of date, closed or not visible have no fixes', async () => {
  const { company, call } = await broker()
  const accountId = await reconciledAccount(app, company.id, FAULTS)
  const stranger = await broker()
  expect((await read(stranger.call)).counts).toEqual([])
  expect((await read(call)).counts).toHaveLength(2)
  await transact(app.system, (tx) => requestReconciliation(tx, accountId, 'document'))
  expect((await read(call)).counts).toEqual([])
  await sql`UPDATE check_states SET checked = requested WHERE account_id = ${accountId}`.execute(app.system.db)
  expect((await read(call)).counts).toHaveLength(2)
  await app.system.db
    .updateTable('accounts')
    .set({ status_id: sql`(SELECT id FROM statuses WHERE company_id = ${company.id} AND name = 'Bound')` })
    .where('id', '=', accountId)
    .execute()
  expect((await read(call)).counts).toEqual([])
})

it('users who do not see discrepancies get no fixes', async () => {
  const { company, call } = await broker()
  await reconciledAccount(app, company.id, FAULTS)
  expect((await read(call)).counts).toHaveLength(2)
  const { id } = await makeUser(app.system, { role: 'broker', companyId: company.id })
  const role = await app.system.db
    .insertInto('roles')
    .values({
      name: 'no_reconciliation',
      label: 'No reconciliation',
      permissions: ['view_dashboard_account_datatable', 'view_accounts_component', 'resolve_discrepancies'],
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await app.system.db.updateTable('user_roles').set({ role_id: role.id }).where('user_id', '=', id).execute()
  expect((await read(app.as(id))).counts).toEqual([])
})

it('says which accounts are checked when nothing is to be fixed', async () => {
  const { company, call } = await broker()
  expect((await read(call)).empty).toBe('No account has properties yet.')
  const first = await reconciledAccount(app, company.id, SOUND)
  expect((await read(call)).empty).toBe('Nothing to fix in the account that is checked.')
  const second = await reconciledAccount(app, company.id, SOUND)
  const request = (accountId: string) => transact(app.system, (tx) => requestReconciliation(tx, accountId, 'button'))
  await request(second)
  expect((await read(call)).empty).toBe('Nothing to fix in the account that is checked. 1 account waits to be checked.')
  await request(first)
  expect((await read(call)).empty).toBe('Not known yet: 2 accounts wait to be checked.')
})

it('fixes are for those who resolve discrepancies, not for carriers', async () => {
  const carrier = app.as((await makeUser(app.system, { role: 'carrier' })).id)
  expect((await carrier.get('/api/v1/metrics/accounts/fixes')).status).toBe(403)
})

import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { MODELS, MODEL_NAMES, type Model } from '#contract/models.ts'
import { seedScale } from '#server/features/setup/scale/scale.ts'
import { testApp, type As, type TestApp } from '#server/testing/app.ts'
import { makeUser } from '#server/testing/factories/people.ts'

/**
 * Reads the plans of every list at the size of a large installation. The tables have a small part of the rows, and the statistics of all of
 * them: the planner then chooses as it does for the large tables.
 */
const ROWS: Readonly<Record<string, number>> = {
  account_properties: 1_000_000,
  search_entries: 1_200_000,
  account_files: 100_000,
  account_file_properties: 150_000,
  discrepancies: 400_000,
  account_views: 200_000,
  flags: 50_000,
  accounts: 20_000,
  account_totals: 20_000,
  account_access: 30_000,
  users: 5_000,
  user_roles: 5_000,
}
const ACCOUNTS = 400

let app: TestApp
let broker: As
let administrator: As
let account: string
const lists = (who: string) => ({ as: who === 'broker' ? broker : administrator, path: (model: Model) => pathOf(model, account) })

beforeAll(async () => {
  app = await testApp()
  const part = { companies: 100, usersPerCompany: 5, accounts: ACCOUNTS, properties: 20_000, files: 4_000 }
  await seedScale(app.system, { ...part, passwordHash: '', exclusive: false }, () => undefined)
  await fillRelated()
  await growStatistics()
  const { db } = app.system
  const user = await db
    .selectFrom('users')
    .select(['id', 'company_id'])
    .where('email', '=', 'user1@scale.example')
    .executeTakeFirstOrThrow()
  const ofCompany = db.selectFrom('accounts').innerJoin('account_totals as t', 't.account_id', 'accounts.id').select('id')
  account = (await ofCompany.where('company_id', '=', user.company_id).orderBy('t.active_properties').executeTakeFirstOrThrow()).id
  broker = app.as(user.id)
  administrator = app.as((await makeUser(app.system, { role: 'admin' })).id)
}, 120_000)
afterAll(() => app.stop())

/** Records of an account are listed in their account. */
const pathOf = (model: Model, account: string) =>
  `/api/v1/${model}?${MODELS[model].visibility === 'account' && model !== 'accounts' ? `filter__account_id=${account}&` : ''}`

/** A discrepancy for two in five properties, a flag for one in five, a property for each document, and accounts that users have opened. */
async function fillRelated(): Promise<void> {
  await app.asOwner(`INSERT INTO discrepancies (account_id, property_id, check_id, group_name, field, severity, message, fingerprint, status)
    SELECT account_id, id, 'DQ-02', 'data_quality', 'year_built', 'warning', 'No year', id::text, 'open' FROM account_properties
      WHERE hashtext(id::text) % 5 IN (0, 1)`)
  await app.asOwner(`INSERT INTO account_file_properties (account_id, file_id, property_id)
    SELECT f.account_id, f.id, p.id FROM account_files f
      CROSS JOIN LATERAL (SELECT id FROM account_properties p WHERE p.account_id = f.account_id LIMIT 1) p`)
  await app.asOwner(`INSERT INTO flags (account_id, property_id, reason, message, created_at)
    SELECT account_id, id, 'needs_review', 'Check the roof', now() - random() * interval '1 year' FROM account_properties
      WHERE hashtext(id::text) % 5 = 0`)
  await app.asOwner(`INSERT INTO account_views (account_id, user_id)
    SELECT a.id, u.id FROM accounts a JOIN users u ON u.company_id = a.company_id`)
}

async function growStatistics(): Promise<void> {
  // An account has as many properties and documents as in the large installation, so that the part has too few accounts.
  for (const table of ['account_properties', 'account_files', 'discrepancies', 'flags', 'search_entries'])
    await app.asOwner(`ALTER TABLE ${table} ALTER account_id SET (n_distinct = ${-20_000 / (ROWS[table] ?? 1)})`)
  await app.asOwner('VACUUM ANALYZE')
  for (const [table, rows] of Object.entries(ROWS))
    await app.asOwner(
      `SELECT pg_restore_relation_stats('schemaname', 'public', 'relname', $1::text, 'relpages', greatest(relpages, 1), 'reltuples', $2::real)
        FROM pg_class WHERE oid = $1::text::regclass`,
      [table, rows],
    )
}

const NO_ID = '00000000-0000-7000-8000-000000000000'
/** Filters that are not in the menu of a list. */
const OF_LINKS: Readonly<Partial<Record<Model, readonly string[]>>> = {
  account_properties: ['status=active', 'country=US', 'county=Dallas', 'city=Dallas', `import_id=${NO_ID}`],
  account_files: ['sov=1', `property_id=${NO_ID}`],
  discrepancies: [`property_id=${NO_ID}`, 'property_status=active'],
  flags: [`property_id=${NO_ID}`, `file_id=${NO_ID}`, `risk_control_id=${NO_ID}`],
}

interface Plan {
  'Node Type': string
  'Relation Name'?: string
  Plans?: Plan[]
}
interface Statement {
  text: string
  values?: unknown[]
  name?: string
}

/** The statements that a list sends for its page. */
async function statementsOf(as: As, path: string): Promise<Statement[]> {
  const query = vi.spyOn(pg.Client.prototype, 'query')
  const { status, body } = await as.get(path)
  expect([status, body.message], path).toEqual([200, ''])
  const sent = query.mock.calls.flatMap(([first]: unknown[]) => {
    const statement = first as Statement & { statements?: Statement[] } // what the product passes
    return statement.statements ?? [statement]
  })
  query.mockRestore()
  return sent.filter(({ text }) => typeof text === 'string' && /^\s*(WITH|SELECT)/.test(text) && text.includes('page'))
}

const LARGE = 100_000

/** Orders and filters of the administrator's lists that compare all accounts or users: the value is in another table, or rarely used. */
const WITHOUT_INDEX: Readonly<Partial<Record<Model, readonly string[]>>> = {
  accounts: ['account_number', 'company', 'status', 'type', 'properties', 'tiv', 'effective_date', 'trashed'],
  users: ['company', 'created_at', 'last_login_at', 'trashed'],
}

/** The tables that a plan reads from the first to the last row. Small tables may be counted so, because the total is exact. */
function scans(plan: Plan, counted = false): string[] {
  const table = plan['Node Type'] === 'Seq Scan' ? (plan['Relation Name'] ?? '') : ''
  const counts = counted || plan['Node Type'] === 'Aggregate'
  const rows = ROWS[table] ?? 0
  return [...(rows >= LARGE || (rows > 0 && !counted) ? [table] : []), ...(plan.Plans ?? []).flatMap((part) => scans(part, counts))]
}

/** The large tables that a list reads from the first to the last row. */
async function largeScans(as: As, path: string): Promise<string[]> {
  const statements = await statementsOf(as, path)
  expect(statements.length, path).toBeGreaterThan(0)
  const found = new Set<string>()
  for (const { text, values = [] } of statements) {
    const rows = await app.asOwner(`EXPLAIN (FORMAT JSON) ${text}`, values)
    const plans = rows.flatMap((row) => row['QUERY PLAN'] as { Plan: Plan }[]) // the format of EXPLAIN
    for (const { Plan: plan } of plans) for (const table of scans(plan)) found.add(table)
  }
  return [...found]
}

describe.each(['broker', 'administrator'])('for a large installation, a %s', (who) => {
  it.each(MODEL_NAMES)('reads the list of %s by indexes, in each order and with each filter', async (model) => {
    const { as, path } = lists(who)
    const answer = await as.get(`/api/v1/${model}/columns`)
    if (answer.status === 403) return
    const columns: { src: string; sortable: boolean }[] = answer.body.data
    const unindexed = who === 'administrator' ? (WITHOUT_INDEX[model] ?? []) : []
    const filters: { name: string; type: string; options: { value: string }[] }[] = (await as.get(`/api/v1/${model}/filters`)).body.data
    const queries = [
      '',
      ...columns
        .filter(({ src, sortable }) => sortable && !unindexed.includes(src))
        .flatMap(({ src }) => [`sort=${src}&order=asc`, `sort=${src}&order=desc`]),
      ...filters
        .filter(({ name }) => name !== 'trashed' || !unindexed.includes(name))
        .map(
          ({ name, type, options }) => `filter__${name}=${type === 'date_range' ? '2026-01-01..2026-02-01' : (options[0]?.value ?? '1')}`,
        ),
      ...(OF_LINKS[model] ?? []).map((filter) => `filter__${filter}`),
      'search=main',
    ]
    const found: string[] = []
    for (const query of queries) found.push(...(await largeScans(as, path(model) + query)).map((table) => `${query}: ${table}`))
    expect(found).toEqual([])
  })

  it('reads the newest flags of all accounts by an index', async () => {
    expect(await largeScans(lists(who).as, '/api/v1/flags')).toEqual([])
  })
})

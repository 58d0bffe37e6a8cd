import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { MODELS, MODEL_NAMES, type Model } from '#contract/models.ts'
import { seedScale } from '#server/features/setup/scale/scale.ts'
import { testApp, type As, type TestApp } from '#server/testing/app.ts'
import { makeUser } from '#server/testing/factories/people.ts'
import { modelsWith } from '#server/testing/model-visibility.ts'
import { createByForm, makeOutsider } from '#server/testing/tenants.fixture.ts'

/**
 * Reads the plans of every list at the size of a large installation. The tables have a small part of the rows, and the statistics of all of
 * them: the planner then chooses as it does for the large tables.
 */
const ROWS: Readonly<Record<string, number>> = {
  account_properties: 1_000_000,
  search_entries: 1_200_000,
  account_files: 100_000,
  account_file_properties: 150_000,
  document_texts: 100_000,
  document_pages: 1_000_000,
  discrepancies: 400_000,
  flags: 50_000,
  accounts: 20_000,
  account_totals: 20_000,
  account_access: 30_000,
  users: 5_000,
  user_roles: 5_000,
  companies: 2_000,
  company_subscriptions: 2_000,
  imports: 40_000,
  risk_control: 20_000,
  risk_recommendations: 100_000,
  record_views: 200_000,
  list_versions: 50_000,
  principal_totals: 10_000,
}
const ACCOUNTS = 400

/** Small by nature: a company has a few roles and statuses, an account a few invitations and links, and a user one row or few. */
const SMALL: ReadonlySet<string> = new Set(['roles', 'statuses', 'account_favorites', 'account_users', 'account_grants', 'check_states'])

/** What a model has that is neither in ROWS nor small: companies have some records each, and the provider has a few. */
const ROWS_OF_COMPANIES = 20_000
const OF_COMPANIES = modelsWith('company').filter((model) => ROWS[model] === undefined && !SMALL.has(model))
const OF_PROVIDER: ReadonlySet<string> = new Set(modelsWith('system'))

/** The rows of a table in a large installation, none for a small one. */
function rowsIn(table: string): number {
  if (SMALL.has(table) || OF_PROVIDER.has(table)) return 0
  const rows = OF_COMPANIES.some((model) => model === table) ? ROWS_OF_COMPANIES : ROWS[table]
  if (rows === undefined) throw new Error(`Say how many rows ${table} has in a large installation`)
  return rows
}

let app: TestApp
let broker: As
let administrator: As
/** A user with every permission inside one company, for the lists that a broker does not see. */
let local: As
let account: string
const lists = (who: string) => ({ as: who === 'broker' ? broker : administrator, path: (model: Model) => pathOf(model, account) })

beforeAll(async () => {
  app = await testApp()
  const part = { companies: 100, usersPerCompany: 5, accounts: ACCOUNTS, properties: 20_000, files: 4_000 }
  await seedScale(app.system, { ...part, passwordHash: '', exclusive: false }, () => undefined)
  await fillRelated()
  await fillTexts()
  const { id: admin, companyId } = await makeUser(app.system, { role: 'admin' })
  administrator = app.as(admin)
  for (const model of OF_COMPANIES) await createByForm(administrator, model, companyId)
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
  local = app.as((await makeOutsider(app)).id)
  await db
    .updateTable('users')
    .set({ previous_login_at: new Date(0) })
    .where('id', '=', admin)
    .execute()
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
  await app.asOwner(`INSERT INTO risk_control (account_id, property_id, status_id, report_number, title, survey_date, next_survey_due)
    SELECT p.account_id, p.id, (SELECT s.id FROM statuses s JOIN accounts a ON a.company_id = s.company_id
      WHERE a.id = p.account_id AND s.model_type = 'risk_control' ORDER BY s.position DESC LIMIT 1), p.id::text, 'Survey', '2026-01-05', '2029-01-05'
    FROM account_properties p WHERE hashtext(p.id::text) % 10 = 0`)
  await app.asOwner(`INSERT INTO risk_recommendations (risk_control_id, property_id, number, title, priority, issued_on, due_on)
    SELECT id, property_id, '26-01-0' || n, 'Repair the valve', 'advisory', '2026-01-05', '2026-07-05' FROM risk_control, generate_series(1, 5) n`)
  await app.asOwner(`INSERT INTO imports (account_id, file_name, created_by_name) SELECT id, 'schedule.xlsx', 'Dana Whitfield'
    FROM accounts, generate_series(1, 2)`)
  await app.asOwner(`INSERT INTO record_views (record_id, user_id)
    SELECT a.id, u.id FROM accounts a JOIN users u ON u.company_id = a.company_id`)
  // With a previous sign-in, the lists find the rows that are new since then.
  await app.asOwner(`UPDATE users SET previous_login_at = now() - interval '1 day'`)
}

/** Three pages for each document, with a word on every page, one on each hundredth and one on each ten-thousandth. */
async function fillTexts(): Promise<void> {
  await app.asOwner(`INSERT INTO document_pages (file_id, part, company_id, account_id, page, place, body)
    SELECT f.id, n, a.company_id, f.account_id, n, 'Page ' || n, 'common roof of building' ||
        CASE WHEN hashtext(f.id::text) % 100 = 0 THEN ' sometimes' ELSE '' END || CASE WHEN hashtext(f.id::text) % 10000 = 0 THEN ' rarely' ELSE '' END
      FROM account_files f JOIN accounts a ON a.id = f.account_id, generate_series(1, 3) n`)
  await app.asOwner(`UPDATE document_texts SET state = 'done', failure = NULL WHERE hashtext(file_id::text) % 20 <> 0`)
}

async function growStatistics(): Promise<void> {
  // An account has as many properties and documents as in the large installation, so that the part has too few accounts.
  for (const table of ['account_properties', 'account_files', 'discrepancies', 'flags', 'search_entries', 'imports', 'risk_control'])
    await app.asOwner(`ALTER TABLE ${table} ALTER account_id SET (n_distinct = ${-20_000 / rowsIn(table)})`)
  const grown = [...Object.keys(ROWS), ...OF_COMPANIES].map((name) => [name, rowsIn(name)] as const)
  // The database would replace the sizes below by the real ones at any time.
  for (const [table] of grown) await app.asOwner(`ALTER TABLE ${table} SET (autovacuum_enabled = false)`)
  await app.asOwner('VACUUM ANALYZE')
  for (const [table, rows] of grown)
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
async function statementsOf(as: As, path: string, about = 'page'): Promise<Statement[]> {
  const query = vi.spyOn(pg.Client.prototype, 'query')
  const { status, body } = await as.get(path)
  expect([status, body.message ?? ''], path).toEqual([200, ''])
  const sent = query.mock.calls.flatMap(([first]: unknown[]) => {
    const statement = first as Statement & { statements?: Statement[] } // what the product passes
    return statement.statements ?? [statement]
  })
  query.mockRestore()
  return sent.filter(({ text }) => typeof text === 'string' && /^\s*(WITH|SELECT)/.test(text) && text.includes(about))
}

const LARGE = 100_000

/**
 * Orders and filters of all accounts that compare them: a value is in another table, depends on the viewer, or is rarely used. Indexes for
 * them would be written with each change in an account, because it moves the account to the front. At 20,000 accounts such a page takes
 * some milliseconds longer; it reads these tables once, and no larger one.
 */
const COMPARED: Readonly<Record<string, readonly string[]>> = {
  'sort=account_number': ['accounts'],
  'sort=status': ['accounts'],
  'sort=type': ['accounts'],
  'sort=properties': ['account_totals'],
  'sort=tiv': ['account_totals'],
  'sort=effective_date': ['accounts'],
  'filter__trashed=with': ['accounts'],
  'filter__type=managed': ['accounts'],
  'filter__attention=no_date': ['accounts'],
  'filter__attention=no_properties': ['accounts', 'account_totals'],
  'filter__attention=no_documents': ['accounts'],
}

const SEARCH = 'search=main'
/** Of some thousand rows. Whether a search of all of them compares each row depends on the sample of which the statistics are made. */
const FEW = ['users', 'companies']

/** The tables that a plan reads from the first to the last row. Up to a size they may be counted so, because the total is exact. */
function scans(plan: Plan, counted = false): string[] {
  const table = plan['Node Type'] === 'Seq Scan' ? (plan['Relation Name'] ?? '') : ''
  const counts = counted || plan['Node Type'] === 'Aggregate'
  const rows = table === '' ? 0 : rowsIn(table)
  return [...(rows >= LARGE || (rows > 0 && !counted) ? [table] : []), ...(plan.Plans ?? []).flatMap((part) => scans(part, counts))]
}

interface OfferedFilter {
  name: string
  type: string
  options: { value: string }[]
}

/** Values of a filter whose statements differ: all of a choice, both of a yes or no, and one of several that can be chosen together. */
function valuesOf({ type, options }: OfferedFilter): string[] {
  if (type === 'date_range') return ['2026-01-01..2026-02-01', '2026-01-01..']
  if (type === 'boolean') return ['1', '0']
  const values = options.map(({ value }) => value)
  return values.length === 0 ? ['1'] : type === 'select' ? values : values.slice(0, 1)
}

/** The large tables that a list reads from the first to the last row. */
async function largeScans(as: As, path: string, about?: string): Promise<string[]> {
  const statements = await statementsOf(as, path, about)
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
    const { as: viewer, path } = lists(who)
    const as = (await viewer.get(`/api/v1/${model}/columns`)).status === 200 ? viewer : local
    const columns: { src: string; sortable: boolean }[] = (await as.get(`/api/v1/${model}/columns`)).body.data
    const filters: OfferedFilter[] = (await as.get(`/api/v1/${model}/filters`)).body.data
    const queries = [
      '',
      ...columns.filter(({ sortable }) => sortable).flatMap(({ src }) => [`sort=${src}&order=asc`, `sort=${src}&order=desc`]),
      ...filters.flatMap((filter) => valuesOf(filter).map((value) => `filter__${filter.name}=${value}`)),
      ...(OF_LINKS[model] ?? []).map((filter) => `filter__${filter}`),
      SEARCH,
    ]
    const ofAll = who === 'administrator'
    const compared = model === 'accounts' ? COMPARED : {}
    const allowed = (query: string) =>
      ofAll ? [...OF_COMPANIES, ...(query === SEARCH ? FEW : []), ...(compared[query.replace(/&order=.*$/, '')] ?? [])] : []
    const found: string[] = []
    for (const query of queries)
      found.push(
        ...(await largeScans(as, path(model) + query))
          .filter((table) => !allowed(query).includes(table))
          .map((table) => `${query}: ${table}`),
      )
    expect(found).toEqual([])
  })

  it.each(['common', 'sometimes', 'rarely', 'common sometimes', '"sometimes rarely"', 'comm'])(
    'finds documents with %s in their text by indexes',
    async (words) => {
      const { as, path } = lists(who)
      const search = encodeURIComponent(words)
      expect(await largeScans(as, `/api/v1/account_files/text-search?search=${search}`, 'document_pages')).toEqual([])
      expect(await largeScans(as, `${path('account_files')}search=${search}`)).toEqual([])
    },
  )

  it('reads the newest flags of all accounts by an index', async () => {
    expect(await largeScans(lists(who).as, '/api/v1/flags')).toEqual([])
  })
})

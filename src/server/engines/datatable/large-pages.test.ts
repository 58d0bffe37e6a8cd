import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Model } from '#contract/models.ts'
import { testApp, type As, type TestApp } from '#server/testing/app.ts'
import { makeAccount } from '#server/testing/factories/register.ts'
import { makeCompany, makeUser } from '#server/testing/factories/people.ts'
import { readCost } from '#server/testing/read-cost.ts'

/**
 * A client may request all rows in one page. Its cost per row must not grow with the page, also not right after an import into a new
 * database, when PostgreSQL has no statistics of properties, findings, flags and documents yet.
 */
const ACCOUNTS = 4
const PROPERTIES = 500
const ROWS = ACCOUNTS * PROPERTIES
const SMALL_PAGE = 200
/** What the plans of a page handle for each row, in all of their steps. */
const STEPS_MAX = 100
/** What the database sends for each row, in kilobytes. */
const SENT_MAX = 3

let app: TestApp
let administrator: As

beforeAll(async () => {
  app = await testApp()
  const { asOwner, system } = app
  for (const table of TABLES) await asOwner(`ALTER TABLE ${table} SET (autovacuum_enabled = false)`)
  const { id: company } = await makeCompany(system)
  const { id: broker } = await makeUser(system, { companyId: company })
  const { id } = await makeUser(system, { role: 'admin' })
  // With a previous sign-in, all rows are new.
  await asOwner(`UPDATE users SET previous_login_at = now() - interval '1 day'`)
  administrator = app.as(id)
  for (let made = 0; made < ACCOUNTS; made += 1)
    await asOwner(
      `INSERT INTO account_properties (account_id, location_number, address, city, state, building_value, created_by)
        SELECT $1, n::text, n || ' Main St', 'Fresno', 'CA', 1000000, $2 FROM generate_series(1, ${PROPERTIES}) n`,
      [await makeAccount(app, company), broker],
    )
  await fillRelated(company, broker)
  // These become many one by one, so that there are statistics of them.
  await asOwner('ANALYZE accounts, account_totals, account_access, users, companies, risk_control, risk_recommendations')
}, 120_000)
afterAll(() => app.stop())

const TABLES = `account_properties discrepancies account_files account_file_properties flags risk_control risk_recommendations imports
  accounts account_totals account_access users companies record_views search_entries`.split(/\s+/)

/** Each property has a finding, a document, a flag and a report, every fourth a possible duplicate. */
async function fillRelated(company: string, broker: string): Promise<void> {
  const { asOwner } = app
  const finding =
    'INSERT INTO discrepancies (account_id, property_id, check_id, group_name, severity, message, fingerprint, status, right_value)'
  await asOwner(
    `${finding} SELECT account_id, id, 'DQ-02', 'data_quality', 'warning', 'No year', id::text, 'open', NULL FROM account_properties`,
  )
  await asOwner(`${finding} SELECT p.account_id, p.id, 'DQ-09', 'data_quality', 'warning', 'May be the same building as 2: same address',
      'pair ' || p.id, 'open', jsonb_build_object('source', 'register', 'value', NULL, 'as_of', NULL, 'ref', o.id)
    FROM account_properties p JOIN account_properties o ON o.account_id = p.account_id AND o.location_number = (p.location_number::int + 1)::text
    WHERE p.location_number::int % 4 = 0`)
  await asOwner(
    `INSERT INTO account_files (account_id, storage_key, original_file_name, content_type, size, category, created_by)
    SELECT account_id, id, 'Appraisal.pdf', 'application/pdf', 1000, 'appraisal', $1 FROM account_properties`,
    [broker],
  )
  await asOwner(
    `INSERT INTO account_file_properties (account_id, file_id, property_id) SELECT account_id, id, storage_key::uuid FROM account_files`,
  )
  await asOwner(`INSERT INTO flags (account_id, property_id, reason, message)
    SELECT account_id, id, 'needs_review', 'Check the roof' FROM account_properties`)
  await asOwner(`INSERT INTO risk_control (account_id, property_id, status_id, report_number, title, survey_date, next_survey_due)
    SELECT p.account_id, p.id, (SELECT s.id FROM statuses s JOIN accounts a ON a.company_id = s.company_id
      WHERE a.id = p.account_id AND s.model_type = 'risk_control' ORDER BY s.position DESC LIMIT 1), p.id::text, 'Survey', '2026-01-05', '2029-01-05'
    FROM account_properties p`)
  await asOwner(`INSERT INTO risk_recommendations (risk_control_id, property_id, number, title, priority, issued_on, due_on)
    SELECT id, property_id, '26-01-01', 'Repair the valve', 'advisory', '2026-01-05', '2026-07-05' FROM risk_control`)
  await asOwner(
    `INSERT INTO imports (account_id, file_name, created_by_name) SELECT account_id, 'schedule.xlsx', 'Dana' FROM account_properties`,
  )
  const many = `FROM generate_series(1, ${ROWS}) n`
  await asOwner(`INSERT INTO accounts (company_id, type, name, created_by) SELECT $1, 'standard', 'Account ' || n, $2 ${many}`, [
    company,
    broker,
  ])
  await asOwner(`INSERT INTO companies (name) SELECT 'Company ' || n ${many}`)
  await asOwner(
    `INSERT INTO users (company_id, first_name, last_name, email, password_hash)
    SELECT $1, 'Dana', 'Whitfield', 'dana' || n || '@many.example', '' ${many}`,
    [company],
  )
}

const costOf = (model: Model, rows: number) =>
  readCost(app, async () => {
    const { status, body } = await administrator.get(`/api/v1/${model}?paginate=${rows}`)
    expect([status, body.data?.length], body.message).toEqual([200, rows])
  })

const MANY = [
  ...(['account_properties', 'account_files', 'discrepancies', 'flags', 'risk_control', 'property_imports'] as const),
  ...(['accounts', 'companies', 'users'] as const),
]

it.each(MANY)(
  'a page of all %s costs no more per row than a short one',
  async (model) => {
    const [short, long] = [await costOf(model, SMALL_PAGE), await costOf(model, ROWS)]
    const added = ROWS - SMALL_PAGE
    expect(long.steps).toBeGreaterThan(ROWS)
    expect((long.steps - short.steps) / added).toBeLessThan(STEPS_MAX)
    expect((long.sent - short.sent) / added).toBeLessThan(SENT_MAX)
  },
  60_000,
)

import { afterAll, beforeAll, expect, it } from 'vitest'
import { testApp, type As, type TestApp } from '#server/testing/app.ts'
import { makeCompany, makeUser } from '#server/testing/factories/people.ts'
import { makeAccount } from '#server/testing/factories/register.ts'
import { readCost } from '#server/testing/read-cost.ts'

/**
 * Right after the first import into a new database, PostgreSQL has no statistics and plans for a few rows. What an overview and the
 * dashboard read must grow with the properties also then, and not with their square.
 */
const [SMALL, LARGE] = [200, 1_000]
/** Other accounts of the broker, with few properties each. */
const ACCOUNTS = 40
const PROPERTIES = 20
const FINDINGS = ['DQ-02', 'DQ-05', 'DQ-07']
/** What the plans handle for each property, in all of their steps, with three findings each. */
const STEPS_MAX = 120

const TABLES = `accounts account_totals account_access account_users users companies statuses account_properties discrepancies
  account_files account_file_properties activities check_states reconciliation_runs imports flags account_favorites`.split(/\s+/)

let app: TestApp
let broker: As
const accounts = { small: '', large: '' }

beforeAll(async () => {
  app = await testApp()
  for (const table of TABLES) await app.asOwner(`ALTER TABLE ${table} SET (autovacuum_enabled = false)`)
  const { id: company } = await makeCompany(app.system)
  broker = app.as((await makeUser(app.system, { role: 'broker', companyId: company })).id)
  for (let made = 0; made < ACCOUNTS; made += 1) await fill(await makeAccount(app, company), PROPERTIES)
  accounts.small = await makeAccount(app, company)
  accounts.large = await makeAccount(app, company)
  await fill(accounts.small, SMALL)
  await fill(accounts.large, LARGE)
  await app.asOwner('UPDATE accounts SET effective_date = current_date + 20')
  await app.asOwner(`INSERT INTO check_states AS s (account_id, requested, checked, checked_at, value_by_check)
    SELECT id, 1, 1, now(), '{"DQ-02": 1000000, "DQ-05": 1000000}' FROM accounts ON CONFLICT (account_id) DO UPDATE
    SET checked = s.requested, checked_at = now(), value_by_check = EXCLUDED.value_by_check`)
}, 120_000)
afterAll(() => app.stop())

async function fill(account: string, properties: number): Promise<void> {
  await app.asOwner(
    `INSERT INTO account_properties (account_id, location_number, address, city, state, building_value, latitude, longitude, property_type)
      SELECT $1, n::text, n || ' Main St', 'Fresno', 'CA', 1000000, 36, -119, 'office' FROM generate_series(1, $2) n`,
    [account, properties],
  )
  for (const check of FINDINGS)
    await app.asOwner(
      `INSERT INTO discrepancies (account_id, property_id, check_id, group_name, severity, message, fingerprint, status)
        SELECT account_id, id, $2::text, 'data_quality', 'critical', 'Missing', $2::text || id, 'open' FROM account_properties WHERE account_id = $1`,
      [account, check],
    )
}

const costOf = async (path: string) => {
  const { steps } = await readCost(app, async () => {
    const { status, body } = await broker.get(`/api/v1/${path}`)
    expect(status, `${path}: ${String(body.message)}`).toBe(200)
  })
  return steps
}

it.each([
  'accounts/{id}',
  'accounts/{id}/activity',
  'accounts/{id}/reconciliation',
  'metrics/accounts/{id}/property-types',
  'metrics/accounts/{id}/property-types-pie',
  'metrics/accounts/{id}/property-locations',
  'metrics/accounts/{id}/reconciliation',
  'account_properties/{id}/map',
  'account_properties?filter__account_id={id}&filter__status=active&paginate=1',
])(
  '%s reads each property a fixed number of times without statistics',
  async (path) => {
    const [small, large] = [await costOf(path.replace('{id}', accounts.small)), await costOf(path.replace('{id}', accounts.large))]
    expect((large - small) / (LARGE - SMALL)).toBeLessThan(STEPS_MAX)
  },
  60_000,
)

it.each([
  'metrics/accounts/due?days=60',
  'metrics/accounts/attention',
  'metrics/accounts/fixes',
  'metrics/accounts/summary',
  'metrics/init/summary',
])(
  '%s reads each property of the dashboard a fixed number of times without statistics',
  async (path) => {
    const cost = await costOf(path)
    expect(cost / (SMALL + LARGE + ACCOUNTS * PROPERTIES)).toBeLessThan(STEPS_MAX)
  },
  60_000,
)

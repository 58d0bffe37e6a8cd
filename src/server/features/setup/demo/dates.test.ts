import { afterAll, beforeAll, expect, it } from 'vitest'
import { DAY_MS } from '#contract/limits.ts'
import { CLOSED_STATUSES } from '#contract/submissions.ts'
import { testApp, type TestApp } from '#server/testing/app.ts'
import { prepare } from '../prepare.ts'
import { withPresentYears } from './demo-context.ts'

let app: TestApp
beforeAll(async () => {
  app = await testApp({ env: { SEED: 'demo' } })
  await prepare(app.api.services)
}, 60_000)
afterAll(() => app.stop())

/** Pairs of dates of the demo that contradict each other, by what is wrong. */
const CONTRADICTIONS = {
  'a record that was updated before it was created': `
    SELECT 'account ' || name AS what FROM accounts WHERE updated_at < created_at
    UNION ALL SELECT 'property ' || id FROM account_properties WHERE updated_at < created_at
    UNION ALL SELECT 'document ' || original_file_name FROM account_files WHERE updated_at < created_at
    UNION ALL SELECT 'user ' || email FROM users WHERE updated_at < created_at
    UNION ALL SELECT 'company ' || name FROM companies WHERE updated_at < created_at`,
  'an account that is older than its company or its creator': `
    SELECT a.name AS what FROM accounts a JOIN companies c ON c.id = a.company_id WHERE a.created_at < c.created_at
    UNION ALL SELECT a.name FROM accounts a JOIN users u ON u.id = a.created_by WHERE a.created_at < u.created_at`,
  'a carrier that is newer than an account that names it': `
    SELECT a.name AS what FROM accounts a JOIN companies c ON c.id = a.carrier_company_id WHERE a.created_at < c.created_at`,
  'an activity of a user who did not exist': `
    SELECT x.message AS what FROM activities x JOIN users u ON u.id = x.actor_id WHERE x.created_at < u.created_at`,
  'a user that is older than the company': `SELECT u.email AS what FROM users u JOIN companies c ON c.id = u.company_id WHERE u.created_at < c.created_at`,
  'a property or a document that is older than its account': `
    SELECT 'property of ' || a.name AS what FROM account_properties p JOIN accounts a ON a.id = p.account_id WHERE p.created_at < a.created_at
    UNION ALL SELECT f.original_file_name || ' of ' || a.name FROM account_files f JOIN accounts a ON a.id = f.account_id WHERE f.created_at < a.created_at`,
  'a document or a property that is newer than the update of its account': `
    SELECT 'property of ' || a.name AS what FROM account_properties p JOIN accounts a ON a.id = p.account_id WHERE p.updated_at > a.updated_at
    UNION ALL SELECT f.original_file_name || ' of ' || a.name FROM account_files f JOIN accounts a ON a.id = f.account_id WHERE f.updated_at > a.updated_at`,
  'a document with a report date after its upload': `SELECT original_file_name AS what FROM account_files WHERE report_author_date > created_at::date`,
  'an account that takes effect before it was created': `SELECT name AS what FROM accounts WHERE effective_date < created_at::date`,
  'a property that left the program before it was added or valued': `
    SELECT address AS what FROM account_properties WHERE divested_on < acquired_on OR divested_on < created_at::date OR divested_on > updated_at::date`,
  'a valuation after the property was added': `SELECT address AS what FROM account_properties WHERE valuation_date > created_at::date`,
  'an import before its account or after its properties': `
    SELECT i.file_name AS what FROM imports i JOIN accounts a ON a.id = i.account_id WHERE i.created_at < a.created_at OR i.committed_at < i.created_at`,
  'a line about uploaded documents on a day on which the user uploaded another number of documents': `
    SELECT x.message || ' ' || x.created_at AS what FROM activities x WHERE x.class = 'uploaded' AND x.model_id = x.account_id AND x.group_count <> (
      SELECT count(*) FROM account_files f WHERE f.account_id = x.account_id AND f.created_by = x.actor_id
        AND (f.created_at AT TIME ZONE 'UTC')::date = (x.created_at AT TIME ZONE 'UTC')::date)`,
  'an activity before its account': `
    SELECT x.message AS what FROM activities x JOIN accounts a ON a.id = x.account_id WHERE x.created_at < a.created_at - interval '1 second'`,
} as const

it.each(Object.entries(CONTRADICTIONS))('the demo does not have %s', async (_what, query) => {
  expect((await app.system.pool.query<{ what: string }>(query)).rows.map(({ what }) => what)).toEqual([])
})

it.each([0, 100, 300])(
  'the demo that was created %i days ago had few overdue accounts, and most were due within 60 days',
  async (ago) => {
    const now = new Date(Date.now() - ago * DAY_MS)
    const today = now.toISOString().slice(0, 10)
    const other = await testApp({ env: { SEED: 'demo' }, clock: { now: () => now } })
    try {
      await prepare(other.api.services)
      const { rows } = await other.system.pool.query<{ days: number }>(
        `SELECT effective_date - $1::date AS days FROM accounts JOIN statuses s ON s.id = status_id
        WHERE effective_date IS NOT NULL AND s.name <> ALL($2) AND accounts.name NOT LIKE 'Foreign %'`,
        [today, CLOSED_STATUSES],
      )
      const between = (from: number, to: number) => rows.filter(({ days }) => days >= from && days <= to).length
      const spread = { all: rows.length, overdue: between(-30, -1), within60: between(5, 60), later: between(61, 150) }
      expect(spread).toEqual({ all: 16, overdue: 2, within60: 12, later: 2 })
      const { rows: last } = await other.system.pool.query<{ age: number }>(
        `SELECT min($1::date - updated_at::date) AS age FROM accounts`,
        [today],
      )
      expect(last[0]?.age).toBe(2)
    } finally {
      await other.stop()
    }
  },
  60_000,
)

it.each([
  ['2026-11-22', 'SOV 2026-27 final.xlsx'],
  ['2028-02-29', 'SOV 2028-29 final.xlsx'],
  ['2099-01-01', 'SOV 2099-00 final.xlsx'],
])('the names of the demo have the years of %s', (day, name) => {
  expect(withPresentYears('SOV 2026-27 final.xlsx', new Date(day))).toBe(name)
})

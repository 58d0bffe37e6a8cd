import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { WriteContext } from '#server/engines/context.ts'
import { transact } from '#server/engines/transaction/transact.ts'
import { testApp, type TestApp } from '#server/testing/app.ts'
import { makeAccount } from '#server/testing/factories/register.ts'
import { makeCompany } from '#server/testing/factories/people.ts'
import { criticalProperties, updateSystemFlags } from '../flags/system-flags.commands.ts'
import { finishRun } from './check-state.ts'
import { markWidespread } from './store-findings.ts'

const PROPERTIES = 1_000
const CHECKS = 7
/** How often a statement may read each finding of its account in an index. */
const READS_MAX = 10

let app: TestApp
let company: string
beforeAll(async () => {
  app = await testApp()
  company = (await makeCompany(app.system)).id
})
afterAll(() => app.stop())

/** How many entries of indexes of discrepancies were read so far. */
async function readSoFar(): Promise<number> {
  await sql`SELECT pg_stat_force_next_flush()`.execute(app.system.db)
  const { rows } = await sql<{ count: number }>`SELECT sum(idx_tup_read)::int AS count FROM pg_stat_user_indexes
    WHERE relname = 'discrepancies'`.execute(app.system.db)
  return rows[0]?.count ?? 0
}

/** An account in which each of the checks found something on every property, one of them critical on some. */
async function makeChecked(properties: number): Promise<string> {
  const accountId = await makeAccount(app, company)
  await sql`INSERT INTO account_properties (account_id, location_number, address, city, state)
    SELECT ${accountId}, n::text, n || ' Main St', 'Fresno', 'CA' FROM generate_series(1, ${properties}) n`.execute(app.system.db)
  await sql`INSERT INTO discrepancies (account_id, check_id, group_name, property_id, field, severity, message, fingerprint)
    SELECT ${accountId}, 'DQ-0' || n, 'data_quality', p.id, 'city', CASE WHEN n = 1 AND p.location_number::int % 100 = 0 THEN 'critical' ELSE 'warning' END,
      'Found', p.id || '-' || n FROM account_properties p, generate_series(1, ${CHECKS}) n WHERE p.account_id = ${accountId}`.execute(
    app.system.db,
  )
  await sql`INSERT INTO check_states (account_id) VALUES (${accountId})`.execute(app.system.db)
  return accountId
}

type Statement = (tx: WriteContext, accountId: string) => Promise<unknown>
const STATEMENTS: readonly (readonly [string, Statement])[] = [
  ['properties with critical findings', (tx, id) => criticalProperties(tx.db, id)],
  ['flags of critical findings', (tx, id) => updateSystemFlags(tx, id, [])],
  ['findings that are one sentence', (tx, id) => markWidespread(tx.db, id)],
  ['value by check', (tx, id) => finishRun(tx, id, { requested: 1, at: tx.clock.now(), today: '2026-11-28' })],
]

it('the findings of an account that was just imported, of which the database has no statistics, are not read again for each property', async () => {
  await makeChecked(2 * PROPERTIES)
  await makeChecked(100)
  await sql`ANALYZE`.execute(app.system.db)
  const accountId = await makeChecked(PROPERTIES)
  for (const [name, run] of STATEMENTS) {
    const before = await readSoFar()
    await transact(app.system, (tx) => run(tx, accountId))
    expect((await readSoFar()) - before, name).toBeLessThan(READS_MAX * CHECKS * PROPERTIES)
  }
})

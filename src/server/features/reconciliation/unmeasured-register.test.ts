import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Reader } from '#server/access/viewer.ts'
import { transact } from '#server/engines/transaction/transact.ts'
import { testApp, type TestApp } from '#server/testing/app.ts'
import { makeAccount } from '#server/testing/factories/register.ts'
import { makeCompany } from '#server/testing/factories/people.ts'
import { updateSystemFlags } from '../flags/system-flags.commands.ts'
import { finishRun } from './check-state.ts'
import { checkContext } from './check.ts'
import { measureRegister } from './read-register.ts'
import { runChecks } from './run-checks.ts'
import { markWidespread } from './store-findings.ts'

const PROPERTIES = 600
/** How often a run may read each property, in all of its statements. */
const READS_MAX = 60

let app: TestApp
beforeAll(async () => {
  app = await testApp()
})
afterAll(() => app.stop())

/** How many rows of properties this transaction has read so far, by an index or in whole tables. */
async function readSoFar(db: Reader): Promise<number> {
  const { rows } = await sql<{ count: number }>`SELECT (seq_tup_read + idx_tup_fetch)::int AS count FROM pg_stat_xact_user_tables
    WHERE relname = 'account_properties'`.execute(db)
  return rows[0]?.count ?? 0
}

it('a register that was just imported, of which the database has no statistics yet, is not read again for each finding', async () => {
  const accountId = await makeAccount(app, (await makeCompany(app.system)).id)
  const context = checkContext({}, '2026-11-22')
  const { opened, read, rewritten } = await transact(app.system, async (tx) => {
    await sql`INSERT INTO account_properties (account_id, location_number, address, city, state, building_value)
      SELECT ${accountId}, n::text, n || ' Main St', 'Fresno', 'CA', 1000000 FROM generate_series(1, ${PROPERTIES}) n`.execute(tx.db)
    const before = await readSoFar(tx.db)
    await measureRegister(tx.db, accountId)
    const signal = new AbortController().signal
    const { counts } = await runChecks(tx.db, { accountId, context, rules: '{}', isFull: true, signal, report: async () => undefined })
    const { changed } = await markWidespread(tx.db, accountId)
    await updateSystemFlags(tx, accountId, [])
    await finishRun(tx, accountId, { requested: 1, at: tx.clock.now(), today: context.today })
    return { opened: counts.opened, rewritten: changed, read: (await readSoFar(tx.db)) - before }
  })
  expect(opened).toBeGreaterThan(3 * PROPERTIES)
  // What hits most properties is known when its findings are written.
  expect(rewritten).toBe(0)
  expect(read).toBeGreaterThan(PROPERTIES)
  expect(read).toBeLessThan(READS_MAX * PROPERTIES)
})

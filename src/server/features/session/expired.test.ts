import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { sql } from 'kysely'
import { DAY_MS, HOUR_MS, SESSION_HISTORY_MS } from '#contract/limits.ts'
import { jobs } from '#server/features/index.ts'
import { transact } from '#server/engines/transaction/transact.ts'
import { testApp, type TestApp } from '#server/testing/app.ts'
import { makeUser } from '#server/testing/factories/people.ts'
import { movingClock } from '#server/testing/moving-clock.fixture.ts'
import { openSession } from './session.commands.ts'

const clock = movingClock()
let app: TestApp

beforeAll(async () => {
  app = await testApp({ clock })
})
afterAll(() => app.stop())

const job = () => jobs.find(({ name }) => name === 'remove-expired')
const run = () => job()?.run(app.system, {}, { id: 'job', attempt: 1, lastAttempt: false, signal: new AbortController().signal })
const TABLES = ['rate_limits', 'login_challenges', 'password_resets', 'sessions'] as const
const counts = () =>
  Promise.all(
    TABLES.map(
      async (table) => (await sql<{ n: number }>`SELECT count(*)::int AS n FROM ${sql.table(table)}`.execute(app.system.db)).rows[0]?.n,
    ),
  )

async function fill(userId: string, rows: number): Promise<void> {
  const now = clock.now()
  const soon = new Date(now.getTime() + HOUR_MS)
  await sql`INSERT INTO rate_limits SELECT 'key ' || n || ${soon.toISOString()}, 1, ${soon.getTime()} FROM generate_series(1, ${rows}::int) n`.execute(
    app.system.db,
  )
  await sql`INSERT INTO password_resets (token_hash, user_id, expires_at, used_at)
    SELECT sha256((n || ${soon.toISOString()})::bytea), ${userId}, ${soon}, ${now} FROM generate_series(1, ${rows}::int) n`.execute(
    app.system.db,
  )
  await sql`INSERT INTO sessions (family_id, user_id, kind, access_hash, expires_at)
    SELECT uuidv7(), ${userId}, 'challenge', sha256((n || ${soon.toISOString()})::bytea), ${soon} FROM generate_series(1, ${rows}::int) n`.execute(
    app.system.db,
  )
  await sql`INSERT INTO login_challenges (session_id, code_hash, expires_at)
    SELECT id, '', ${soon} FROM sessions WHERE kind = 'challenge' ON CONFLICT DO NOTHING`.execute(app.system.db)
}

it('a job every night deletes expired limits, codes, links and sessions, in batches', async () => {
  const { id } = await makeUser(app.system)
  await fill(id, 4_500)
  expect(job()?.schedule).toMatch(/^\d+ \d+ \* \* \*$/)
  clock.pass(2 * HOUR_MS)
  await run()
  expect(await counts()).toEqual([0, 0, 0, 4_500])
  clock.pass(SESSION_HISTORY_MS)
  await run()
  expect(await counts()).toEqual([0, 0, 0, 0])
})

it('the job leaves what has not expired, and the whole family of an open session', async () => {
  const { id } = await makeUser(app.system)
  await fill(id, 3)
  await app.system.db
    .updateTable('password_resets')
    .set({ used_at: null })
    .where('token_hash', 'in', [Buffer.from('none')])
    .execute()
  const old = await transact(app.system, (tx) => openSession(tx, { userId: id, kind: 'user', remember: false, address: '10.0.0.1' }))
  await transact(app.system, (tx) => openSession(tx, { userId: id, kind: 'user', remember: true, address: '10.0.0.1' }))
  await sql`UPDATE sessions SET family_id = (SELECT family_id FROM sessions WHERE id = ${old.id}) WHERE user_id = ${id} AND kind = 'user'`.execute(
    app.system.db,
  )
  const before = await counts()
  await run()
  expect(await counts()).toEqual([before[0], before[1], 0, before[3]])
  clock.pass(SESSION_HISTORY_MS + DAY_MS - 2 * HOUR_MS)
  await run()
  expect(await counts()).toEqual([0, 0, 0, 2])
})

it('the job deletes expired challenges of passkeys and setups of authenticator apps, and no others', async () => {
  const { db } = app.system
  const { id } = await makeUser(app.system)
  const confirmed = await makeUser(app.system)
  const now = clock.now()
  const soon = new Date(now.getTime() + HOUR_MS)
  const later = new Date(now.getTime() + 3 * HOUR_MS)
  const challenge = (expires_at: Date) => ({ challenge_hash: randomBytes(32), user_id: id, expires_at })
  await db
    .insertInto('passkey_challenges')
    .values([challenge(soon), challenge(later)])
    .execute()
  const secret = { secret_sealed: Buffer.from('sealed'), created_at: now }
  await db
    .insertInto('totp_secrets')
    .values([
      { ...secret, user_id: id },
      { ...secret, user_id: confirmed.id, confirmed_at: now },
      { ...secret, user_id: (await makeUser(app.system)).id, created_at: later },
    ])
    .execute()
  clock.pass(2 * HOUR_MS)
  await run()
  const left = async (table: 'passkey_challenges' | 'totp_secrets') =>
    (await sql<{ n: number }>`SELECT count(*)::int AS n FROM ${sql.table(table)}`.execute(db)).rows[0]?.n
  expect([await left('passkey_challenges'), await left('totp_secrets')]).toEqual([1, 2])
  expect(await db.selectFrom('totp_secrets').select('user_id').where('user_id', '=', id).execute()).toEqual([])
})

it('the job forgets what users opened before their previous sign-in, which is not new in any case', async () => {
  const { id } = await makeUser(app.system)
  const { db } = app.system
  const at = (ms: number) => new Date(clock.now().getTime() + ms)
  const view = (viewed_at: Date) =>
    db
      .insertInto('record_views')
      .values({ user_id: id, record_id: sql`uuidv7()`, viewed_at })
      .execute()
  for (const ms of [-2 * HOUR_MS, -HOUR_MS, HOUR_MS]) await view(at(ms))
  const left = async () => (await db.selectFrom('record_views').select('viewed_at').where('user_id', '=', id).execute()).length
  await run()
  expect(await left()).toBe(3)
  await db
    .updateTable('users')
    .set({ previous_login_at: at(0) })
    .where('id', '=', id)
    .execute()
  await run()
  expect(await left()).toBe(1)
})

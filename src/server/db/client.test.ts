import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestDatabase } from '#server/testing/database.ts'
import { JOB_LIMITS, openDatabase, openPool, setLimits } from './client.ts'

let database: Awaited<ReturnType<typeof createTestDatabase>>
let open: ReturnType<typeof openDatabase>
beforeAll(async () => {
  database = await createTestDatabase()
  open = openDatabase(database.url, { applicationName: 'client-test' })
})
afterAll(async () => {
  await open.close()
  await database.drop()
})

const one = async (expression: string) =>
  (await sql<{ value: unknown }>`select ${sql.raw(expression)} as value`.execute(open.db)).rows[0]?.value

describe('values from the database', () => {
  test.each([
    ['count(*)', 1],
    ["'9007199254740991'::int8", 9007199254740991],
    ['12.50::numeric(12,2)', 12.5],
    ["date '2026-02-28'", '2026-02-28'],
    ["timestamptz '2026-02-28 12:00:00+01'", new Date('2026-02-28T11:00:00Z')],
    ['\'{"a": [1, null]}\'::jsonb', { a: [1, null] }],
    ['array[1, null, 3]::int8[]', [1, null, 3]],
    ['array[]::numeric[]', []],
    ["array[date '2026-02-28', null]", ['2026-02-28', null]],
    ["array['a,b', null]::text[]", ['a,b', null]],
    ['null::numeric', null],
  ])('%s', async (expression, expected) => {
    expect(await one(expression)).toEqual(expected)
  })

  test('sets the application name of the connection', async () => {
    expect(await one("current_setting('application_name')")).toBe('client-test')
  })

  test('replaces an idle connection that breaks', async () => {
    const { rows } = await open.pool.query<{ pid: number }>('select pg_backend_pid() as pid')
    const other = openDatabase(database.url, { max: 1 })
    await other.pool.query('select pg_terminate_backend($1)', [rows[0]?.pid])
    await other.close()
    await expect.poll(() => one('1').catch(() => 'broken')).toBe(1)
  })
})

describe('the time limits of a connection', () => {
  const limited = async (work: (pool: ReturnType<typeof openPool>['pool']) => Promise<unknown>) => {
    const { pool, close } = openPool(database.url, { limits: { statementMs: 300, lockMs: 100, connectMs: 1_000 } })
    const began = Date.now()
    const code = await work(pool).then(
      () => 'none',
      (error: { code: string }) => error.code,
    )
    await close()
    return { code, isQuick: Date.now() - began < 2_000 }
  }

  test('end a statement that takes too long', async () => {
    expect(await limited((pool) => pool.query('select pg_sleep(20)'))).toEqual({ code: '57014', isQuick: true })
  })

  test('end a statement that waits for a lock', async () => {
    await open.db.transaction().execute(async (holder) => {
      await sql`lock table companies`.execute(holder)
      expect(await limited((pool) => pool.query('select 1 from companies'))).toEqual({ code: '55P03', isQuick: true })
    })
  })

  test('are longer for the work of a job', async () => {
    const jobLimits = async (pool: ReturnType<typeof openPool>['pool']) => {
      const client = await pool.connect()
      await client.query(setLimits(JOB_LIMITS, 'SESSION'))
      await client.query('select pg_sleep(0.5)').finally(() => client.release())
    }
    expect(await limited(jobLimits)).toEqual({ code: 'none', isQuick: true })
  })
})

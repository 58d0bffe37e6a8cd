import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestDatabase } from '#server/testing/database.ts'
import { openDatabase } from './client.ts'

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

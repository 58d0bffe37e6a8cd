import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestDatabase } from '#server/testing/database.ts'
import { openDatabase } from './client.ts'
import { runWithNext } from './kysely-pool.ts'
import { runBatch } from './statement-batch.ts'

let database: Awaited<ReturnType<typeof createTestDatabase>>
let open: ReturnType<typeof openDatabase>
let client: pg.Client
beforeAll(async () => {
  database = await createTestDatabase()
  open = openDatabase(database.url, { max: 1 })
  client = new pg.Client({ connectionString: database.url })
  await client.connect()
  await open.pool.query('CREATE TABLE batch_test (id integer PRIMARY KEY)')
})
afterAll(async () => {
  await client.end()
  await open.close()
  await database.drop()
})

const one = { name: 'one', text: 'SELECT $1::int8 AS big, $2::date AS day, $3::text[] AS words', values: ['9', '2026-02-28', ['a,b', '"']] }
const insert = (id: number) => ({ name: 'insert', text: 'INSERT INTO batch_test VALUES ($1)', values: [id] })
const stored = async () => (await open.pool.query<{ id: number }>('SELECT id FROM batch_test ORDER BY id')).rows.map(({ id }) => id)

describe('a batch of prepared statements', () => {
  it('answers each statement, the first time and again', async () => {
    const row = { big: 9, day: '2026-02-28', words: ['a,b', '"'] }
    for (const id of [1, 2]) {
      const answers = await runBatch(client, [insert(id), one, insert(id + 10), one])
      expect(answers.map(({ command, rowCount }) => [command, rowCount])).toEqual([
        ['INSERT', 1],
        ['SELECT', 1],
        ['INSERT', 1],
        ['SELECT', 1],
      ])
      expect([answers[1]?.rows, answers[3]?.rows, answers[0]?.rows]).toEqual([[row], [row], []])
    }
  })

  it('rejects with the first error, undoes what has no transaction of its own, and leaves the connection usable', async () => {
    const before = await stored()
    const failing = { name: 'failing', text: 'SELECT 1 / $1::int AS x', values: [0] }
    for (let time = 0; time < 2; time += 1)
      await expect(runBatch(client, [insert(50), failing, insert(51)])).rejects.toThrow('division by zero')
    expect(await stored()).toEqual(before)
    expect(await runBatch(client, [{ ...failing, values: [1] }])).toMatchObject([{ rows: [{ x: 1 }] }])
    await expect(runBatch(client, [{ name: 'broken', text: 'SELEC', values: [] }])).rejects.toThrow('syntax error')
    expect(await runBatch(client, [one])).toHaveLength(1)
  })
})

describe('a statement that runs with the next one', () => {
  const write = (id: number, after: string) =>
    open.db.transaction().execute(async (trx) => {
      await runWithNext(trx, sql`INSERT INTO batch_test VALUES (${id})`.compile(trx))
      if (after === 'throw') throw new Error('Stopped')
      if (after === 'read') return (await sql<{ id: number }>`SELECT id FROM batch_test WHERE id = ${id}`.execute(trx)).rows
      return []
    })

  it('has run before the next one, and commits without one', async () => {
    expect(await write(100, 'read')).toEqual([{ id: 100 }])
    await write(101, '')
    expect(await stored()).toEqual(expect.arrayContaining([100, 101]))
  })

  it('fails the commit, so that nothing is written', async () => {
    await expect(write(100, '')).rejects.toThrow('duplicate key')
    await expect(write(100, 'read')).rejects.toThrow('duplicate key')
    expect(await write(102, 'read')).toEqual([{ id: 102 }])
  })

  it('is not written when the transaction is rolled back, also one that has sent nothing', async () => {
    await expect(write(200, 'throw')).rejects.toThrow('Stopped')
    await expect(
      open.db.transaction().execute(async () => {
        throw new Error('Empty')
      }),
    ).rejects.toThrow('Empty')
    await open.db.transaction().execute(async () => undefined)
    expect(await stored()).not.toContain(200)
    expect((await sql`SELECT 1`.execute(open.db)).rows).toHaveLength(1)
  })
})

import { Readable } from 'node:stream'
import { sql, type RawBuilder } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestDatabase } from '#server/testing/database.ts'
import { openDatabase } from './client.ts'
import { copyRows, rowsOf } from './copied-rows.ts'
import { Snapshot } from './snapshot.ts'
import { Spool } from './spool.ts'

let database: Awaited<ReturnType<typeof createTestDatabase>>
let opened: ReturnType<typeof openDatabase>
beforeAll(async () => {
  database = await createTestDatabase()
  opened = openDatabase(database.url, { max: 2 })
  await opened.pool.query('CREATE TABLE copied (id integer PRIMARY KEY)')
})
afterAll(async () => {
  await opened.close()
  await database.drop()
})

const all = async (pieces: AsyncIterable<string[][]>): Promise<string[][][]> => Readable.from(pieces).toArray()
const copied = async (statement: RawBuilder<object>) => (await all(await copyRows(opened.pool, statement))).flat()

/** What ends a literal, a column, a row or a copy, and what looks like an escape. */
const HOSTILE = [
  "'",
  "''",
  '\\',
  "\\'",
  '\\N',
  '\\.',
  'a\tb',
  'a\nb',
  '\r\n',
  '\b\f\v',
  '$1',
  "'; SELECT 1; --",
  'é🏢',
  ' ',
  '"',
  '\\t',
  '{}',
]

describe('copied rows', () => {
  it('have the texts of parameters as they are', async () => {
    const statement = sql<object>`SELECT text, ${'same'}::text, text = ANY(${HOSTILE}::text[]) FROM unnest(${HOSTILE}::text[]) AS text`
    expect(await copied(statement)).toEqual(HOSTILE.map((text) => [text, 'same', 't']))
    for (const text of HOSTILE) expect(await copied(sql<object>`SELECT ${text}::text`)).toEqual([[text]])
  })

  it('have values as the database writes them, and nothing for null', async () => {
    const statement = sql<object>`SELECT ${1.5}::numeric, ${12}::bigint, ${true}::boolean, ${null}::text, '', DATE '2026-02-28'`
    expect(await copied(statement)).toEqual([['1.5', '12', 't', '', '', '2026-02-28']])
    expect(await copied(sql<object>`SELECT 1 WHERE false`)).toEqual([])
  })

  it('are the same wherever the parts of a copy end', async () => {
    const text = Buffer.from('Zürich\t1\n\t\nFürth 🏢\t22\n')
    const rows = [
      ['Zürich', '1'],
      ['', ''],
      ['Fürth 🏢', '22'],
    ]
    for (let size = 1; size <= text.length; size += 1) {
      const parts = Array.from({ length: Math.ceil(text.length / size) }, (_, at) => text.subarray(at * size, (at + 1) * size))
      expect((await all(rowsOf(parts))).flat(), `parts of ${size}`).toEqual(rows)
    }
  })

  it('come in pieces, of which none is large', async () => {
    const pieces = await all(await copyRows(opened.pool, sql<object>`SELECT n, repeat('x', 100) FROM generate_series(1, 5000) AS n`))
    expect(pieces.flat().map(([number]) => Number(number))).toEqual(Array.from({ length: 5_000 }, (_, at) => at + 1))
    expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThan(200)
  })

  it('reject a text that PostgreSQL cannot store, and the connection is free after an error', async () => {
    await expect(copied(sql<object>`SELECT ${'a\0b'}::text`)).rejects.toThrow(TypeError)
    for (let times = 0; times < 5; times += 1) await expect(copied(sql<object>`SELECT 1 / 0`)).rejects.toThrow('division by zero')
    expect(await copied(sql<object>`SELECT 1`)).toEqual([['1']])
  })
})

describe('a snapshot', () => {
  const connections = () => ({ db: opened.db, reader: opened.pool })
  const numbers = sql<object>`SELECT id FROM copied ORDER BY id`
  const read = async (spool: Spool) => (await all(rowsOf(spool))).flat(2)

  it('shows all statements the same moment', async () => {
    await opened.pool.query('INSERT INTO copied VALUES (1), (2)')
    const snapshot = await Snapshot.open(connections())
    expect(await snapshot.rows(sql<{ count: number }>`SELECT count(*)::int AS count FROM copied WHERE id > ${0}`)).toEqual([{ count: 2 }])
    await opened.pool.query('INSERT INTO copied VALUES (3)')
    const [first, second] = [new Spool(), new Spool()]
    await snapshot.copyAll([
      { statement: numbers, to: first },
      { statement: numbers, to: second },
    ])
    expect([await read(first), await read(second)]).toEqual([
      ['1', '2'],
      ['1', '2'],
    ])
    expect(await copied(numbers)).toEqual([['1'], ['2'], ['3']])
  })

  it('gives readers the error of a statement, and the connection back', async () => {
    for (let times = 0; times < 5; times += 1) {
      const [failed, after] = [new Spool(), new Spool()]
      const snapshot = await Snapshot.open(connections())
      await snapshot.copyAll([
        { statement: sql<object>`SELECT 1 / (id - 2) FROM copied`, to: failed },
        { statement: numbers, to: after },
      ])
      await expect(read(failed)).rejects.toThrow('division by zero')
      await expect(read(after)).rejects.toThrow('division by zero')
    }
    expect(opened.pool.idleCount + opened.pool.waitingCount).toBeLessThanOrEqual(2)
  })
})

import { sql, type Kysely, type RawBuilder, type Transaction } from 'kysely'
import type { Pool } from 'pg'
import type { DB } from './schema.gen.ts'

const ID_LENGTH = '00000000-0000-0000-0000-000000000000,'.length
/** Ids as one text, separated by commas: a hundred thousand of them are read in a moment and take little memory. */
export const idsAsText = (ids: RawBuilder<unknown>) => sql<string>`array_to_string(ARRAY(${ids}), ',')`
export const countIds = (ids: string): number => Math.ceil(ids.length / ID_LENGTH)

/** PostgreSQL works on one batch while the answer with the one before it is parsed. */
const READ_AHEAD = 2

/**
 * What is read for each batch of the ids, in order. The next batches are read while the caller uses one.
 * @param batch the ids as an SQL array
 */
export async function* readBatches<T>(ids: string, size: number, read: (batch: RawBuilder<unknown>) => Promise<T>): AsyncGenerator<T> {
  const step = size * ID_LENGTH
  const reading: Promise<T>[] = []
  let start = 0
  const readNext = () => {
    if (start >= ids.length) return
    const batch = read(sql`${`{${ids.slice(start, start + step - 1)}}`}::uuid[]`)
    // A failed read surfaces when it is awaited, which may be never if the caller stops.
    batch.catch(() => undefined)
    reading.push(batch)
    start += step
  }
  for (let ahead = 0; ahead < READ_AHEAD; ahead += 1) readNext()
  for (let batch = reading.shift(); batch !== undefined; batch = reading.shift()) {
    const found = await batch
    readNext()
    yield found
  }
}

interface Connections {
  db: Kysely<DB> | Transaction<DB>
  pool: Pool
}

/** The rows of a statement as arrays of its columns, which must have different names. Objects with names take twice as long to read. */
export async function readArrays({ db, pool }: Connections, statement: RawBuilder<object>): Promise<unknown[][]> {
  const compiled = statement.compile(db)
  if (db.isTransaction) return (await db.executeQuery(compiled)).rows.map((row) => Object.values(row))
  const { sql: text, parameters } = compiled
  return (await pool.query<unknown[]>({ text, values: [...parameters], rowMode: 'array' })).rows
}

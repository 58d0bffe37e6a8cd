import { sql, type RawBuilder } from 'kysely'
import type { Pool } from 'pg'
import { copyRows } from './copied-rows.ts'

const ID_LENGTH = '00000000-0000-0000-0000-000000000000,'.length
/** Ids as one text, separated by commas: a hundred thousand of them are read in a moment and take little memory. */
export const idsAsText = (ids: RawBuilder<unknown>) => sql<string>`array_to_string(ARRAY(${ids}), ',')`
export const countIds = (ids: string): number => Math.ceil(ids.length / ID_LENGTH)

interface Batches {
  /** Ids of a batch. */
  size: number
  /** How many batches PostgreSQL reads while the caller uses one. Rows that wait are copied when garbage is collected, so one is best for large rows. */
  ahead?: number
}

/**
 * What is read for each batch of the ids, in order.
 * @param batch the ids as an SQL array
 */
export async function* readBatches<T>(
  ids: string,
  { size, ahead = 1 }: Batches,
  read: (batch: RawBuilder<unknown>) => Promise<T>,
): AsyncGenerator<T> {
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
  for (let count = 0; count < ahead; count += 1) readNext()
  for (let batch = reading.shift(); batch !== undefined; batch = reading.shift()) {
    const found = await batch
    readNext()
    yield found
  }
}

/**
 * SQL: `id` and `place` of each id of a batch. The planner takes a series of unknown length for a thousand, and an array for ten: a plan that
 * is made once for all batches would compare each id with each.
 */
export const listed = (batch: RawBuilder<unknown>) => sql`SELECT ids[place] AS id, place
  FROM (SELECT ${batch} AS ids OFFSET 0) AS given, generate_series(1, cardinality(ids)) AS place`

/** The rows of the statements for these batches, see `copyRows`. */
export async function* copyBatches(
  reader: Pool,
  ids: string,
  batches: Batches,
  statementOf: (batch: RawBuilder<unknown>) => RawBuilder<object>,
): AsyncGenerator<string[][]> {
  for await (const rows of readBatches(ids, batches, (batch) => copyRows(reader, statementOf(batch)))) yield* rows
}

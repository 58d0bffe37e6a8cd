import { createHash } from 'node:crypto'
import type { RawBuilder } from 'kysely'
import type { Services } from '../context.ts'

/** Enough for every list with every order and filter in use. */
const NAMES_KEPT = 2_000
const names = new Map<string, string>()

/** A name that is as long as a statement's name may be, the same for the same text. */
function nameOf(text: string): string {
  const known = names.get(text)
  if (known !== undefined) return known
  if (names.size >= NAMES_KEPT) names.clear()
  const name = createHash('sha1').update(text).digest('base64url')
  names.set(text, name)
  return name
}

/**
 * Runs a statement outside any transaction. One that keeps its plan is named by its text and planned once a connection of the
 * reader, for whatever values; planning a search costs more than answering it. Rows as the driver's parsers make them.
 */
export async function runStatement<T extends object>(
  { db, pool, reader }: Pick<Services, 'db' | 'pool' | 'reader'>,
  statement: RawBuilder<T>,
  keepsPlan = true,
): Promise<T[]> {
  const { sql: text, parameters } = statement.compile(db)
  const values = [...parameters]
  const { rows } = await (keepsPlan ? reader.query<T>({ name: nameOf(text), text, values }) : pool.query<T>({ text, values }))
  return rows
}

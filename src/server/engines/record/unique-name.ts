import { sql } from 'kysely'
import { conflict, invalid } from '#server/kernel/errors.ts'
import type { WriteContext } from '../context.ts'
import { nounOf, type StoredModel, type StoredRecord } from './define-record.ts'

type Values = Readonly<Record<string, unknown>>
type Named<R extends StoredRecord, Input extends object> = Pick<StoredModel<R, Input>, 'table' | 'list' | 'uniqueName'>

/**
 * Makes concurrent saves of names wait for each other until the end of the transaction. No unique index can do this, because names stored
 * earlier may repeat.
 */
export const lockNames = ({ db }: WriteContext, table: string) =>
  sql`SELECT pg_advisory_xact_lock(hashtextextended(${`names of ${table}`}, 0))`.execute(db)

/** Throws if the columns change the name of a record to that of another live record. The names are locked. */
export async function requireFreeName<R extends StoredRecord, Input extends object>(
  tx: WriteContext,
  model: Named<R, Input>,
  before: R | undefined,
  columns: Values,
): Promise<void> {
  if (model.uniqueName === undefined) return
  const { column, within } = model.uniqueName
  const stored: Values = { ...before }
  const saved = { ...stored, ...columns }
  if (before !== undefined && sameText(stored[column], saved[column]) && (within === undefined || stored[within] === saved[within])) return
  if (await isNameTaken(tx, model.table, model.uniqueName, saved, []))
    throw invalid({ [column]: [`Another ${nounOf(model)} already has this name.`] })
}

/** Throws if a trashed record has the name of a live one or of another one that is restored with it. */
export async function requireFreeNames<R extends StoredRecord, Input extends object>(
  tx: WriteContext,
  model: Named<R, Input>,
  records: readonly R[],
): Promise<void> {
  if (model.uniqueName === undefined) return
  const { column } = model.uniqueName
  await lockNames(tx, model.table)
  const restoring = records.map(({ id }) => id)
  for (const record of records)
    if (await isNameTaken(tx, model.table, model.uniqueName, record, restoring))
      throw conflict(`Another ${nounOf(model)} already has the name ${String(record[column])}. Rename it first.`)
}

/** The name, with a number after it if another live record has it. The names are locked. */
export async function freeName<R extends StoredRecord, Input extends object>(
  tx: WriteContext,
  { table, uniqueName }: Named<R, Input>,
  { name, max }: { name: string; max: number },
): Promise<string> {
  await lockNames(tx, table)
  for (let number = 1; ; number += 1) {
    const end = number === 1 ? '' : ` ${number}`
    const wanted = `${name.slice(0, max - end.length).trim()}${end}`
    if (uniqueName === undefined || !(await isNameTaken(tx, table, uniqueName, { [uniqueName.column]: wanted }, []))) return wanted
  }
}

const sameText = (left: unknown, right: unknown) => String(left).trim().toLowerCase() === String(right).trim().toLowerCase()

/** Whether another record that is live or restored has this name, ignoring case and surrounding spaces. */
async function isNameTaken(
  { db }: WriteContext,
  table: string,
  { column, within }: { column: string; within?: string },
  values: object,
  restoring: readonly string[],
): Promise<boolean> {
  const record = { ...values } as Values // columns by name
  const owner = within === undefined ? sql`true` : sql`${sql.ref(within)} IS NOT DISTINCT FROM ${record[within] ?? null}::uuid`
  const { rows } = await sql`SELECT 1 FROM ${sql.table(table)}
    WHERE lower(btrim(${sql.ref(column)})) = lower(btrim(${record[column]})) AND (deleted_at IS NULL OR id = ANY(${[...restoring]}::uuid[]))
      AND id IS DISTINCT FROM ${record['id'] ?? null}::uuid AND ${owner} LIMIT 1`.execute(db)
  return rows.length > 0
}

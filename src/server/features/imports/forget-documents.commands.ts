import { sql } from 'kysely'
import type { WriteContext } from '#server/engines/context.ts'
import { conflict } from '#server/kernel/errors.ts'
import { CANCELABLE_STATES } from './imports.queries.ts'

const FORGOTTEN_COUNTS = ['words', 'unmappedMoney', 'sold', 'styles', 'questions', 'issues']

/**
 * Removes the names and cells of documents that are permanently deleted from their imports, and cancels those that are not in the register.
 * What a committed import did remains, so that it can still be undone.
 * @throws AppError conflict while one of them is being written to the register
 */
export async function forgetDocuments(tx: WriteContext, fileIds: readonly string[]): Promise<void> {
  const { rows } = await sql<{ id: string; file_name: string; activity: string | null }>`SELECT id, file_name, activity FROM imports
    WHERE file_id = ANY(${[...fileIds]}::uuid[]) ORDER BY id FOR UPDATE`.execute(tx.db)
  const writing = rows.find(({ activity }) => activity === 'committing' || activity === 'undoing')
  if (writing !== undefined) throw conflict(`${writing.file_name} is being imported at this moment. Please try again afterwards.`)
  const ids = rows.map(({ id }) => id)
  if (ids.length === 0) return
  await tx.db.deleteFrom('import_rows').where('import_id', 'in', ids).execute()
  const forgotten = sql`file_name = 'A deleted document', storage_key = NULL, sheets = '[]', columns = '[]', mapping = '{}', constants = '{}',
    words = '[]', counts = counts - ${FORGOTTEN_COUNTS}::text[], version = version + 1, updated_at = ${tx.clock.now()}, activity = NULL`
  await sql`UPDATE imports SET ${forgotten} WHERE id = ANY(${ids}::uuid[])`.execute(tx.db)
  const open = tx.db.updateTable('imports').set({ state: 'cancelled' }).where('id', 'in', ids)
  await open.where('state', 'in', CANCELABLE_STATES).execute()
}

import { sql } from 'kysely'
import type { WriteContext } from '#server/engines/context.ts'
import { recordActivity } from '#server/engines/transaction/activity.ts'
import { emit } from '#server/engines/transaction/changes.ts'
import type { ImportRecord } from '#server/features/imports/imports.queries.ts'

/**
 * Shows the uploaded schedule to other companies with its first commit. A document that was not uploaded for an import, or that was imported
 * before, is private because a user chose so. An undone import that hid its schedule again does not count.
 */
export async function discloseSchedule(tx: WriteContext, record: ImportRecord): Promise<void> {
  const { id, file_id, file_name } = record
  if (file_id === null) return
  const { numAffectedRows } = await sql`UPDATE account_files f SET private = false, version = version + 1, updated_at = ${tx.clock.now()}
    WHERE f.id = ${file_id} AND f.private AND EXISTS (SELECT 1 FROM uploads u WHERE u.key = f.storage_key AND u.purpose = 'import')
      AND NOT EXISTS (SELECT 1 FROM imports i WHERE i.file_id = f.id AND i.id <> ${id} AND i.committed_at IS NOT NULL
        AND NOT (i.state = 'undone' AND i.counts @> '{"disclosed": true}'))`.execute(tx.db)
  if (numAffectedRows === 0n) return
  await storeDisclosed(tx, record, true)
  await publish(tx, record, `${file_name} is no longer private: {user} imported it`)
}

/** Makes the schedule private again that the commit of this import disclosed, with its undo. */
export async function hideSchedule(tx: WriteContext, record: ImportRecord): Promise<void> {
  const { file_id, file_name, counts } = record
  if (file_id === null || !counts.disclosed) return
  const { numAffectedRows } = await sql`UPDATE account_files SET private = true, version = version + 1, updated_at = ${tx.clock.now()}
    WHERE id = ${file_id} AND NOT private`.execute(tx.db)
  // A user made it private in the meantime, so the next import does not disclose it.
  if (numAffectedRows === 0n) return storeDisclosed(tx, record, false)
  await publish(tx, record, `${file_name} is private again: {user} undid its import`)
}

const storeDisclosed = async (tx: WriteContext, { id }: ImportRecord, disclosed: boolean): Promise<void> => {
  await sql`UPDATE imports SET counts = counts || ${JSON.stringify({ disclosed })}::jsonb WHERE id = ${id}`.execute(tx.db)
}

async function publish(tx: WriteContext, { account_id, file_id }: ImportRecord, message: string): Promise<void> {
  if (file_id === null) return
  const line = { model: 'account_files', modelId: file_id, accountId: account_id, class: 'updated', message, fileIds: [file_id] } as const
  await recordActivity(tx, line)
  emit(tx, { model: 'account_files', id: file_id, inAccount: account_id, scope: 'files' })
}

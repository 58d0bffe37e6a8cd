import { sql } from 'kysely'
import { PROPERTY_FIELD_NAMES } from '#contract/property-fields.ts'
import type { Context, WriteContext } from '#server/engines/context.ts'
import { emit } from '#server/engines/transaction/changes.ts'
import { recordActivity } from '#server/engines/transaction/activity.ts'
import { transact } from '#server/engines/transaction/transact.ts'
import { conflict } from '#server/kernel/errors.ts'
import { requestReconciliation } from '../reconciliation/reconciliation.commands.ts'
import { loadImport, type ImportRecord } from './import-record.ts'
import { findImport, newestCommitted } from './imports.queries.ts'
import { raiseNotifications } from './notify.ts'
import { fullAddressSql } from './places.queries.ts'
import { lockRegister } from './register/lock-register.ts'
import { KEPT } from './register/write-properties.ts'
import { withImportLock } from './staging/import-lock.ts'

/** Cancels an import that is not committed; undoes one that is. */
export async function endImport(ctx: Context, id: string, others: boolean): Promise<{ record: ImportRecord; message: string }> {
  const seen = await findImport(ctx, id)
  if (seen.state === 'committed') return undoImport(ctx, seen, others)
  if (seen.state === 'undone' || seen.state === 'cancelled')
    return { record: seen, message: seen.state === 'undone' ? 'The import was undone.' : 'The import was cancelled.' }
  if (seen.activity === 'committing') throw conflict('This import is being written to the register. Undo it when it is done.')
  await ctx.db
    .updateTable('imports')
    .set({ state: 'cancelled', activity: null, version: sql`version + 1`, updated_at: ctx.clock.now() })
    .where('id', '=', id)
    .where('state', 'in', ['uploaded', 'parsed', 'mapped', 'validated', 'failed'])
    .execute()
  const record = (await loadImport(ctx.db, id)) ?? seen
  if (record.state === 'committed') throw conflict('This import has been written to the register meanwhile. Undo it instead.')
  return { record, message: 'The import was cancelled.' }
}

/** Gives the register back what the newest import took, as long as nobody has edited it since. */
async function undoImport(ctx: Context, seen: ImportRecord, others: boolean): Promise<{ record: ImportRecord; message: string }> {
  const undone = await withImportLock(ctx, seen.id, () => transact(ctx, (tx) => undo(tx, seen, others)))
  return { record: (await loadImport(ctx.db, seen.id)) ?? seen, message: undone }
}

async function undo(tx: WriteContext, seen: ImportRecord, others: boolean): Promise<string> {
  await lockRegister(tx, seen)
  const record = (await loadImport(tx.db, seen.id)) ?? seen
  if (record.state !== 'committed') return 'The import was undone.'
  if ((await newestCommitted(tx.db, record.account_id)) !== record.id)
    throw conflict('Only the newest import can be undone. Undo the later ones first.')
  const edited = await editedSince(tx, record)
  if (edited.count > 0 && !others) {
    const what = edited.count === 1 ? '1 property was edited' : `${edited.count} properties were edited`
    throw conflict(`${what} since this import. Undo the others, or leave the import as it is.`, {
      edited: edited.shown,
      count: edited.count,
    })
  }
  const restored = await restoreProperties(tx, record)
  const trashed = await trashAdded(tx, record)
  const now = tx.clock.now()
  await tx.db.updateTable('imports').set({ state: 'undone', undone_at: now, updated_at: now }).where('id', '=', record.id).execute()
  await recordActivity(tx, {
    model: 'accounts',
    modelId: record.account_id,
    accountId: record.account_id,
    class: 'imported',
    message: `{user} undid the import of ${record.file_name}`,
    ...(record.file_id === null ? {} : { fileIds: [record.file_id] }),
  })
  await raiseNotifications(tx, record, 'import_undone', `The import of ${record.file_name} was undone.`)
  emit(tx, { model: 'account_properties', id: null, inAccount: record.account_id })
  await requestReconciliation(tx, record.account_id, 'import')
  const kept = edited.count === 0 ? '' : ` ${edited.count} edited since then stay as they are.`
  return `The import was undone: ${trashed} moved to the trash, ${restored} restored.${kept}`
}

const SHOWN = 20
const untouched = sql`p.version = e.version_after AND p.deleted_at IS NULL`

async function editedSince(tx: WriteContext, { id }: ImportRecord): Promise<{ count: number; shown: string[] }> {
  const { rows } = await sql<{
    full_address: string
    count: number
  }>`SELECT ${fullAddressSql} AS full_address, count(*) OVER ()::int AS count
    FROM import_effects e JOIN account_properties p ON p.id = e.property_id WHERE e.import_id = ${id} AND NOT (${untouched}) ORDER BY p.id LIMIT ${SHOWN}`.execute(
    tx.db,
  )
  return { count: rows[0]?.count ?? 0, shown: rows.map(({ full_address }) => full_address) }
}

const RESTORED = [...PROPERTY_FIELD_NAMES, ...KEPT]
const restoredColumns = sql.raw(RESTORED.join(', '))
const restoredValues = sql.raw(RESTORED.map((name) => `v.${name}`).join(', '))

async function restoreProperties(tx: WriteContext, { id }: ImportRecord): Promise<number> {
  const { numAffectedRows } = await sql`UPDATE account_properties p SET
      (${restoredColumns}) = (SELECT ${restoredValues} FROM jsonb_populate_record(p, e.before) AS v), version = p.version + 1, updated_at = ${tx.clock.now()}
    FROM import_effects e WHERE e.import_id = ${id} AND e.effect <> 'added' AND p.id = e.property_id AND ${untouched}`.execute(tx.db)
  return Number(numAffectedRows ?? 0n)
}

async function trashAdded(tx: WriteContext, { id }: ImportRecord): Promise<number> {
  const { numAffectedRows } =
    await sql`UPDATE account_properties p SET deleted_at = ${tx.clock.now()}, version = p.version + 1, updated_at = ${tx.clock.now()}
    FROM import_effects e WHERE e.import_id = ${id} AND e.effect = 'added' AND p.id = e.property_id AND ${untouched}`.execute(tx.db)
  return Number(numAffectedRows ?? 0n)
}

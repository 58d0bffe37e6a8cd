import { sql } from 'kysely'
import { plural } from '#contract/format.ts'
import { PROPERTY_FIELD_NAMES } from '#contract/property-fields.ts'
import { JOB_LIMITS } from '#server/db/client.ts'
import { viewerName } from '#server/access/viewer.ts'
import type { Context, WriteContext } from '#server/engines/context.ts'
import { transact } from '#server/engines/transaction/transact.ts'
import { conflict } from '#server/kernel/errors.ts'
import { hideSchedule } from '#server/features/imports/commit/show-schedule.ts'
import { isUsedNumber, lockRegister } from '#server/features/imports/commit/write-import.ts'
import { UNDO_COLUMNS, releaseNumbers } from '#server/features/imports/commit/write-properties.ts'
import { withImportLock } from '#server/features/imports/staging/import-lock.ts'
import {
  CANCELABLE_STATES,
  NEXT_VERSION,
  changeImport,
  findImport,
  loadImport,
  newestCommitted,
  undoableImport,
  untouchedSql,
  type ImportRecord,
} from './imports.queries.ts'
import { publishRegisterChange } from './publish-outcome.ts'
import { fullAddressSql } from './register.queries.ts'

/**
 * Cancels an import before its commit, and undoes it afterwards. Does nothing if it is already canceled or undone.
 * @param others whether to undo the properties that were not edited since, if some were
 * @throws AppError conflict when it is being written, is not the newest import, or some of its properties were edited since
 */
export async function endImport(ctx: Context, id: string, others: boolean): Promise<{ record: ImportRecord; message: string }> {
  const seen = await findImport(ctx, id)
  if (seen.state === 'undone') return { record: seen, message: 'The import was undone.' }
  if (seen.state === 'cancelled') return { record: seen, message: 'The import was canceled.' }
  if (seen.state !== 'committed') return cancelImport(ctx, seen)
  const message = await withImportLock(ctx, id, () =>
    transact({ ...ctx, limits: JOB_LIMITS }, (tx) => undo(tx, seen, others)).catch((error: unknown) => {
      throw isUsedNumber(error) ? conflict(NUMBER_USED_SINCE) : error
    }),
  )
  return { record: await loadImport(ctx.db, id), message }
}

const NUMBER_USED_SINCE =
  'This import moved location numbers, and a property that was edited or added since has the former number of another one. Change its number first.'

async function cancelImport(ctx: Context, seen: ImportRecord): Promise<{ record: ImportRecord; message: string }> {
  await changeImport(ctx.db, seen.id, { state: 'cancelled', activity: null })
    .set(NEXT_VERSION)
    .where('state', 'in', CANCELABLE_STATES)
    .where(sql<boolean>`activity IS DISTINCT FROM 'committing'`)
    .execute()
  const record = await loadImport(ctx.db, seen.id)
  if (record.state === 'cancelled') return { record, message: 'The import was canceled.' }
  if (record.activity === 'committing') throw conflict('This import is being written to the register. Undo it afterwards.')
  throw conflict('This import has been written to the register meanwhile. Undo it instead.')
}

async function undo(tx: WriteContext, seen: ImportRecord, others: boolean): Promise<string> {
  await lockRegister(tx, seen)
  const record = await loadImport(tx.db, seen.id)
  if (record.state !== 'committed') return 'The import was undone.'
  if ((await newestCommitted(tx.db, record.account_id)) !== record.id)
    throw conflict('Only the newest import can be undone. Undo the later ones first.')
  const { count, shown } = await editedSince(tx, record)
  if (count > 0 && !others) {
    const edited = plural(count, 'property was edited', 'properties were edited')
    throw conflict(`${edited} since this import. Undo the others, or leave the import as it is.`, { edited: shown, count })
  }
  if ((await undoableImport(tx.db, record.account_id)) !== record.id)
    throw conflict('Every property of this import was edited since, so nothing is left to undo.')
  const trashed = await trashAdded(tx, record)
  await releaseNumbers(tx, record.account_id, effectsToUndo(record))
  const restored = await restoreProperties(tx, record)
  const undone = { by: viewerName(tx.viewer, tx.config.product.name), restored, trashed, unchanged: count }
  const counts = { ...record.counts, undone }
  await changeImport(tx.db, record.id, { state: 'undone', undone_at: tx.clock.now(), counts }).execute()
  await hideSchedule(tx, record)
  await publishRegisterChange(tx, record, {
    type: 'import_undone',
    activity: `{user} undid the import of ${record.file_name}`,
    notification: `The import of ${record.file_name} was undone.`,
  })
  const unchanged = count === 0 ? '' : ` ${count} edited since then stay as they are.`
  return `The import was undone: ${trashed} moved to the trash, ${restored} restored.${unchanged}`
}

const EDITED_SHOWN = 20

async function editedSince(tx: WriteContext, { id }: ImportRecord): Promise<{ count: number; shown: string[] }> {
  const query = sql<{ full_address: string; count: number }>`SELECT ${fullAddressSql} AS full_address, count(*) OVER ()::int AS count
    FROM import_effects e JOIN account_properties p ON p.id = e.property_id
    WHERE e.import_id = ${id} AND NOT (${untouchedSql}) ORDER BY p.id LIMIT ${EDITED_SHOWN}`
  const { rows } = await query.execute(tx.db)
  return { count: rows[0]?.count ?? 0, shown: rows.map(({ full_address }) => full_address) }
}

const RESTORED = [...PROPERTY_FIELD_NAMES, ...UNDO_COLUMNS]
const restoredColumns = sql.raw(RESTORED.join(', '))
const restoredValues = sql.raw(RESTORED.map((name) => `v.${name}`).join(', '))

/** The import gave each property one version more, and its undo another one. */
const VERSIONS_OF_IMPORT_AND_UNDO = 2

/** The former values that the undo writes, for `releaseNumbers`. */
const effectsToUndo = ({ id }: ImportRecord) => sql`SELECT e.property_id, e.before AS fields FROM import_effects e
  JOIN account_properties p ON p.id = e.property_id WHERE e.import_id = ${id} AND ${untouchedSql}`

/**
 * Together with the undo, the import changed nothing. So the effects of earlier imports move past both, and do not count it as an edit; an
 * edit between two imports remains a gap between their versions.
 */
async function restoreProperties(tx: WriteContext, { id, file_name }: ImportRecord): Promise<number> {
  const by = viewerName(tx.viewer, tx.config.product.name)
  const { rows } = await sql<{ count: number }>`
    WITH restored AS (
      UPDATE account_properties p SET
          (${restoredColumns}) = (SELECT ${restoredValues} FROM jsonb_populate_record(p, e.before) AS v), version = p.version + 1, updated_at = ${tx.clock.now()},
          checked_digest = NULL
        FROM import_effects e WHERE e.import_id = ${id} AND e.effect <> 'added' AND p.id = e.property_id AND ${untouchedSql}
        RETURNING p.id
    ), moved AS (
      UPDATE import_effects other SET version_after = other.version_after + ${VERSIONS_OF_IMPORT_AND_UNDO}
        FROM restored r WHERE other.property_id = r.id AND other.import_id <> ${id}
    ), history AS (
      INSERT INTO property_changes (property_id, changed_at, actor_name, source, ref, import_id, changes)
        SELECT c.property_id, ${tx.clock.now()}, ${by}, 'undo', ${file_name}, NULL,
            (SELECT jsonb_object_agg(f.key, jsonb_build_array(f.value->1, f.value->0)) FROM jsonb_each(c.changes) AS f)
          FROM restored r JOIN property_changes c ON c.property_id = r.id AND c.import_id = ${id}
    )
    SELECT count(*)::int AS count FROM restored`.execute(tx.db)
  return rows[0]?.count ?? 0
}

async function trashAdded(tx: WriteContext, { id }: ImportRecord): Promise<number> {
  const now = tx.clock.now()
  const { numAffectedRows } = await sql`UPDATE account_properties p SET deleted_at = ${now}, version = p.version + 1, updated_at = ${now}
    FROM import_effects e WHERE e.import_id = ${id} AND e.effect = 'added' AND p.id = e.property_id AND ${untouchedSql}`.execute(tx.db)
  return Number(numAffectedRows)
}

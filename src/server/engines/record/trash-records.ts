import { MODELS } from '#contract/models.ts'
import { sql } from 'kysely'
import { forbidden, notFound } from '#server/kernel/errors.ts'
import type { Context } from '../context.ts'
import { visibleIds } from '../datatable/index-list.ts'
import { transact } from '../transaction/transact.ts'
import { idIn, type StoredModel, type StoredRecord } from './define-record.ts'
import { lockRecords, publishEvent } from './save-record.ts'

/** Moves live records to the trash. Throws `notFound` unless all of them are visible, `forbidden` if the rules deny one. */
export const trashRecords = moveTo('deleted')
/** Takes records out of the trash. Throws as `trashRecords` does. */
export const restoreRecords = moveTo('restored')
/** Permanently deletes records that are in the trash. Throws as `trashRecords` does. */
export const destroyRecords = moveTo('destroyed')

function moveTo(step: 'deleted' | 'restored' | 'destroyed') {
  return <R extends StoredRecord, Input extends object>(
    ctx: Context,
    model: StoredModel<R, Input>,
    ids: readonly string[],
  ): Promise<void> =>
    transact(ctx, async (tx) => {
      const visible = await visibleIds(tx, model.list, ids, step === 'deleted' ? 'live' : 'only')
      if (visible.length !== new Set(ids).size) throw notFound(`One of the ${MODELS[model.list.model].many} was`)
      await lockRecords(tx, model.table, visible)
      // Another user may have taken the same step before the lock was granted; those records are done.
      const loaded = await model.load(tx, idIn(model.table, visible))
      const records = loaded.filter(({ deleted_at }) => (deleted_at === null) === (step === 'deleted'))
      if (records.some((record) => !model.rules(tx.viewer, record).delete)) throw forbidden(model.cannotDelete)
      if (records.length === 0) return
      const now = tx.clock.now()
      if (step === 'deleted') await model.beforeTrash?.(tx, records, now)
      else if (step === 'restored') await model.beforeRestore?.(tx, records)
      else await model.beforeDestroy?.(tx, records)
      // The scope of a deleted record can no longer be read, so events are published before it is gone.
      const scopes = new Map<R, string>()
      for (const record of records) scopes.set(record, JSON.stringify(await model.changeScope(tx, record, step)))
      const groups = Map.groupBy(records, (record) => scopes.get(record))
      for (const group of groups.values()) await publishEvent(tx, model, { kind: step, records: group })
      const [table, where] = [
        sql.table(model.table),
        idIn(
          model.table,
          records.map(({ id }) => id),
        ),
      ]
      const deletedAt = step === 'deleted' ? now : null
      await (
        step === 'destroyed' ? sql`DELETE FROM ${table} WHERE ${where}` : sql`UPDATE ${table} SET deleted_at = ${deletedAt} WHERE ${where}`
      ).execute(tx.db)
    })
}

import { MODELS } from '#contract/models.ts'
import { sql } from 'kysely'
import { forbidden, notFound } from '#server/kernel/errors.ts'
import type { Context, WriteContext } from '../context.ts'
import { visibleIds } from '../datatable/index-list.ts'
import { transact } from '../transaction/transact.ts'
import { idIn, type ChangeScope, type StoredModel, type StoredRecord } from './define-record.ts'
import { lockRecords, publishEvent } from './save-record.ts'

type Step = 'deleted' | 'restored' | 'destroyed'

/** Moves live records to the trash. Throws `notFound` unless all of them are visible, `forbidden` if the rules deny one. */
export const trashRecords = <R extends StoredRecord, Input extends object>(
  ctx: Context,
  model: StoredModel<R, Input>,
  ids: readonly string[],
): Promise<void> => takeStep(ctx, model, ids, 'deleted')

/** Takes records out of the trash. Throws as `trashRecords` does. */
export const restoreRecords = <R extends StoredRecord, Input extends object>(
  ctx: Context,
  model: StoredModel<R, Input>,
  ids: readonly string[],
): Promise<void> => takeStep(ctx, model, ids, 'restored')

/** Permanently deletes records that are in the trash. Throws as `trashRecords` does. */
export const destroyRecords = <R extends StoredRecord, Input extends object>(
  ctx: Context,
  model: StoredModel<R, Input>,
  ids: readonly string[],
): Promise<void> => takeStep(ctx, model, ids, 'destroyed')

async function takeStep<R extends StoredRecord, Input extends object>(
  ctx: Context,
  model: StoredModel<R, Input>,
  ids: readonly string[],
  step: Step,
): Promise<void> {
  await transact(ctx, async (tx) => {
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
    for (const group of await byScope(tx, model, records, step)) await publishEvent(tx, model, { kind: step, records: group })
    await write(tx, model, records, step, now)
  })
}

async function byScope<R extends StoredRecord, Input extends object>(
  tx: WriteContext,
  model: StoredModel<R, Input>,
  records: readonly R[],
  step: Step,
): Promise<R[][]> {
  const keys = new Map<R, string>()
  for (const record of records) {
    const scope: ChangeScope = await model.changeScope(tx, record, step)
    keys.set(record, JSON.stringify(scope))
  }
  return [...Map.groupBy(records, (record) => keys.get(record)).values()]
}

async function write<R extends StoredRecord, Input extends object>(
  tx: WriteContext,
  { table }: StoredModel<R, Input>,
  records: readonly R[],
  step: Step,
  now: Date,
): Promise<void> {
  const where = idIn(
    table,
    records.map(({ id }) => id),
  )
  if (step === 'destroyed') await sql`DELETE FROM ${sql.table(table)} WHERE ${where}`.execute(tx.db)
  else {
    const deletedAt = step === 'deleted' ? now : null
    await sql`UPDATE ${sql.table(table)} SET deleted_at = ${deletedAt} WHERE ${where}`.execute(tx.db)
  }
}

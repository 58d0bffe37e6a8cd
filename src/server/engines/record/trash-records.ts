import { MODELS } from '#contract/models.ts'
import { sql } from 'kysely'
import { conflict, forbidden, notFound } from '#server/kernel/errors.ts'
import type { Context, WriteContext } from '../context.ts'
import { visibleIds } from '../datatable/index-list.ts'
import { changingRights } from '../session/authenticate.ts'
import { transact } from '../transaction/transact.ts'
import { idIn, type StoredModel, type StoredRecord } from './define-record.ts'
import { lockRecords, publishEvent } from './save-record.ts'
import { requireFreeNames } from './unique-name.ts'

/**
 * Moves live records to the trash. Throws `notFound` unless all of them are visible, `forbidden` if the rules deny one and `conflict`
 * if one of them is already there.
 */
export const trashRecords = moveTo('deleted')
/** Takes records out of the trash. Throws as `trashRecords` does, and `conflict` if one of them is not in it. */
export const restoreRecords = moveTo('restored')
/** Permanently deletes records that are in the trash. Throws as `restoreRecords` does. */
export const destroyRecords = moveTo('destroyed')

const WRONG_STATE = {
  deleted: 'already in the trash. Reload the list.',
  restored: 'not in the trash. Reload the list.',
  destroyed: 'not in the trash. Move it to the trash first, then delete it permanently.',
} as const

function moveTo(step: keyof typeof WRONG_STATE) {
  return <R extends StoredRecord, Input extends object>(
    ctx: Context,
    model: StoredModel<R, Input>,
    ids: readonly string[],
  ): Promise<void> =>
    transact(ctx, (tx) => (model.changesRights ? changingRights(tx, () => move(tx, model, ids, step)) : move(tx, model, ids, step)))
}

async function move<R extends StoredRecord, Input extends object>(
  tx: WriteContext,
  model: StoredModel<R, Input>,
  ids: readonly string[],
  step: keyof typeof WRONG_STATE,
): Promise<void> {
  const { one, many } = MODELS[model.list.model]
  const requested = new Set(ids)
  const visible = await visibleIds(tx, model.list, [...requested])
  await lockRecords(tx, model.table, visible)
  // Loaded after the lock, because another user may have deleted or restored a record while this call waited.
  const records = await model.load(tx, idIn(model.table, visible))
  if (records.length !== requested.size) throw notFound(`One of the ${many} was`)
  if (records.some((record) => !model.rules(tx.viewer, record).delete)) throw forbidden(model.cannotDelete)
  if (records.some(({ deleted_at }) => (deleted_at === null) !== (step === 'deleted')))
    throw conflict(`${requested.size === 1 ? `This ${one}` : `One of the ${many}`} is ${WRONG_STATE[step]}`)
  const now = tx.clock.now()
  if (step === 'deleted') await model.beforeTrash?.(tx, records, now)
  else if (step === 'restored') {
    await requireFreeNames(tx, model, records)
    await model.beforeRestore?.(tx, records)
  } else await model.beforeDestroy?.(tx, records)
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
}

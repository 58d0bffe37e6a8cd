import { sql, type Expression, type RawBuilder, type SqlBool } from 'kysely'
import pg from 'pg'
import { sentenceCase } from '#contract/format.ts'
import type { Model } from '#contract/models.ts'
import { TRUE, uuids } from '#server/access/scope.ts'
import { runWithNext } from '#server/db/kysely-pool.ts'
import { runPrepared } from '#server/db/prepared.ts'
import { conflict, forbidden, notFound } from '#server/kernel/errors.ts'
import type { Context, WriteContext } from '../context.ts'
import { changingRights } from '../session/authenticate.ts'
import { emit } from '../transaction/changes.ts'
import { recordActivity } from '../transaction/activity.ts'
import { transact } from '../transaction/transact.ts'
import { nounOf, type ChangeScope, type Patch, type RecordEvent, type Save, type StoredModel, type StoredRecord } from './define-record.ts'
import { lockNames, requireFreeName } from './unique-name.ts'

const PREPARED_INSERTS_MAX = 50

/** One record that the viewer sees; otherwise `notFound`, for any reason. `where` is a further condition. */
export async function findRecord<R extends StoredRecord, Input extends object>(
  ctx: Context,
  model: StoredModel<R, Input>,
  id: string,
  where = TRUE,
): Promise<R> {
  const { table, list } = model
  const trash = model.opensTrashed ? TRUE : sql`${sql.ref(`${table}.deleted_at`)} IS NULL`
  const condition = sql<SqlBool>`${sql.ref(`${table}.id`)} = ${id} AND ${trash} AND ${list.visible(ctx.viewer)} AND ${where}`
  const [record] = await model.load(ctx, condition)
  if (record === undefined) throw notFound(sentenceCase(nounOf(model)))
  return record
}

/** A record that the viewer can edit. Throws `notFound`, `conflict` for one in the trash and `forbidden` if the rules deny the edit. */
export async function findEditable<R extends StoredRecord, Input extends object>(
  ctx: Context,
  model: StoredModel<R, Input>,
  id: string,
  where?: Expression<SqlBool>,
): Promise<R> {
  const record = await findRecord(ctx, model, id, where)
  if (record.deleted_at !== null) throw conflict(`This ${nounOf(model)} is in the trash. Restore it first.`)
  if (!model.rules(ctx.viewer, record).update) throw forbidden()
  return record
}

/** Creates a record with its related rows, activity and change. Throws what `beforeSave` throws. */
export async function createRecord<R extends StoredRecord, Input extends object>(
  ctx: Context,
  model: StoredModel<R, Input>,
  sent: Input,
): Promise<R> {
  const input = model.prepare === undefined ? sent : { ...sent, ...(await model.prepare(ctx, sent, undefined)) }
  return saving(ctx, model, async (tx) => {
    const save: Save<R, Input> = { kind: 'created', input }
    const columns = (await columnsToWrite(tx, model, save)) ?? definedOnly(input)
    const names = sql.join(Object.keys(columns).map((name) => sql.ref(name)))
    const row = sql`(${names}) VALUES (${sql.join(Object.values(columns))})`
    const insert = sql<{ id: string }>`INSERT INTO ${sql.table(model.table)} ${row} RETURNING id`
    return finishSave(tx, model, save, insert, typeof columns['id'] === 'string' ? columns['id'] : undefined)
  })
}

/**
 * Saves the fields that were sent. Locks the record, then throws what `findEditable` throws, and `conflict` with both values if
 * `version` is given and not the stored one. Writes nothing if every field has its stored
 * value. `where` is a further condition on the record.
 */
export async function updateRecord<R extends StoredRecord, Input extends object>(
  ctx: Context,
  model: StoredModel<R, Input>,
  id: string,
  { version, ...sent }: Patch<Input> & { version?: number | undefined },
  where?: Expression<SqlBool>,
): Promise<R> {
  const given = definedOnly(sent) as Patch<Input> // some of the same keys
  // A record that the viewer does not see must not take part: the outcome of the preparation could reveal it.
  const input = model.prepare === undefined ? given : await model.prepare(ctx, given, await findEditable(ctx, model, id, where))
  return saving(ctx, model, async (tx) => {
    await lockRecords(tx, model.table, [id])
    const before = await findEditable(tx, model, id, where)
    if (version !== undefined && version !== before.version) throw await staleSave(tx, model, before, given)
    if (changesNothing(model.comparable?.(before) ?? before, input)) return before
    const save: Save<R, Input> = { kind: 'updated', input, before }
    const columns = await columnsToWrite(tx, model, save)
    if (columns === undefined) return before
    const values = Object.entries({ updated_at: tx.clock.now(), ...columns })
    const assignments = sql.join(values.map(([name, value]) => sql`${sql.ref(name)} = ${value}`))
    const set = sql`version = version + 1, ${assignments}`
    return finishSave(tx, model, save, sql<{ id: string }>`UPDATE ${sql.table(model.table)} SET ${set} WHERE id = ${id} RETURNING id`)
  })
}

const saving = <R extends StoredRecord, Input extends object>(
  ctx: Context,
  { changesRights }: StoredModel<R, Input>,
  write: (tx: WriteContext) => Promise<R>,
): Promise<R> => transact(ctx, (tx) => (changesRights ? changingRights(tx, () => write(tx)) : write(tx)))

async function columnsToWrite<R extends StoredRecord, Input extends object>(
  tx: WriteContext,
  model: StoredModel<R, Input>,
  save: Save<R, Input>,
): Promise<Record<string, unknown> | undefined> {
  // Before `beforeSave`, which may derive other unique values from the name.
  if (model.uniqueName !== undefined && model.uniqueName.column in save.input) await lockNames(tx, model.table)
  const columns = model.beforeSave === undefined ? save.input : await model.beforeSave(tx, save)
  if (columns === undefined) return undefined
  const values = definedOnly(columns)
  await requireFreeName(tx, model, save.before, values)
  return values
}

/** Runs the statement that writes the row, then everything that follows it. With a known id, the row is written and read in one round trip. */
async function finishSave<R extends StoredRecord, Input extends object>(
  tx: WriteContext,
  model: StoredModel<R, Input>,
  save: Save<R, Input>,
  statement: RawBuilder<{ id: string }>,
  knownId?: string,
): Promise<R> {
  const write = async (): Promise<string> => {
    const isPrepared = save.kind === 'created' && isPreparedInsert(tx, statement)
    if (knownId !== undefined && isPrepared) {
      await runWithNext(tx.db, statement.compile(tx.db))
      return knownId
    }
    const [{ id }] = (await runPrepared(tx, statement, isPrepared)) as [{ id: string }] // an INSERT of one row, or an UPDATE of a locked one
    return id
  }
  const writeAndRead = async (): Promise<R> => {
    const id = await write()
    await model.afterSave?.(tx, id, save)
    return findRecord(tx, model, id)
  }
  const record = await writeAndRead().catch((error: unknown) => {
    const constraint = error instanceof pg.DatabaseError ? error.constraint : undefined
    throw (constraint && model.constraintErrors?.[constraint]?.()) ?? error
  })
  await publishEvent<R, Input>(tx, model, { ...save, record })
  return record
}

/** The first variants are prepared. */
function isPreparedInsert({ db, preparedInserts }: WriteContext, statement: RawBuilder<object>): boolean {
  const { sql: text } = statement.compile(db)
  if (preparedInserts.size < PREPARED_INSERTS_MAX) preparedInserts.add(text)
  return preparedInserts.has(text)
}

/** The lock does not conflict with foreign keys to the record; ids are locked in order, so that two callers cannot deadlock. */
export async function lockRecords(tx: WriteContext, table: string, ids: readonly string[]): Promise<void> {
  await sql`SELECT id FROM ${sql.table(table)} WHERE id = ANY(${uuids(ids)}) ORDER BY id FOR NO KEY UPDATE`.execute(tx.db)
}

/** Whether every field that was sent has its stored value. A field that is not stored under its name counts as changed. */
function changesNothing(values: object, sent: object): boolean {
  const stored = new Map<string, unknown>(Object.entries(values))
  return Object.entries(sent).every(([name, value]) => stored.has(name) && comparableText(stored.get(name)) === comparableText(value))
}

/** Empty text and no value are the same, and lists of ids or codes have no order. */
const comparableText = (value: unknown): string => {
  const isList = Array.isArray(value) && value.every((item) => typeof item === 'string')
  return JSON.stringify(isList ? [...new Set(value)].toSorted((a, b) => a.localeCompare(b)) : value === '' ? null : (value ?? null))
}

async function staleSave<R extends StoredRecord, Input extends object>(
  tx: WriteContext,
  model: StoredModel<R, Input>,
  record: R,
  sent: object,
): Promise<Error> {
  const stored = new Map<string, unknown>(Object.entries(model.comparable?.(record) ?? record))
  const lastChange = await tx.db
    .selectFrom('activities')
    .select('actor_name')
    .where('model', '=', model.list.model)
    .where('model_id', '=', record.id)
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  const both = Object.entries(sent).filter(([name]) => stored.has(name))
  return conflict('Another user changed this while you were editing. Compare both versions and save again.', {
    version: record.version,
    changed_by: lastChange?.actor_name ?? null,
    current: Object.fromEntries(both.map(([name]) => [name, stored.get(name)])),
    mine: Object.fromEntries(both),
  })
}

/** Writes the activity lines of an event and emits its changes. Several records of one event have one change scope. */
export async function publishEvent<R extends StoredRecord, Input extends object>(
  tx: WriteContext,
  model: StoredModel<R, Input>,
  event: RecordEvent<R, Input>,
): Promise<void> {
  const records = 'records' in event ? event.records : [event.record]
  const [first] = records
  if (first === undefined) return
  const scope = await model.changeScope(tx, first, event.kind)
  const id = records.length === 1 && model.hidesIds !== true ? first.id : null
  emitIn(tx, model.list.model, id, scope, event.kind === 'created')
  if (event.kind === 'updated') emitIn(tx, model.list.model, id, await model.changeScope(tx, event.before, event.kind))
  for (const shown of model.alsoShownIn ?? []) emit(tx, { model: shown, id: null, everywhere: true })
  const lines =
    model.describe?.(event) ?? records.map(({ id }) => ({ id, message: `{user} ${VERBS[event.kind] ?? event.kind} this ${nounOf(model)}` }))
  for (const { id: modelId, ...line } of lines) {
    await recordActivity(tx, {
      model: model.list.model,
      modelId,
      class: event.kind === 'destroyed' ? 'deleted' : event.kind,
      ...('inAccount' in scope ? { accountId: scope.inAccount } : {}),
      ...line,
    })
  }
}

function emitIn(tx: WriteContext, model: Model, id: string | null, scope: ChangeScope, created = false): void {
  const isNew = created && 'inAccount' in scope && scope.inAccount === id
  emit(tx, 'everywhere' in scope ? { model, id: null, ...scope } : { model, id, ...(isNew ? { isNew } : {}), ...scope })
}

/** For kinds of events that are not verbs of the user. */
const VERBS: Readonly<Record<string, string>> = { updated: 'changed', destroyed: 'permanently deleted' }

const definedOnly = (values: object): Record<string, unknown> =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined))

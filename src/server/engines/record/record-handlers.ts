import type { z } from 'zod'
import type { Form } from '#contract/form.ts'
import type { Call } from '#contract/route.ts'
import { NOT_THIS_ID, invalid } from '#server/kernel/errors.ts'
import type { Context } from '../context.ts'
import { listHandlers } from '../datatable/list-routes.ts'
import { contentEtag } from '../datatable/list-version.ts'
import { markOpened } from '../datatable/new-rows.ts'
import { done, envelope, type Caller, type RequireRecord } from '../http/answer.ts'
import { storedJson } from '../http/compress.ts'
import { withPresets } from './form-presets.ts'
import { nounOf, type Patch, type RecordModel, type RecordRules, type StoredModel, type StoredRecord } from './define-record.ts'
import { createRecord, findEditable, findRecord, updateRecord } from './save-record.ts'
import { activityHandler } from './record-activity.ts'
import { searchHandler } from './search-records.ts'
import { destroyRecords, restoreRecords, trashRecords } from './trash-records.ts'

interface Request {
  ctx: Context
}

/** For the calls with the id of a record in their path. */
export const requireById =
  <R extends StoredRecord, Input extends object>(model: StoredModel<R, Input>): RequireRecord =>
  (ctx, { id = '' }) =>
    findRecord(ctx, model, id)

interface ById extends Request {
  params: { id: string }
}

/** The record on the wire: its own fields and those of `RecordBase`. */
async function presentRecord<R extends StoredRecord, Input extends object, Output extends object, Rules extends RecordRules>(
  ctx: Context,
  model: RecordModel<R, Input, Output, Rules>,
  record: R,
) {
  return {
    ...(await model.present(ctx, record)),
    id: record.id,
    version: record.version,
    created_at: record.created_at.toISOString(),
    updated_at: record.updated_at.toISOString(),
    deleted_at: record.deleted_at?.toISOString() ?? null,
    accessible_features: model.rules(ctx.viewer, record),
  }
}

const NO_HISTORY = { version: 0, created_at: null, updated_at: null }

/**
 * The record with an ETag of its content, or 304 for a client that has it. With `versionOf`, a client that has the content of the present
 * version is answered without reading the record: the version is read before the content, so that no change can be missed.
 */
export async function showRecord<R extends StoredRecord, Input extends object, Output extends object, Rules extends RecordRules>(
  ctx: Context,
  model: RecordModel<R, Input, Output, Rules>,
  { call, id, caller }: { call: Call; id: string; caller: Caller },
) {
  const version = !caller.isConditional ? undefined : await model.versionOf?.(ctx, id)
  const key = `${model.list.model} ${ctx.viewer.kind === 'user' ? ctx.viewer.rightsKey : ctx.viewer.kind} ${id}`
  const known = version === undefined ? undefined : ctx.recordVersions.get(key)
  if (known !== undefined && known.version === version && caller.has(known.etag)) return { ready: { etag: known.etag, json: undefined } }
  const record = await findRecord(ctx, model, id)
  await markOpened(ctx, model.list, { ...record, created_by: record.created_by ?? null })
  const data = await presentRecord(ctx, model, record)
  const text = envelope(call, { data: model.hidesHistory?.(ctx.viewer) === true ? { ...data, ...NO_HISTORY } : data })
  const etag = contentEtag(text)
  if (version !== undefined) ctx.recordVersions.set(key, { version, etag })
  return { ready: { etag, json: caller.has(etag) ? undefined : storedJson(text) } }
}

/** The form of a record, or of a new one with these presets as its values, as `forms/{model}` describes it. */
async function recordForm<R extends StoredRecord, Input extends object>(
  ctx: Context,
  model: RecordModel<R, Input>,
  record: R | undefined,
  presets: Record<string, unknown> = {},
): Promise<z.input<typeof Form>> {
  const titles = model.formTitles ?? { create: `New ${nounOf(model)}`, edit: `Edit ${nounOf(model)}` }
  return {
    model: model.list.model,
    id: record?.id ?? null,
    title: record === undefined ? titles.create : titles.edit,
    version: record?.version ?? null,
    sections: withPresets(await model.form(ctx, record, presets), record === undefined ? presets : {}).filter(
      ({ fields }) => fields.length > 0,
    ),
  }
}

/** The handlers of `recordCalls`, from the model alone. */
export function recordHandlers<R extends StoredRecord, Input extends object, Output extends object, Rules extends RecordRules>(
  model: RecordModel<R, Input, Output, Rules>,
  calls: { index: Call; show: Call },
) {
  const The = `The ${nounOf(model)}`
  return {
    ...listHandlers(model.list, calls.index),
    form: async ({ ctx, query }: Request & { query: Record<string, unknown> }) => ({
      data: await recordForm(ctx, model, undefined, query),
    }),
    editForm: async ({ ctx, params, query }: ById & { query: Record<string, unknown> }) => ({
      data: await recordForm(ctx, model, await findEditable(ctx, model, params.id), query),
    }),
    show: async ({ ctx, params, caller }: ById & { caller: Caller }) => showRecord(ctx, model, { call: calls.show, id: params.id, caller }),
    ...searchHandler(model.list, model.search),
    ...activityHandler(model),
    create: async ({ ctx, body }: Request & { body: Input }) => ({
      status: 201 as const,
      data: await presentRecord(ctx, model, await createRecord(ctx, model, body)),
      message: model.created?.(body) ?? `${The} was created.`,
    }),
    update: async ({ ctx, params, body }: ById & { body: Patch<Input> & Repeated }) => ({
      data: await presentRecord(ctx, model, await updateRecord(ctx, model, params.id, await withoutId(ctx, model, params.id, body))),
      message: `${The} was saved.`,
    }),
    ...trashHandlers(model),
  }
}

interface Repeated {
  id?: string | undefined
  version?: number | undefined
}

/** The body of an update without the id, which must be that of the path. */
async function withoutId<R extends StoredRecord, Input extends object>(
  ctx: Context,
  model: StoredModel<R, Input>,
  id: string,
  { id: sent, ...body }: Patch<Input> & Repeated,
): Promise<Patch<Input> & Omit<Repeated, 'id'>> {
  if (sent !== undefined && sent !== id) {
    await findRecord(ctx, model, id)
    throw invalid({ id: [NOT_THIS_ID] })
  }
  return body as Patch<Input> & Omit<Repeated, 'id'> // no input has a field called id
}

/** The handlers of `trashCalls`. */
export const trashHandlers = <R extends StoredRecord, Input extends object>(model: StoredModel<R, Input>) => ({
  trash: ({ ctx, body: { ids, force } }: Request & { body: { ids: string[]; force: boolean } }) =>
    force ? done(destroyRecords(ctx, model, ids), 'Permanently deleted.') : done(trashRecords(ctx, model, ids), 'Moved to the trash.'),
  restore: ({ ctx, body }: Request & { body: { ids: string[] } }) => done(restoreRecords(ctx, model, body.ids), 'Restored.'),
})

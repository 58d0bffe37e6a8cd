import { z } from 'zod'
import { activityCalls } from './activity.ts'
import { listCalls, trashCalls } from './datatable.ts'
import { Form } from './form.ts'
import { MODELS } from './models.ts'
import type { ModelInfo, RecordModel } from './permissions.ts'
import { Id, call, json, repeating, repeatingUpdate } from './route.ts'
import { searchCall } from './search.ts'

/** The fields of every record on the wire, in addition to its own. */
export const RecordBase = z.object({
  id: Id,
  version: z.number(),
  created_at: z.string(),
  updated_at: z.string(),
  deleted_at: z.string().nullable(),
  accessible_features: z.object({ update: z.boolean(), delete: z.boolean() }),
})

type WithoutDefault<S> = S extends z.ZodDefault<infer Inner> ? Inner : S
type UpdateShape<S extends z.core.$ZodLooseShape> = { [K in keyof S]: z.ZodOptional<WithoutDefault<S[K]>> } & {
  version: z.ZodOptional<z.ZodNumber>
  id: z.ZodOptional<typeof Id>
}

/**
 * The body of an update, from the input of a create: every field optional, plus the version that the change is based on and the id,
 * which must be that of the path. Defaults are removed, because they would overwrite what was not sent.
 */
export function updateOf<S extends z.core.$ZodLooseShape>(input: z.ZodObject<S>) {
  const fields = Object.entries<z.core.$ZodType>(input.shape).map(([name, field]) => [
    name,
    z.optional(field instanceof z.ZodDefault ? field.unwrap() : field),
  ])
  const shape = { ...Object.fromEntries(fields), version: z.number().int().optional(), id: Id.optional() }
  return z.strictObject(shape) as unknown as z.ZodObject<UpdateShape<S>, z.core.$strict> // the same keys, each unwrapped and optional
}

/** The calls of a model with list, form, panel, trash and search; served by `recordHandlers` on the server. */
export const recordCalls = <
  const M extends RecordModel,
  Cells extends z.ZodType,
  Output extends z.ZodType,
  Input extends z.ZodType,
  Update extends z.ZodType,
>(
  model: M,
  { row, record, input, update }: { row: Cells; record: Output; input: Input; update: Update },
) => {
  const { one, list, show = list }: ModelInfo = MODELS[model]
  const isInAccount = MODELS[model].visibility === 'account'
  return {
    ...listCalls(model, row),
    ...trashCalls(model),
    search: searchCall(model, show),
    ...activityCalls(model, isInAccount ? 'view_account_activity' : show),
    form: call('GET', `/forms/${model}`, `create_${model}`, `The form of a new record: ${one}`, {
      query: z.looseObject({}),
      output: json(Form),
    }),
    editForm: call('GET', `/forms/${model}/:id`, `update_${model}`, `The form of one ${one}`, {
      query: z.looseObject({}),
      output: json(Form),
    }),
    show: call('GET', `/${model}/:id`, show, `One ${one}`, { output: json(record) }),
    create: call('POST', `/${model}`, `create_${model}`, `Add one ${one}`, { body: repeating(model, input), output: json(record) }),
    update: call('PUT', `/${model}/:id`, `update_${model}`, `Change one ${one}`, {
      body: repeatingUpdate(model, update),
      output: json(record),
    }),
  }
}

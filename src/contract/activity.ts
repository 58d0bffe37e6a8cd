import { z } from 'zod'
import { ListMeta } from './datatable.ts'
import { ACTIVITY_PAGE_SIZE, PAGE_MAX, PAGE_SIZE_MAX } from './limits.ts'
import type { PermissionName } from './permissions.ts'
import { Id, Whole, blob, call, jsonWith, repeatedModel } from './route.ts'

const ACTIVITY_CLASSES = [
  'created',
  'updated',
  'deleted',
  'restored',
  'uploaded',
  'downloaded',
  'shared',
  'invited',
  'status',
  'imported',
  'reconciled',
  'flagged',
] as const
export type ActivityClass = (typeof ACTIVITY_CLASSES)[number]

export const ActivityItem = z.object({ id: Id, message: z.string(), datetime: z.string(), class: z.enum(ACTIVITY_CLASSES) })
export type ActivityItem = z.output<typeof ActivityItem>

export const ActivityQuery = z.strictObject({
  page: Whole(1, PAGE_MAX).default(1),
  paginate: Whole(1, PAGE_SIZE_MAX).default(ACTIVITY_PAGE_SIZE),
})
export type ActivityQuery = z.output<typeof ActivityQuery>

/** What happened to a record of a model, newest first, as pages and as a file. Clients can repeat the model and the id of the path. */
export const activityCalls = <const M extends string>(model: M, can: PermissionName) => ({
  activity: call('GET', `/${model}/:id/activity`, can, `Activity of one record of ${model}, newest first`, {
    query: ActivityQuery.extend({ model: repeatedModel(model), modelId: Id.optional() }),
    output: jsonWith(z.array(ActivityItem), ListMeta),
  }),
  exportActivity: call('GET', `/${model}/:id/activity.csv`, can, `Download the activity of one record of ${model}`, {
    output: blob('text/csv'),
  }),
})

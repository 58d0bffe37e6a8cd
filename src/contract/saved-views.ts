import { z } from 'zod'
import { TableLayout, bytesOf } from './init.ts'
import { SEARCH_MAX_CHARACTERS, VIEW_MAX_BYTES } from './limits.ts'
import { MODEL_NAMES } from './models.ts'
import { Id, Nothing, call, json, text } from './route.ts'

/** What a view stores of a list. Filters and columns that the list no longer has are ignored when the view is opened. */
export const ViewState = z
  .strictObject({
    search: text(SEARCH_MAX_CHARACTERS).default(''),
    /** Null is the default order. */
    sort: z.string().max(60).nullable().default(null),
    order: z.enum(['asc', 'desc']).default('desc'),
    /** By name without `filter__`. */
    filters: z.record(z.string().max(60), z.string().max(2_000)).default({}),
    layout: TableLayout.default({}),
  })
  .refine((state) => bytesOf(JSON.stringify(state)) <= VIEW_MAX_BYTES, 'This view is larger than 16 KiB. Please use fewer filters.')
export type ViewState = z.output<typeof ViewState>

const ViewModel = z.enum(MODEL_NAMES, 'There is no such list.')

export const SavedView = z.object({
  id: Id,
  model: ViewModel,
  name: z.string(),
  /** Everyone in the company who can open the list can use the view. */
  shared: z.boolean(),
  /** The name of the user who saved it. */
  owner: z.string(),
  mine: z.boolean(),
  /** Whether the viewer can rename, update and delete it. */
  can_change: z.boolean(),
  version: z.number(),
  state: ViewState,
})
export type SavedView = z.output<typeof SavedView>

const name = text(60).min(1, 'Please enter a name.')

export const SavedViewInput = z.strictObject({ model: ViewModel, name, shared: z.boolean().default(false), state: ViewState })
export const SavedViewUpdate = z.strictObject({
  version: z.number().int(),
  name: name.optional(),
  shared: z.boolean().optional(),
  state: ViewState.optional(),
})

/** Also needs the permission to open the list. */
export const savedViewCalls = {
  index: call('GET', '/saved-views', 'signed-in', 'The saved views of a list: your own and those shared in your company', {
    query: z.strictObject({ model: ViewModel }),
    output: json(z.array(SavedView)),
  }),
  create: call('POST', '/saved-views', 'signed-in', 'Save a view of a list', { body: SavedViewInput, output: json(SavedView) }),
  update: call('PUT', '/saved-views/:id', 'signed-in', 'Change a saved view', { body: SavedViewUpdate, output: json(SavedView) }),
  remove: call('DELETE', '/saved-views/:id', 'signed-in', 'Delete a saved view', { output: json(Nothing) }),
}

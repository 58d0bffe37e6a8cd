import { z } from 'zod'
import { ActivityQuery } from './activity.ts'
import { ListMeta } from './datatable.ts'
import { call, jsonWith, text } from './route.ts'

/** How values were edited by hand: in the form, in a cell of the list, by Undo, or by restoring a former value. */
export const PropertyEdit = z.enum(['form', 'list', 'undo', 'restore'])
export type PropertyEdit = z.output<typeof PropertyEdit>

const StoredValue = z.union([z.string(), z.number(), z.null()])

/** One changed value of a property. `field` is the name of a field, or `custom.` with the header of another column of an import. */
export const PropertyChange = z.object({
  id: z.string(),
  field: z.string(),
  from: StoredValue,
  to: StoredValue,
  at: z.string(),
  by: z.string(),
  /** A kind of edit, import, or the source of an accepted discrepancy. */
  source: z.string(),
  /** The file of an import or the document of a discrepancy, if the viewer sees it. */
  ref: z.string().nullable(),
})
export type PropertyChange = z.output<typeof PropertyChange>

export const propertyHistoryCall = call(
  'GET',
  '/account_properties/:id/history',
  'view_account_activity',
  'Changed values of a property, newest first',
  {
    query: ActivityQuery.extend({ field: text(200).optional() }),
    output: jsonWith(z.array(PropertyChange), ListMeta),
  },
)

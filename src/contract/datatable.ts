import { z } from 'zod'
import { FILE_NAME_MAX_CHARACTERS, PAGE_MAX, PAGE_SIZE, PAGE_SIZE_MAX, SEARCH_MAX_CHARACTERS } from './limits.ts'
import { Id, Nothing, call, isSame, json, jsonWith, repeating, text } from './route.ts'
import { MODELS, type Model } from './models.ts'
import type { RecordModel } from './permissions.ts'

/** A cell as the server formats it: `value` for sorting and comparing, `text` for display. */
export const Cell = z.object({
  value: z.union([z.string(), z.number(), z.boolean(), z.null()]),
  text: z.string(),
  icon: z.string().optional(),
  class: z.string().optional(),
  link: z.string().optional(),
})
export type Cell = z.output<typeof Cell>

export const PageMeta = z.object({
  current_page: z.number(),
  from: z.number().nullable(),
  to: z.number().nullable(),
  per_page: z.number(),
  last_page: z.number(),
  total: z.number(),
  /** The sums of columns over all rows of the list, by column. */
  totals: z.record(z.string(), z.number()).optional(),
  /** In how many of these rows each of these columns has a value. Without any, the total is unknown, not 0. */
  valued: z.record(z.string(), z.number()).optional(),
  /** Of the totals; null if they are in several currencies. */
  currency: z.string().nullable().optional(),
})
export type PageMeta = z.output<typeof PageMeta>

export const Column = z.object({
  src: z.string(),
  label: z.string(),
  sort: z.string().nullable(),
  sortable: z.boolean(),
  primary: z.boolean(),
  disabled: z.boolean(),
  default: z.boolean(),
  width: z.number().nullable(),
  classes: z.string(),
  icon_only: z.boolean(),
})
export type Column = z.output<typeof Column>

export const Filter = z.object({
  name: z.string(),
  label: z.string(),
  /** What the rows with it have in common, where the label cannot say it. */
  help: z.string().optional(),
  type: z.enum(['select', 'multiselect', 'boolean', 'date_range', 'text']),
  options: z.array(z.object({ value: z.string(), label: z.string() })),
  default: z.string().nullable(),
})
export type Filter = z.output<typeof Filter>

export const RowAction = z.object({
  action: z.string(),
  label: z.string(),
  handle: z.enum(['json', 'blob']),
  fileName: z.string().nullable(),
  supportsPrefix: z.boolean(),
  /** The action that reverses this one. */
  undo: z.string().optional(),
  /** The rule of the rows (`accessible_features`) that the action needs. */
  rule: z.enum(['update', 'delete']).optional(),
  prompt: z
    .object({
      message: z.string(),
      type: z.enum(['confirm', 'text', 'select', 'date']),
      placeholder: z.string().optional(),
      name: z.string(),
      options: z.array(z.object({ value: z.string(), label: z.string() })).optional(),
    })
    .nullable(),
})
export type RowAction = z.output<typeof RowAction>

/** The actions of every list that answer its rows as a file. */
export const EXPORTS = {
  export_excel: { label: 'Export as Excel', format: 'Excel', extension: 'xlsx' },
  export_csv: { label: 'Export as CSV', format: 'CSV', extension: 'csv' },
} as const
export type ExportAction = keyof typeof EXPORTS
export const isExport = (action: string): action is ExportAction => Object.hasOwn(EXPORTS, action)

/** The fields of every row in addition to its cells. */
export const RowBase = z.object({
  id: Id,
  deleted_at: z.string().nullable(),
  is_new: z.boolean(),
  /** What the viewer can do with this row, in lists whose rules depend on more than permissions and the trash. */
  accessible_features: z.object({ update: z.boolean(), delete: z.boolean() }).optional(),
})

/** page, paginate, search, sort, order and filter__*. What the list does not have is ignored, and the message says so. */
export const IndexQuery = z
  .object({
    page: z.coerce.number().int().min(1).max(PAGE_MAX).default(1),
    paginate: z.coerce.number().int().min(1).max(PAGE_SIZE_MAX).default(PAGE_SIZE),
    search: text(SEARCH_MAX_CHARACTERS).optional(),
    sort: z.string().max(60).optional(),
    order: z.enum(['asc', 'desc']).optional(),
  })
  .catchall(z.string().max(2_000))
export type IndexQuery = z.output<typeof IndexQuery>

export const Export = z.object({
  id: Id,
  account_id: Id,
  status: z.enum(['pending', 'processing', 'accessible', 'failed', 'cancelled']),
  file: z.object({ original_file_name: z.string() }),
  source: z.enum(['with-documents', 'property-list']),
  /** A short-lived link, once it is ready. */
  url: z.string().nullable(),
})

/** A record as an action has left it. */
export const ChangedRecord = z.object({ id: Id, version: z.number().int() })
export type ChangedRecord = z.output<typeof ChangedRecord>

export const ActionBody = z.strictObject({
  action: text(60),
  selectedIds: z.array(Id).max(10_000).default([]),
  /** The answer to the prompt by its name, or 'all' for every record that matches the filters. */
  input: z
    .union([z.literal('all'), z.record(z.string(), z.unknown()), z.null()])
    .default({})
    .transform((input) => input ?? {}),
  filters: z.record(z.string().max(100), z.string().max(2_000)).default({}),
  /** Those of an export, in this order; all columns unless given. Its rows are in the order of `sort` and `order` among the filters. */
  columns: z.array(text(60)).min(1).max(100).optional(),
  handle: z.enum(['json', 'blob']).optional(),
  /** The name of the file, with a prefix if the action supports one. */
  fileName: text(FILE_NAME_MAX_CHARACTERS).nullish(),
  /** Only records of this account. */
  account_id: Id.optional(),
  with_documents: z.boolean().optional(),
  /** For undoing an action: the version of each record after it. Nothing is changed if one of them has another version by now. */
  versions: z.record(Id, z.number().int()).optional(),
})
export type ActionBody = z.output<typeof ActionBody>

const actionBody = (model: Model) =>
  repeating(model, ActionBody)
    .refine(({ input, selectedIds }) => input !== 'all' || selectedIds.length === 0, {
      message: 'Please send either selectedIds or the input all.',
      path: ['selectedIds'],
    })
    .refine(({ account_id, filters }) => isSame(account_id, filters['filter__account_id']), {
      message: 'Please filter by the same account.',
      path: ['account_id'],
    })

const Ids = z.array(Id).max(10_000).nullish()
const Selected = z.strictObject({ ids: Ids, selectedIds: Ids })
const Discarded = Selected.extend({ force: z.boolean().nullish() })

const oneList = ({ ids, selectedIds }: z.output<typeof Selected>) => !ids || !selectedIds
const ONE_LIST = { message: 'Please send either ids or selectedIds.', path: ['selectedIds'] }
const notEmpty = ({ ids }: { ids: string[] }) => ids.length > 0
const NOT_EMPTY = { message: 'Please select at least one record.', path: ['ids'] }

const deleteBody = (model: Model) =>
  repeating(model, Discarded)
    .refine(oneList, ONE_LIST)
    .transform(({ ids, selectedIds, force }) => ({ ids: ids ?? selectedIds ?? [], force: force ?? false }))
    .refine(notEmpty, NOT_EMPTY)

const restoreBody = (model: Model) =>
  repeating(model, Selected)
    .refine(oneList, ONE_LIST)
    .transform(({ ids, selectedIds }) => ({ ids: ids ?? selectedIds ?? [] }))
    .refine(notEmpty, NOT_EMPTY)

export const ListMeta = z.object({ meta: PageMeta })

/** The calls of every model with a list; `can` is the permission to open the list. */
export const listCalls = <const M extends Model, R extends z.ZodType>(model: M, row: R) => {
  const can: (typeof MODELS)[M]['list'] = MODELS[model].list
  return {
    index: call('GET', `/${model}`, can, `List ${model}`, { query: IndexQuery, output: jsonWith(z.array(row), ListMeta) }),
    columns: call('GET', `/${model}/columns`, can, `Columns of ${model}`, { output: json(z.array(Column)) }),
    filters: call('GET', `/${model}/filters`, can, `Filters of ${model}`, { output: json(z.array(Filter)) }),
    actions: call('GET', `/${model}/actions`, can, `Row actions of ${model}`, { output: json(z.array(RowAction)) }),
    act: call('POST', `/${model}/actions`, can, `Run a row action on ${model}`, {
      body: actionBody(model),
      mayAnswerFile: true,
      /** `changed` is empty for actions that cannot be undone. */
      output: jsonWith(z.unknown(), z.object({ export: Export.nullable(), changed: z.array(ChangedRecord) })),
    }),
  }
}

/** Trash and restore, for models with a trash. */
export const trashCalls = <const M extends RecordModel | 'account_files'>(model: M) => {
  const can = `delete_${model}` as const
  return {
    trash: call('DELETE', `/${model}`, can, `Trash ${model}, or permanently delete with force`, {
      body: deleteBody(model),
      output: json(Nothing),
    }),
    restore: call('POST', `/${model}/restore`, can, `Restore trashed ${model}`, { body: restoreBody(model), output: json(Nothing) }),
  }
}

import type { Readable } from 'node:stream'
import type { Expression, RawBuilder, SqlBool } from 'kysely'
import type { z } from 'zod'
import type { ActionBody, Cell, Export, ExportAction, Filter, RowAction } from '#contract/datatable.ts'
import { MODELS, declarationOf, type Model } from '#contract/models.ts'
import { isPermission, type PermissionName } from '#contract/permissions.ts'
import type { Viewer } from '#server/access/viewer.ts'
import type { Context } from '../context.ts'
import type { Changed, Versions } from './changed.ts'
import type { RowReader } from './page-statement.ts'

/**
 * The expression to sort by, with a join if it is in another table. A column that some viewers see empty depends on the viewer, since the
 * order would reveal its values.
 */
interface Sort {
  by: RawBuilder<unknown> | ((ctx: Context) => RawBuilder<unknown>)
  join?: RawBuilder<unknown>
  nullsLast?: boolean
  /** Sorted by first, in the same direction, for what the database compares otherwise: numbers that are stored as text. */
  first?: RawBuilder<unknown>
  /** Sorted by after it, in the same direction. */
  after?: readonly RawBuilder<unknown>[]
}

export interface ColumnDefinition {
  label: string
  /** For viewers who do not see its values the list does not have the column: it is not offered, sorted by or exported. */
  isSeen?: (viewer: Viewer) => boolean
  /** Absent: not sortable. */
  sort?: Sort
  primary?: boolean
  /** Cannot be hidden. */
  disabled?: boolean
  /** Whether users see the column until they change their column settings; true by default. */
  default?: boolean | ((ctx: Context) => Promise<boolean>)
  /** In pixels. */
  width?: number
  align?: 'right'
  /** The heading shows an icon, and the label to screen readers. */
  iconOnly?: boolean
  /** How exports write the column, where that differs from the list. */
  exported?: ExportedColumn
}

interface ExportedColumn {
  /** The label of numbers without their unit has the unit: "Size (bytes)". */
  label?: string
  /** Numbers in a column aligned to the right, dates in those with such a name, otherwise text. */
  kind?: 'text' | 'number' | 'money' | 'date'
  /** Another column that the cell shows as well, exported before it. */
  shows?: string
  /** Another column without which rows look alike, exported after it. */
  followedBy?: string
}

/** Columns with these names are dates: the first click on their heading sorts the latest first. */
export const isDateColumn = (src: string): boolean => /_(at|date|on|due)$/.test(src)

export interface FilterDefinition {
  label: string
  /** What the rows with it have in common, where the label cannot say it. */
  help?: string
  /** For viewers who do not see what it compares the list does not have the filter: it would reveal the values. */
  isSeen?: (viewer: Viewer) => boolean
  type: Filter['type']
  options?: (ctx: Context) => Promise<Filter['options']> | Filter['options']
  default?: string
  /** Not in the filter menu; used by links and screens, so it needs no permission to filter. */
  hidden?: boolean
  /** In the filter menu, and also used by a screen of users without the permission to filter, such as the lists of the dashboard. */
  onScreens?: boolean
  /** Undefined for a value that has no meaning: the filter is ignored, and the message says so. `values` is the value split at commas. */
  where: (value: string, values: string[], ctx: Context) => Expression<SqlBool> | undefined
  /** For values that only the database can recognize: whether one of them has no meaning. */
  isUnknown?: (ctx: Context, values: readonly string[]) => Promise<boolean>
}

interface Action {
  label: string
  can: PermissionName
  prompt?: RowAction['prompt']
  /** The action that reverses this one for records that it has changed. */
  undo?: string
  rule?: RowAction['rule']
}
/** `versions` are those that the records must have, for undoing an action; see `requireUnchanged`. */
type Run<Result> = (ctx: Context, ids: string[], input: Record<string, unknown>, versions?: Versions) => Promise<Result>

/** An action that changes records; its result is the message, for one that can be undone with the records that it changed. */
interface ChangingAction extends Action {
  run: Run<string | Changed>
  file?: undefined
}
/** An action that answers a file. */
interface FileAction extends Action {
  run: Run<{ contentType: string; body: Buffer | Readable }>
  /** Users can put a prefix in front of the name if it is supported. */
  file: { name: string; supportsPrefix?: boolean }
}
export type ActionDefinition = ChangingAction | FileAction

/** How exports read the values of columns without whole rows, which are formatted for the list. */
export interface ExportValues {
  /** Selects the columns, and `currency` after amounts, of the visible rows of a batch of ids (an SQL array) in its order. */
  select: (ctx: Context, columns: readonly string[], batch: RawBuilder<unknown>) => RawBuilder<object>
  /** By column: the labels of stored codes. */
  labels: Readonly<Partial<Record<string, Readonly<Record<string, string>>>>>
}

/** What a list sums over all its rows; see `summed`. */
interface Summed<Column> {
  columns: readonly Column[]
  also?: readonly string[]
  hasValue?: Readonly<Record<string, RawBuilder<unknown>>>
  currency: string
}

type CellsOf<R> = { [K in keyof R]: Cell extends R[K] ? (R[K] extends Cell ? K : never) : never }[keyof R] & string

export interface DatatableDefinition<R extends { id: string }> {
  model: Model
  /** The name of the model unless given; its columns are named `table.column` in all expressions. */
  table?: string
  visible: (viewer: Viewer) => Expression<SqlBool>
  /** One entry for each cell of the row; a missing or extra one does not compile. */
  columns: Record<CellsOf<R>, ColumnDefinition>
  defaultSort: { column: CellsOf<R>; order: 'asc' | 'desc' }
  filters?: Record<string, FilterDefinition>
  actions?: Record<string, ActionDefinition>
  /** False for a table without `deleted_at`: its rows cannot be trashed. */
  hasTrash?: false
  /** The permission to search the list; `view_<model>_datatable_search` unless given. */
  canSearch?: PermissionName
  /** The permission to export the list; that to see it unless given. */
  canExport?: PermissionName
  /** Prepares an export as a download of the user, for clients that request JSON. */
  prepareExport?: (ctx: Context, body: ActionBody & { action: ExportAction }) => Promise<z.input<typeof Export>>
  /** Reads the rows of the page, in any order, without ids that no longer exist, perhaps with what of them was searched; or one statement for page and rows (`readRows`). */
  rows: ((ctx: Context, ids: readonly string[], search: string) => Promise<Unmarked<R>[]>) | RowReader<Unmarked<R>>
  /** For exports of many rows: the values that the cells of `rows` show, read in a fraction of the time. */
  exportValues?: ExportValues
  /** Whether rows that another user created are marked until the viewer opens them. The table needs `created_by` and `created_at`. */
  marksNew?: true
  /** The exact total of the unfiltered list as an SQL expression, where it is stored; undefined: count. */
  total?: (ctx: Context) => RawBuilder<unknown> | undefined
  /**
   * Columns that the list of one account sums over all its rows; a list across accounts would take too long; and the column of their
   * currency. `hasValue` says whether a row has a value in a column that is never null, and `also` names fields that are no columns.
   */
  summed?: Summed<CellsOf<R>>
  /** How a search finds rows, where a list is too short for entries in `search_entries`. The pattern is that of `LIKE`, in lower case. */
  matches?: (pattern: string) => Expression<SqlBool>
  /** A subquery of ids that a search finds in addition to those of the search index, if any; `visible` decides about them, too. */
  alsoMatches?: (viewer: Viewer, search: string, accountId: string | undefined) => RawBuilder<unknown> | undefined
  /** An expression that changes with rows that change without an event, for the version of the list of this account. */
  changes?: (account: string | undefined) => RawBuilder<unknown>
  /** The documents among the rows of an export (ids, separated by commas) without which a user does not see the line about it. */
  namesFiles?: (ctx: Context, ids: string) => Promise<string[]>
  /** Models whose changes may change this list. */
  dependsOn: readonly Model[]
  /** Whether rows change with the date in the viewer's time zone, such as those with due dates. */
  dependsOnDate?: true
  /** The column with the account, for lists in an account. */
  accountColumn?: string
}

/** A row as a list reads it; the engine adds whether it is new to the viewer. */
export type Unmarked<R> = Omit<R, 'is_new'>

/** A declared list; its columns are reachable by name only, so that lists of all models have one type. */
export interface Datatable<R extends { id: string } = { id: string }> extends Required<
  Pick<DatatableDefinition<R>, 'model' | 'visible' | 'filters' | 'actions' | 'canSearch' | 'canExport' | 'rows' | 'dependsOn'>
> {
  table: string
  entries: ReadonlyMap<string, ColumnDefinition>
  defaultSort: { sort: Sort; order: 'asc' | 'desc' }
  /** The permission to use filters of the menu, `view_<model>_datatable_filters`; undefined for a model without one. */
  canFilter: PermissionName | undefined
  /** The permission to select rows for an export, that of the check boxes; undefined for a model without one. */
  canSelect: PermissionName | undefined
  /** The permission to see trashed records; undefined without a trash. */
  canSeeTrash: PermissionName | undefined
  marksNew?: true | undefined
  total?: DatatableDefinition<R>['total']
  matches?: DatatableDefinition<R>['matches']
  alsoMatches?: DatatableDefinition<R>['alsoMatches']
  changes?: DatatableDefinition<R>['changes']
  namesFiles?: DatatableDefinition<R>['namesFiles']
  summed?: Summed<string>
  accountColumn?: string | undefined
  dependsOnDate?: true | undefined
  prepareExport?: DatatableDefinition<R>['prepareExport']
  exportValues?: ExportValues
}

/**
 * Declares the list of a model; `listHandlers` serves index, columns, filters and actions from it. Throws an Error, when the process starts,
 * for a list whose permission is missing or whose default order is by a column that cannot be sorted.
 */
export function defineDatatable<R extends { id: string }>({ columns, hasTrash, ...definition }: DatatableDefinition<R>): Datatable<R> {
  const { model, canSearch = permission(`view_${model}_datatable_search`), canExport = MODELS[model].list } = definition
  const canSeeTrash = hasTrash === false ? undefined : permission(`delete_${model}`)
  const { controlledBy = model, actionsWithList } = declarationOf(model)
  const canFilter = permissionIfAny(`view_${model}_datatable_filters`)
  const canSelect = actionsWithList === true ? MODELS[model].list : permissionIfAny(`view_${controlledBy}_datatable_actions`)
  const entries = new Map(Object.entries<ColumnDefinition>(columns))
  const { column, order } = definition.defaultSort
  const { sort } = columns[column]
  if (sort === undefined) throw new Error(`The list of ${model} cannot be sorted by ${column}, its default`)
  const defaultSort = { sort, order }
  const permissions = { canSearch, canExport, canFilter, canSelect, canSeeTrash }
  return { filters: {}, actions: {}, table: model, ...definition, ...permissions, entries, defaultSort }
}

const permissionIfAny = (name: string): PermissionName | undefined => (isPermission(name) ? name : undefined)

/** Throws an Error for a missing permission. */
function permission(name: string): PermissionName {
  if (!isPermission(name)) throw new Error(`There is no permission ${name}; add it to contract/models.ts`)
  return name
}

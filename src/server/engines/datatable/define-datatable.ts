import type { Expression, RawBuilder, SqlBool } from 'kysely'
import type { Cell, Filter, RowAction } from '#contract/datatable.ts'
import type { Model, PermissionName } from '#contract/permissions.ts'
import type { Viewer } from '#server/access/viewer.ts'
import type { Context } from '../context.ts'
import type { RowReader } from './page-statement.ts'

export interface ColumnDefinition {
  label: string
  /** What it sorts by: an expression over the table, with a join where it lies elsewhere. Absent: not sortable. */
  sort?: { by: RawBuilder<unknown>; join?: RawBuilder<unknown>; nullsLast?: boolean }
  primary?: boolean
  /** Cannot be hidden. */
  disabled?: boolean
  /** Shown without a setting of the person; true unless said otherwise. */
  default?: boolean
  /** Pixels. */
  width?: number
  align?: 'right'
}

export interface FilterDefinition {
  label: string
  type: Filter['type']
  options?: (ctx: Context) => Promise<Filter['options']> | Filter['options']
  default?: string
  /** Not offered in the filter menu: used by links and by the screens themselves. */
  hidden?: boolean
  /** Undefined when the value means nothing here: the filter is ignored. `values` is the value split at commas. */
  where: (value: string, values: string[], ctx: Context) => Expression<SqlBool> | undefined
}

export interface ActionDefinition {
  label: string
  can: PermissionName
  handle?: RowAction['handle']
  prompt?: RowAction['prompt']
  run: (ctx: Context, ids: string[], input: Record<string, unknown>) => Promise<string>
}

type CellsOf<R> = { [K in keyof R]: Cell extends R[K] ? (R[K] extends Cell ? K : never) : never }[keyof R] & string

export interface DatatableDefinition<R extends { id: string }> {
  model: Model
  /** The table; its columns are named `table.column` in all expressions. */
  table: string
  visible: (viewer: Viewer) => Expression<SqlBool>
  /** One entry for each cell of the row: a missing or an extra one does not compile. */
  columns: Record<CellsOf<R>, ColumnDefinition>
  defaultSort: { column: CellsOf<R>; order: 'asc' | 'desc' }
  filters: Record<string, FilterDefinition>
  actions: Record<string, ActionDefinition>
  /** False for a table without `deleted_at`: its rows are never trashed. */
  keepsTrash?: false
  /** Who may search, beside seeing the list. */
  canSearch: PermissionName
  /** Who may see trashed records and restore them. */
  canSeeTrash?: PermissionName
  /** Rows of the page, in any order, ids that are gone left out; where one statement reads them, that statement (`readRows`). */
  rows: ((ctx: Context, ids: readonly string[]) => Promise<R[]>) | RowReader<R>
  /** The exact total of the unfiltered list where it is kept, as an SQL expression; undefined: count. */
  total?: (ctx: Context) => RawBuilder<unknown> | undefined
  /** Models whose changes alter this list. */
  dependsOn: readonly Model[]
  /** The column that names the account, for lists inside accounts. */
  accountColumn?: string
}

/** A declared list; its columns are reachable by name only, so that lists of all models have one type. */
export interface Datatable<R extends { id: string } = { id: string }> extends Omit<DatatableDefinition<R>, 'columns' | 'defaultSort'> {
  entries: ReadonlyMap<string, ColumnDefinition>
  defaultSort: { column: string; order: 'asc' | 'desc' }
}

/** Declares the list of a model: from this come index, columns, filters, actions and their checks. */
export function defineDatatable<R extends { id: string }>(definition: DatatableDefinition<R>): Datatable<R> {
  return { ...definition, entries: new Map(Object.entries<ColumnDefinition>(definition.columns)) }
}

import type { ReactNode } from 'react'
import type { ListedModel, Rows } from '#web/data/queries.ts'
import type { FilterWords } from './filter-words.ts'
import type { QueryParts } from './list-state.ts'
import type { OwnCommand } from './row-command.ts'
import type { CellDrawings } from './table-row.ts'

export interface DatatableProps<M extends ListedModel> extends Pick<QueryParts, 'fixed' | 'presets' | 'usualSort'> {
  model: M
  /** What the rows are, as it is said in names of controls: "companies". */
  label: string
  /** Rows open at {basePath}/{id}, are edited at {basePath}/{id}/edit and made at {basePath}/create. */
  basePath: string
  /** Whether a row opens a panel over this list (which keeps the search params) or another page. */
  opens: 'panel' | 'page'
  cells?: CellDrawings<Rows[M]>
  createLabel?: string
  /** Where the address bar carries two lists, stands before each param of this one. */
  prefix?: string
  filterWords?: FilterWords
  /** Filters with a control of their own elsewhere: neither offered nor shown as chips. */
  ownFilters?: readonly string[]
  /** Whether an action of the model has a sense for a row or, without one, for a selection; all have unless said otherwise. */
  fits?: (action: string, row: Rows[M] | null) => boolean
  /** Commands of the feature itself, before those of the model; without a row, for a selection. */
  own?: (row: Rows[M] | null) => readonly OwnCommand[]
  /** Columns that have no sense in this list. */
  without?: readonly string[]
  toolbarStart?: ReactNode
  toolbarEnd?: ReactNode
  /** Instead of the usual text when there is nothing at all. */
  empty?: ReactNode
  /** Totals of the rows of a page, by column. */
  totals?: (rows: readonly Rows[M][]) => Readonly<Record<string, string>>
}

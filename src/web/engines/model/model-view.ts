import type { ReactNode } from 'react'
import type { PermissionName } from '#contract/permissions.ts'
import type { FormModel, LoadContents, Records, Rows } from '#web/data/models.ts'
import type { CellRenderers, TableRow } from '../datatable/cells.tsx'
import type { Fact } from '../panel/facts.tsx'

export interface Viewer {
  can: (name: PermissionName) => boolean
  /** A date, or the date of a point in time. */
  date: (iso: string) => ReactNode
}

interface View<M, Row extends TableRow, Shown> {
  model: M
  /** The title of a record's panel. */
  title: (record: Shown) => string
  facts: (record: Shown, viewer: Viewer) => readonly Fact[]
  /** What the panel has below the facts, such as related records. */
  below?: (record: Shown, viewer: Viewer) => ReactNode
  /** Above the form of an existing record: what is saved by itself. */
  aboveForm?: (id: string) => ReactNode
  /** Whether an action of the model is offered for a row or, without a row, for a selection. */
  appliesTo?: (action: string, row: Row | null) => boolean
  /** Cells of the list that show more than their text. */
  cells?: CellRenderers<Row>
  /** Loads what is deleted with its records, for models whose records contain those of others. */
  loadContents?: LoadContents
}

/** What the standard pages of a model show: its list, its form and the panel of a record. */
export type ModelView<M extends FormModel = FormModel> = View<M, Rows[FormModel], Records[FormModel]>

export const defineView = <const M extends FormModel>(view: View<M, Rows[M], Records[M]>): ModelView<M> => view as unknown as ModelView<M> // the pages pass a view only rows and records of its own model

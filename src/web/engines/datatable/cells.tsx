import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { Cell, Column } from '#contract/datatable.ts'
import { formatExactTime } from '#contract/format.ts'
import { knownSession } from '#web/data/session.ts'
import classes from './table.module.css'

/** What every row has; its cells are under the `src` of their columns. */
export interface TableRow {
  id: string
  deleted_at: string | null
  is_new: boolean
  accessible_features?: { update: boolean; delete: boolean } | undefined
}

/** How a feature renders some cells; all others show their text. */
export type CellRenderers<R extends TableRow> = Readonly<Record<string, (row: R) => ReactNode>>

export const NO_COLUMNS: readonly Column[] = []

const EMPTY: Cell = { value: null, text: '' }
const isCell = (value: unknown): value is Cell =>
  typeof value === 'object' && value !== null && 'text' in value && typeof value.text === 'string'

/** The cell of a row; a plain value counts as a cell. */
export function cellOf(row: TableRow, src: string): Cell {
  const value: unknown = Object.getOwnPropertyDescriptor(row, src)?.value
  if (isCell(value)) return value
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return { value, text: String(value) }
  return EMPTY
}

/** The name of a row in prompts and labels. */
export const rowName = (row: TableRow, columns: readonly Column[]): string =>
  cellOf(row, columns.find((column) => column.primary)?.src ?? '').text || 'this record'

/** The class that aligns the cells of a column. */
export const alignment = (column: Column): string | undefined =>
  column.classes.split(' ').includes('number') ? classes['number'] : undefined

const INSTANT = /^\d{4}-\d\d-\d\dT/
/** The complete text, or the exact time of a point in time, of which a cell has the date. */
const titleOf = ({ value, text }: Cell): string =>
  (typeof value === 'string' && INSTANT.test(value) && formatExactTime(value, knownSession()?.auth_user.company.timezone ?? 'UTC')) || text

/** The text of a cell, cut off at the edge of its column and complete in its title. */
export function CellText({ cell }: { cell: Cell }) {
  const { text, link, class: name } = cell
  if (text === '') return <span aria-hidden>–</span>
  const content = (
    <span className={classes['clip']} title={titleOf(cell)} data-class={name}>
      {text}
    </span>
  )
  if (link === undefined) return content
  // The link comes with the data: only addresses in the application, on the web and of mail are followed.
  if (link.startsWith('/') && !link.startsWith('//')) {
    return (
      <Link to={link} className={classes['link'] ?? ''}>
        {content}
      </Link>
    )
  }
  if (!/^(https?:|mailto:)/.test(link)) return content
  return (
    <a href={link} className={classes['link']} target="_blank" rel="noreferrer">
      {content}
    </a>
  )
}

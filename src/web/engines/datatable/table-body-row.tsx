import IconDots from '@tabler/icons-react/dist/esm/icons/IconDots.mjs'
import { memo, type KeyboardEvent, type MouseEvent, type ReactNode } from 'react'
import type { Column } from '#contract/datatable.ts'
import { CellText } from './cell-text.tsx'
import { RowCheckbox } from './row-checkbox.tsx'
import { RowLink } from './row-link.tsx'
import { cellOf, rowName, type CellDrawings, type TableRow } from './table-row.ts'
import { hasClass } from './visible-columns.ts'
import classes from './table.module.css'

export interface RowProps<R extends TableRow> {
  row: R
  columns: readonly Column[]
  drawings: CellDrawings<R>
  /** Null when the row opens nothing, as a trashed one. */
  link: string | null
  selected: boolean
  onToggle: ((id: string) => void) | null
  onMenu: ((row: R, button: HTMLElement) => void) | null
}

/** Arrow keys walk from row to row in the same kind of control. */
function walk(event: KeyboardEvent<HTMLTableRowElement>) {
  if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
  const from = event.target instanceof HTMLElement ? event.target.closest('[data-walk]') : null
  const kind = from?.getAttribute('data-walk')
  const row = event.key === 'ArrowDown' ? event.currentTarget.nextElementSibling : event.currentTarget.previousElementSibling
  const target = kind === null || kind === undefined ? null : row?.querySelector(`[data-walk="${kind}"]`)
  if (!(target instanceof HTMLElement)) return
  event.preventDefault()
  target.focus()
}

/** A click anywhere in the row opens it, unless it hit a control or ended a selection of text. */
function openByClick(event: MouseEvent<HTMLTableRowElement>) {
  const hit = event.target instanceof Element ? event.target.closest('a, button, input, label, select, textarea, [role="dialog"]') : null
  if (hit !== null || window.getSelection()?.isCollapsed === false) return
  event.currentTarget.querySelector<HTMLAnchorElement>('a[data-walk="open"]')?.click()
}

function PrimaryCell<R extends TableRow>({
  row,
  column,
  drawings,
  link,
}: Pick<RowProps<R>, 'row' | 'drawings' | 'link'> & { column: Column }) {
  const content: ReactNode = drawings[column.src]?.(row) ?? <CellText cell={cellOf(row, column.src)} />
  return (
    <th scope="row" className={classes['primary']}>
      <span className={classes['name']}>
        {link === null ? (
          <span className={classes['clip']}>{content}</span>
        ) : (
          <RowLink to={link} className={classes['link']}>
            {content}
          </RowLink>
        )}
        {row.deleted_at !== null && <span className={classes['deleted']}>Deleted</span>}
        {row.is_new && row.deleted_at === null && <span className={classes['new']}>New</span>}
      </span>
    </th>
  )
}

function BodyRow<R extends TableRow>({ row, columns, drawings, link, selected, onToggle, onMenu }: RowProps<R>) {
  const name = rowName(row, columns.find((column) => column.primary)?.src)
  return (
    <tr
      data-selected={selected || undefined}
      data-linked={link !== null || undefined}
      data-trashed={row.deleted_at !== null || undefined}
      onClick={openByClick}
      onKeyDown={walk}
    >
      {onToggle && (
        <td className={classes['check']}>
          <RowCheckbox label={`Select ${name}`} checked={selected} onChange={() => onToggle(row.id)} />
        </td>
      )}
      {columns.map((column) =>
        column.primary ? (
          <PrimaryCell key={column.src} row={row} column={column} drawings={drawings} link={link} />
        ) : (
          <td key={column.src} className={hasClass(column, 'number') ? classes['number'] : undefined}>
            {drawings[column.src]?.(row) ?? <CellText cell={cellOf(row, column.src)} />}
          </td>
        ),
      )}
      {onMenu && (
        <td className={classes['menu']}>
          <button
            type="button"
            data-walk="menu"
            className={classes['dots']}
            aria-label={`Actions for ${name}`}
            aria-haspopup="menu"
            onClick={(event) => onMenu(row, event.currentTarget)}
          >
            <IconDots size={16} aria-hidden />
          </button>
        </td>
      )}
    </tr>
  )
}

// memo forgets that the component is generic.
export const TableBodyRow = memo(BodyRow) as typeof BodyRow

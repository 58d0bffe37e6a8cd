import IconDots from '@tabler/icons-react/dist/esm/icons/IconDots.mjs'
import { useRouter } from '@tanstack/react-router'
import { memo, type MouseEvent, type ReactNode } from 'react'
import type { Column } from '#contract/datatable.ts'
import { CellText, NO_COLUMNS, alignment, cellOf, rowName, type CellRenderers, type TableRow } from './cells.tsx'
import classes from './table.module.css'

export interface BodyRowProps<R extends TableRow> {
  row: R
  /** Position in the list, from 0. */
  index: number
  columns: readonly Column[]
  /** Columns that are shown below the name instead of in cells. */
  details?: readonly Column[] | undefined
  renderers: CellRenderers<R>
  /** Null when the row opens nothing, for example when it is trashed. */
  link: string | null
  selected: boolean
  /** Whether the row has a checkbox, if rows have one. */
  selectable: boolean
  onToggle: ((id: string) => void) | null
  onMenu: ((row: R, button: HTMLElement) => void) | null
}

/** A click anywhere in a cell with a control of its own uses that, elsewhere it opens the row; not at the end of a text selection. */
function openByClick(event: MouseEvent<HTMLTableRowElement>) {
  const control =
    event.target instanceof Element ? event.target.closest('a, button, input, label, select, textarea, [role="dialog"]') : null
  if (control !== null || window.getSelection()?.isCollapsed === false) return
  const own = event.target instanceof Element ? event.target.closest('td')?.querySelector<HTMLElement>('[data-row-control]') : null
  const target = own ?? event.currentTarget.querySelector<HTMLAnchorElement>('a[data-row-control="open"]')
  target?.click()
}

const isPlainClick = (event: MouseEvent) => event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey

/** A plain anchor with router navigation: the router's own link subscribes to the address, which is too slow for a thousand rows. */
function RowLink({ to, children }: { to: string; children: ReactNode }) {
  const router = useRouter()
  const preload = () => void router.preloadRoute({ to: to.replace(/\?.*/, '') })
  const follow = (event: MouseEvent) => {
    if (!isPlainClick(event)) return
    event.preventDefault()
    router.history.push(to)
  }
  return (
    <a href={to} className={classes['link']} data-row-control="open" onClick={follow} onMouseEnter={preload} onFocus={preload}>
      {children}
    </a>
  )
}

interface RowCheckboxProps {
  label: string
  checked: boolean
  mixed?: boolean
  onChange: () => void
}

/** The browser's own checkbox, which renders fast in long lists. */
export function RowCheckbox({ label, checked, mixed = false, onChange }: RowCheckboxProps) {
  return (
    <label className={classes['checkbox']}>
      <input
        type="checkbox"
        data-row-control="select"
        aria-label={label}
        checked={checked}
        onChange={onChange}
        ref={(input) => {
          if (input) input.indeterminate = mixed
        }}
      />
    </label>
  )
}

interface PrimaryCellProps {
  row: TableRow
  link: string | null
  /** Below the name. */
  details: ReactNode
  children: ReactNode
}

function PrimaryCell({ row, link, details, children }: PrimaryCellProps) {
  return (
    <th scope="row" className={classes['primary']}>
      <span className={classes['name']}>
        {link === null ? <span className={classes['clip']}>{children}</span> : <RowLink to={link}>{children}</RowLink>}
        {row.deleted_at !== null && <span className={classes['deleted']}>Deleted</span>}
        {row.is_new && row.deleted_at === null && <span className={classes['new']}>New</span>}
      </span>
      {details}
    </th>
  )
}

/** Columns below the name of a row: numbers and dates with their label, other texts explain themselves. Empty ones are left out. */
function Details<R extends TableRow>({ row, columns, renderers }: Pick<BodyRowProps<R>, 'row' | 'columns' | 'renderers'>) {
  const filled = columns.filter(({ src }) => cellOf(row, src).text !== '')
  return (
    <span className={classes['details']}>
      {filled.map((column) => (
        <span key={column.src}>
          <span className={column.classes === '' ? 'visually-hidden' : classes['detailLabel']}>{column.label} </span>
          {renderers[column.src]?.(row) ?? <CellText cell={cellOf(row, column.src)} />}
        </span>
      ))}
    </span>
  )
}

/** Empty for a row that cannot be selected. */
function CheckCell({ name, checked, onChange }: { name: string; checked: boolean; onChange: (() => void) | null }) {
  return <td className={classes['check']}>{onChange && <RowCheckbox label={`Select ${name}`} checked={checked} onChange={onChange} />}</td>
}

function Row<R extends TableRow>({
  row,
  index,
  columns,
  details = NO_COLUMNS,
  renderers,
  link,
  selected,
  selectable,
  onToggle,
  onMenu,
}: BodyRowProps<R>) {
  const name = rowName(row, columns)
  return (
    <tr
      data-selected={selected || undefined}
      data-linked={link !== null || undefined}
      data-trashed={row.deleted_at !== null || undefined}
      data-index={index}
      aria-rowindex={index + 2}
      onClick={openByClick}
    >
      {onToggle && <CheckCell name={name} checked={selected} onChange={selectable ? () => onToggle(row.id) : null} />}
      {columns.map((column) => {
        const content = renderers[column.src]?.(row) ?? <CellText cell={cellOf(row, column.src)} />
        return column.primary ? (
          <PrimaryCell
            key={column.src}
            row={row}
            link={link}
            details={details.length > 0 && <Details row={row} columns={details} renderers={renderers} />}
          >
            {content}
          </PrimaryCell>
        ) : (
          <td key={column.src} className={alignment(column)}>
            {content}
          </td>
        )
      })}
      {onMenu && (
        <td className={classes['menu']}>
          <button
            type="button"
            data-row-control="menu"
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

// memo() loses the type parameter of the component.
export const BodyRow = memo(Row) as typeof Row

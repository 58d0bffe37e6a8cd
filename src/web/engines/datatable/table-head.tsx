import IconArrowDown from '@tabler/icons-react/dist/esm/icons/IconArrowDown.mjs'
import IconArrowUp from '@tabler/icons-react/dist/esm/icons/IconArrowUp.mjs'
import type { ReactNode } from 'react'
import type { Column } from '#contract/datatable.ts'
import { alignment } from './cells.tsx'
import { ColumnResizer } from './column-resizer.tsx'
import { firstOrder, sortKey } from './columns.ts'
import type { List } from './list.ts'
import { nextSort } from './list-address.ts'
import { PhoneSort, type PhoneRows } from './phone-rows.tsx'
import type { Selection } from './selection.ts'
import { RowCheckbox } from './table-row.tsx'
import classes from './table.module.css'

interface TableHeadProps {
  list: List
  selection: Selection
  phone: PhoneRows | null
  icons: Readonly<Record<string, ReactNode>> | undefined
  /** What the table reserves for each column, in pixels. */
  widths: readonly number[]
}

export function TableHead({ list, selection, phone, icons = {}, widths }: TableHeadProps) {
  return (
    <thead>
      <tr>
        {list.rights.actions && (
          <th scope="col" className={classes['check']}>
            {selection.isOffered && <RowCheckbox {...selection.all} />}
          </th>
        )}
        {phone && (
          <th scope="col" className={classes['primary']}>
            <PhoneSort list={list} columns={phone.columns} />
          </th>
        )}
        {!phone &&
          list.columns.map((column, index) => (
            <Heading key={column.src} column={column} list={list} icon={icons[column.src]} px={widths[index] ?? 0} />
          ))}
        {list.rights.actions && (
          <th scope="col" className={classes['menu']}>
            <span className="visually-hidden">Actions</span>
          </th>
        )}
      </tr>
    </thead>
  )
}

interface HeadingProps {
  column: Column
  list: List
  icon: ReactNode
  px: number
}

function Heading({ column, list: { state, defaultSort, change, rights, setWidth }, icon, px }: HeadingProps) {
  const key = sortKey(column)
  const { sort, order } = state.sort === null ? (defaultSort ?? state) : state
  const sorted = sort === key ? order : null
  const Arrow = sorted === 'desc' ? IconArrowDown : IconArrowUp
  const label = column.icon_only ? (
    <span title={column.label}>
      {icon}
      <span className="visually-hidden">{column.label}</span>
    </span>
  ) : (
    column.label
  )
  return (
    <th
      scope="col"
      className={[column.primary && classes['primary'], alignment(column)].filter(Boolean).join(' ') || undefined}
      // The name without that of the resizer.
      aria-label={column.label}
      aria-sort={sorted ? (sorted === 'desc' ? 'descending' : 'ascending') : undefined}
    >
      {column.sortable ? (
        <button
          type="button"
          className={classes['sort']}
          onClick={() => change(nextSort(state, { key, first: firstOrder(column) }, defaultSort))}
          data-sorted={sorted !== null || undefined}
        >
          <span className={classes['clip']}>{label}</span>
          {sorted && <Arrow size={14} aria-hidden />}
        </button>
      ) : (
        <span className={classes['clip']}>{label}</span>
      )}
      {rights.columns && <ColumnResizer label={column.label} px={px} onChange={(width) => setWidth(column.src, width)} />}
    </th>
  )
}

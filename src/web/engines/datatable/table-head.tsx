import IconArrowDown from '@tabler/icons-react/dist/esm/icons/IconArrowDown.mjs'
import IconArrowUp from '@tabler/icons-react/dist/esm/icons/IconArrowUp.mjs'
import type { Column } from '#contract/datatable.ts'
import type { ListState } from './list-state.ts'
import { RowCheckbox } from './row-checkbox.tsx'
import { hasClass } from './visible-columns.ts'
import classes from './table.module.css'

interface TableHeadProps {
  columns: readonly Column[]
  state: ListState
  onSort: (key: string) => void
  selectAll: { checked: boolean; mixed: boolean; label: string; onChange: () => void } | null
  withMenu: boolean
}

const ARIA_SORT = { asc: 'ascending', desc: 'descending' } as const

function Heading({ column, state, onSort }: { column: Column; state: ListState; onSort: (key: string) => void }) {
  const key = column.sort ?? column.src
  const sorted = state.sort === key
  const label = column.icon_only ? <span className="visually-hidden">{column.label}</span> : column.label
  const numeric = hasClass(column, 'number') ? classes['number'] : undefined
  return (
    <th
      scope="col"
      className={column.primary ? `${classes['primary'] ?? ''} ${numeric ?? ''}` : numeric}
      aria-sort={sorted ? ARIA_SORT[state.order] : undefined}
    >
      {column.sortable ? (
        <button type="button" className={classes['sort']} onClick={() => onSort(key)} data-sorted={sorted || undefined}>
          <span className={classes['clip']}>{label}</span>
          {sorted && (state.order === 'desc' ? <IconArrowDown size={14} aria-hidden /> : <IconArrowUp size={14} aria-hidden />)}
        </button>
      ) : (
        <span className={classes['clip']}>{label}</span>
      )}
    </th>
  )
}

export function TableHead({ columns, state, onSort, selectAll, withMenu }: TableHeadProps) {
  return (
    <thead>
      <tr>
        {selectAll && (
          <th scope="col" className={classes['check']}>
            <RowCheckbox label={selectAll.label} checked={selectAll.checked} mixed={selectAll.mixed} onChange={selectAll.onChange} />
          </th>
        )}
        {columns.map((column) => (
          <Heading key={column.src} column={column} state={state} onSort={onSort} />
        ))}
        {withMenu && (
          <th scope="col" className={classes['menu']}>
            <span className="visually-hidden">Actions</span>
          </th>
        )}
      </tr>
    </thead>
  )
}

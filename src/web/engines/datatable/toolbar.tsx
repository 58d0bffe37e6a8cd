import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import IconColumns3 from '@tabler/icons-react/dist/esm/icons/IconColumns3.mjs'
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import type { ReactNode } from 'react'
import type { Filter } from '#contract/datatable.ts'
import button from '#web/ui/collapsing-button.module.css'
import { FilterMenu } from './filter-menu.tsx'
import type { ListPatch, ListState } from './list-state.ts'
import { PerPage } from './per-page.tsx'
import { SearchBox } from './search-box.tsx'
import classes from './toolbar.module.css'

interface ToolbarProps {
  label: string
  state: ListState
  change: (patch: ListPatch) => void
  /** Null where the person may not search, filter or choose columns. */
  search: boolean
  filters: readonly Filter[] | null
  onColumns: (() => void) | null
  perPage: number
  onPerPage: (perPage: number) => void
  create: { label: string; to: string } | null
  start?: ReactNode
  end?: ReactNode
}

export function Toolbar({ label, state, change, search, filters, onColumns, perPage, onPerPage, create, start, end }: ToolbarProps) {
  const setFilter = (name: string, value: string) => change({ filters: { ...state.filters, [name]: value } })
  return (
    <div className={`${classes['toolbar'] ?? ''} ${classes['tools'] ?? ''}`} role="group" aria-label={`Tools for ${label}`}>
      {start !== undefined && <div className={classes['start']}>{start}</div>}
      {search && (
        <div className={classes['search']}>
          <SearchBox label={label} value={state.search} onSearch={(text) => change({ search: text })} />
        </div>
      )}
      {filters && filters.length > 0 && <FilterMenu filters={filters} values={state.filters} onChange={setFilter} />}
      <span className={classes['grow']} />
      <PerPage value={perPage} onChange={onPerPage} />
      {onColumns && (
        <Button
          variant="default"
          className={button['collapsing'] ?? ''}
          leftSection={<IconColumns3 size={16} aria-hidden />}
          onClick={onColumns}
        >
          Columns
        </Button>
      )}
      {end}
      {create && (
        <Button
          component={Link}
          to={create.to}
          search={true}
          className={classes['create'] ?? ''}
          leftSection={<IconPlus size={16} aria-hidden />}
        >
          {create.label}
        </Button>
      )}
    </div>
  )
}

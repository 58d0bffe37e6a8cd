import { Button, CloseButton, Group, NativeSelect, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { Link } from '@tanstack/react-router'
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import IconSearch from '@tabler/icons-react/dist/esm/icons/IconSearch.mjs'
import IconColumns3 from '@tabler/icons-react/dist/esm/icons/IconColumns3.mjs'
import { useEffect, useRef, useState, type ReactNode } from 'react'
import { formatAmounts, formatNumber } from '#contract/format.ts'
import { PAGE_SIZES, SEARCH_MAX_CHARACTERS, TABLE_SEARCH_DEBOUNCE_MS } from '#contract/limits.ts'
import { useIsGuest } from '#web/data/session.ts'
import button from '#web/ui/collapsing-button.module.css'
import { lazyPart } from '../lazy-part.tsx'
import { ExportMenu } from './export-menu.tsx'
import { FilterMenu } from './filter-menu.tsx'
import type { List } from './list.ts'
import type { RowCommand, Target } from './row-commands.ts'
import type { Selection } from './selection.ts'
import { ViewMenu } from './view-menu.tsx'
import classes from './controls.module.css'

/** Searches once typing has paused; Enter searches immediately. */
function SearchBox({ label, list }: { label: string; list: List }) {
  const value = list.state.search
  const [text, setText] = useState(value)
  const sent = useRef(value)
  // Another value than the one sent comes from elsewhere, for example from the back button.
  useEffect(() => {
    if (value === sent.current) return
    sent.current = value
    setText(value)
  }, [value])
  const search = useDebouncedCallback((next: string) => {
    if (next === sent.current) return
    sent.current = next
    list.change({ search: next })
  }, TABLE_SEARCH_DEBOUNCE_MS)
  const type = (next: string) => {
    setText(next)
    search(next.trim())
  }
  const clear = () => {
    type('')
    search.flush()
  }
  return (
    <TextInput
      type="search"
      size="sm"
      aria-label={`Search ${label}`}
      placeholder="Search"
      value={text}
      maxLength={SEARCH_MAX_CHARACTERS}
      leftSection={<IconSearch size={16} aria-hidden />}
      rightSection={text === '' ? null : <CloseButton size="sm" aria-label="Clear search" onClick={clear} />}
      onChange={(event) => type(event.currentTarget.value)}
      onKeyDown={(event) => event.key === 'Enter' && search.flush()}
    />
  )
}

const ColumnSettings = lazyPart(async () => (await import('./column-settings.tsx')).ColumnSettings)

/** The panel has its own address; its code loads when it is opened. */
function ColumnsButton({ list }: { list: List }) {
  const { panel, openPanel, closePanel } = list
  return (
    <>
      <Button
        variant="default"
        className={button['collapsing'] ?? ''}
        leftSection={<IconColumns3 size={16} aria-hidden />}
        onClick={() => openPanel('columns')}
      >
        Columns
      </Button>
      {panel === 'columns' && <ColumnSettings list={list} onClose={closePanel} />}
    </>
  )
}

interface ToolbarProps {
  label: string
  list: List
  create: { label: string; to: string } | null
  start?: ReactNode
  /** In the free space of the line, cut where that ends: it may come and go without moving the rows. */
  note?: ReactNode
  end?: ReactNode
  /** Room for the search and the filters only. */
  isNarrow?: boolean | undefined
}

export function Toolbar({ label, list, create, start, note, end, isNarrow }: ToolbarProps) {
  const { rights, filters } = list
  const isGuest = useIsGuest()
  const sizes = [...new Set([...PAGE_SIZES, list.perPage])].toSorted((left, right) => left - right)
  return (
    <Group className={classes['toolbar'] ?? ''} gap={8} mih={52} py={8} role="group" aria-label={`Tools for ${label}`}>
      {start !== undefined && <div className={classes['start']}>{start}</div>}
      {rights.search && (
        <div className={classes['search']}>
          <SearchBox label={label} list={list} />
        </div>
      )}
      {rights.filters && filters.length > 0 && <FilterMenu list={list} />}
      {!isNarrow && (
        <>
          {!isGuest && (rights.search || rights.filters || rights.columns) && <ViewMenu list={list} />}
          <span className={classes['grow']}>{note}</span>
          {!list.windowed && (
            <NativeSelect
              className={classes['perPage'] ?? ''}
              aria-label="Rows per page"
              value={list.perPage}
              data={sizes.map((size) => ({ value: String(size), label: `${size} rows` }))}
              onChange={(event) => list.setPerPage(Number(event.currentTarget.value))}
            />
          )}
          {rights.columns && <ColumnsButton list={list} />}
          <ExportMenu list={list} />
          {end}
          {create && rights.create && (
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
        </>
      )}
    </Group>
  )
}

interface SelectionBarProps {
  selection: Selection
  /** The commands with the selected rows that each of them applies to. */
  choices: readonly { command: RowCommand; target: Target }[]
  onCommand: (command: RowCommand, target: Target) => void
}

/** Replaces the toolbar while rows are selected. */
export function SelectionBar({ selection, choices, onCommand }: SelectionBarProps) {
  return (
    <Group className={classes['selected'] ?? ''} gap={8} mih={52} py={8} role="group" aria-label="Actions for the selection">
      <span className={classes['count']} role="status">
        {formatNumber(selection.count)} selected
        {selection.target.value !== null && <span className={classes['value']}>{formatAmounts(selection.target.value)}</span>}
      </span>
      {choices.map(({ command, target }) => (
        <Button
          key={command.label}
          variant="default"
          {...(command.dangerous ? { c: 'var(--critical)' } : {})}
          onClick={() => onCommand(command, target)}
        >
          {command.label}
        </Button>
      ))}
      <span className={classes['grow']} />
      <Button variant="subtle" onClick={selection.clear}>
        Clear selection
      </Button>
    </Group>
  )
}

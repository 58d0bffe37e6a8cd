import { Button, CloseButton, Group, NativeSelect, SegmentedControl, TextInput } from '@mantine/core'
import { useDebouncedCallback, useDisclosure } from '@mantine/hooks'
import { Link } from '@tanstack/react-router'
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import IconSearch from '@tabler/icons-react/dist/esm/icons/IconSearch.mjs'
import IconColumns3 from '@tabler/icons-react/dist/esm/icons/IconColumns3.mjs'
import { useEffect, useRef, useState, type ReactNode } from 'react'
import { formatAmounts, formatNumber } from '#contract/format.ts'
import { PAGE_SIZES, SEARCH_MAX_CHARACTERS, TABLE_SEARCH_DEBOUNCE_MS } from '#contract/limits.ts'
import { PanelFooter, SidePanel } from '../panel/route-panel.tsx'
import button from '#web/ui/collapsing-button.module.css'
import { isVisible } from './columns.ts'
import { FilterMenu } from './filters.tsx'
import type { List } from './list.ts'
import type { RowCommand, Target } from './row-commands.ts'
import type { Selection } from './selection.ts'
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

const ROW_HEIGHTS = [
  { value: 'comfortable', label: 'Comfortable rows' },
  { value: 'compact', label: 'Compact rows' },
]

/** Which columns the table shows, and the height of its rows; each change applies immediately and is saved for the user. */
function ColumnSettings({ list: { offeredColumns, columnChoices, chooseColumns, compact, setCompact } }: { list: List }) {
  const [opened, { open, close }] = useDisclosure()
  return (
    <>
      <Button variant="default" className={button['collapsing'] ?? ''} leftSection={<IconColumns3 size={16} aria-hidden />} onClick={open}>
        Columns
      </Button>
      {opened && (
        <SidePanel title="Columns" size="small" onClose={close}>
          <SegmentedControl
            fullWidth
            flex="none"
            mb={12}
            aria-label="Row height"
            data={ROW_HEIGHTS}
            value={compact ? 'compact' : 'comfortable'}
            onChange={(height) => setCompact(height === 'compact')}
          />
          <ul className={classes['columnList']}>
            {offeredColumns.map((column) => (
              <li key={column.src}>
                <label className={classes['column']}>
                  <input
                    type="checkbox"
                    checked={isVisible(column, columnChoices)}
                    disabled={column.disabled}
                    onChange={(event) => chooseColumns({ ...columnChoices, [column.src]: event.currentTarget.checked })}
                  />
                  {column.label}
                  {column.disabled && <span className={classes['always']}>always shown</span>}
                </label>
              </li>
            ))}
          </ul>
          <PanelFooter>
            <Button variant="default" onClick={() => chooseColumns({})}>
              Use the usual columns
            </Button>
            <Button onClick={close}>Done</Button>
          </PanelFooter>
        </SidePanel>
      )}
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
}

export function Toolbar({ label, list, create, start, note, end }: ToolbarProps) {
  const { rights, filters } = list
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
      {rights.columns && <ColumnSettings list={list} />}
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

import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef, type ReactNode } from 'react'
import { isExport, type Column } from '#contract/datatable.ts'
import type { ListedModel, LoadContents, Rows } from '#web/data/models.ts'
import { rowName, type CellRenderers, type TableRow } from './cells.tsx'
import { stringifySearch, useSearchParams } from '#web/search-params.ts'
import { FilterBar } from './filter-bar.tsx'
import { lazyPart } from '../lazy-part.tsx'
import { useList, type List, type ListOptions } from './list.ts'
import { ListFoot } from './list-foot.tsx'
import { usePhoneRows } from './phone-rows.tsx'
import { serverCommands, type ExtraCommand, type RowCommand, type Target } from './row-commands.ts'
import type { UndoInput } from './undo-action.ts'
import { ruleAllows } from './row-rules.ts'
import { RowMenu, useRowMenu } from './row-menu.tsx'
import { useSelection, amountsOf, type Selection } from './selection.ts'
import { BodyRow } from './table-row.tsx'
import { Table } from './table.tsx'
import { SelectionBar, Toolbar } from './toolbar.tsx'
import { useCommands } from './use-commands.ts'
import classes from './controls.module.css'

/** Loaded with the first question. */
const PromptDialog = lazyPart(async () => (await import('./prompt-dialog.tsx')).PromptDialog)

export interface DatatableProps<M extends ListedModel> extends ListOptions<M> {
  /** The plural name of the rows in labels of controls: "companies". */
  label: string
  /** Rows open at {basePath}/{id}, are edited at {basePath}/{id}/edit and created at {basePath}/create. */
  basePath: string
  /** Where a row opens, if not at {basePath}/{id}. */
  rowHref?: (row: Rows[M]) => string
  /** Whether a row opens in a panel over this list, which preserves the search params, or on another page. */
  openIn: 'panel' | 'page'
  cells?: CellRenderers<Rows[M]>
  /** The icons of columns whose heading is an icon, by `src`. */
  headingIcons?: Readonly<Record<string, ReactNode>>
  /** On a phone, everything that a row shows, in two lines of one cell; by default the name, and below it the other columns. */
  phoneCell?: (row: Rows[M]) => ReactNode
  /** Columns that a row leaves out on a phone. */
  hiddenOnPhone?: readonly string[]
  createLabel?: string
  /** False for rows that are not edited in a form. */
  hasForm?: boolean
  /** Whether an action of the model applies to a row or, without a row, to a selection. By default all do. */
  appliesTo?: (action: string, row: Rows[M] | null, query: Readonly<Record<string, string>>) => boolean
  /** With which input the opposite of an action undoes what it has done to these rows; undefined when that is not known. */
  undoInputs?: (action: string, rows: readonly Rows[M][]) => readonly UndoInput[] | undefined
  /** Commands of the feature, listed before those of the model; without a row, for a selection. */
  extraCommands?: (row: Rows[M] | null) => readonly ExtraCommand[]
  /** Loads what is deleted with rows, for models whose rows contain records of others. */
  loadContents?: LoadContents
  /** Whether any command applies to the row; by default to all rows. */
  isSelectable?: (row: Rows[M]) => boolean
  toolbarStart?: ReactNode
  toolbarNote?: ReactNode
  toolbarEnd?: ReactNode
  /** The list is next to what it opens: the toolbar has the search and the filters only. */
  isNarrow?: boolean
  /** Replaces the default text when there are no records. */
  empty?: ReactNode
  /** Replaces the default text when no record has the search and the filters. */
  nothingFound?: string | undefined
  /** How the totals of columns are shown, for lists that have some. */
  formatTotal?: (sum: number, currency: string | null | undefined) => string
}

/** The list of a model: search, filters, columns, pages, selection and row actions, as the server describes them. */
export function Datatable<M extends ListedModel>(props: DatatableProps<M>) {
  const { label, basePath, createLabel } = props
  const { list, cells, phone } = usePhoneRows(useList(props), props)
  const { columns, rights } = list
  const selection = useSelection(list, props.isSelectable)
  const menu = useRowMenu(list.rows)
  const { start, prompt } = useCommands(list, selection.clear)
  const { hrefOf, linksFor } = useRowLinks(props, rights.update)
  const section = useFocusAfterSelection(selection.ids.size > 0)

  const renderRow = (row: Rows[M], index: number) => (
    <BodyRow
      key={row.id}
      row={row}
      index={index}
      columns={columns}
      details={phone?.details}
      renderers={cells}
      link={hrefOf(row)}
      selected={selection.ids.has(row.id)}
      selectable={props.isSelectable?.(row) ?? true}
      onToggle={rights.actions ? selection.toggle : null}
      onMenu={rights.actions ? menu.open : null}
    />
  )
  return (
    <section ref={section} className={classes['datatable']} aria-label={label} data-edge={list.windowed || undefined}>
      {selection.ids.size > 0 ? (
        <SelectionBar selection={selection} choices={selectionChoices(props, list, selection)} onCommand={start} />
      ) : (
        <Toolbar
          label={label}
          list={list}
          create={createLabel === undefined ? null : { label: createLabel, to: `${basePath}/create` }}
          start={props.toolbarStart}
          note={props.toolbarNote}
          end={props.toolbarEnd}
          isNarrow={props.isNarrow}
        />
      )}
      <FilterBar list={list} />
      <Table {...props} list={list} selection={selection} renderRow={renderRow} phone={phone} />
      <ListFoot label={label} list={list} format={props.formatTotal} />
      {menu.opened && (
        <RowMenu
          opened={menu.opened}
          links={linksFor(menu.opened.row)}
          commands={commandsOf(props, list, onlyRow(menu.opened.row))}
          onCommand={(command) => menu.opened && start(command, targetOf(menu.opened.row, columns))}
          onClose={menu.close}
        />
      )}
      {prompt && <PromptDialog {...prompt} />}
    </section>
  )
}

/** The command that ended a selection is gone with its bar; without this, the next key would start at the top of the page. */
function useFocusAfterSelection(isSelected: boolean) {
  const section = useRef<HTMLElement>(null)
  useEffect(() => {
    if (!isSelected) return undefined
    const list = section.current
    return () => {
      // Later, when the dialog of the command is gone, too.
      setTimeout(() => {
        if (document.activeElement !== document.body) return
        list?.querySelector<HTMLElement>('input[type="checkbox"]')?.focus({ preventScroll: true })
      })
    }
  }, [isSelected])
  return section
}

const targetOf = (row: TableRow, columns: readonly Column[]): Target => ({
  ids: [row.id],
  name: rowName(row, columns),
  everything: false,
  count: 1,
  value: amountsOf([row]),
})

/** The commands of the selection, each with the selected rows that it applies to. */
function selectionChoices<M extends ListedModel>(props: DatatableProps<M>, list: List<M>, { rows, parts }: Selection<Rows[M]>) {
  const choices = (target: Target | undefined, trashed: boolean) => {
    if (target === undefined) return []
    const known = rows.filter(({ deleted_at }) => (deleted_at !== null) === trashed)
    return commandsOf(props, list, { row: null, known, count: target.count, trashed }).map((command) => ({ command, target }))
  }
  return [...choices(parts.live, false), ...choices(parts.trashed, true)]
}

interface Affected<R> {
  /** Null for a selection. */
  row: R | null
  /** The rows that are known of the `count` rows. */
  known: readonly R[]
  count: number
  trashed: boolean
}

const onlyRow = <R extends TableRow>(row: R): Affected<R> => ({ row, known: [row], count: 1, trashed: row.deleted_at !== null })

/** The commands of a row, or of the selected rows. */
function commandsOf<M extends ListedModel>(
  { appliesTo, undoInputs, extraCommands, loadContents }: DatatableProps<M>,
  list: List<M>,
  { row, known, count, trashed }: Affected<Rows[M]>,
): RowCommand[] {
  const applies = (action: string, one: Rows[M] | null) => appliesTo?.(action, one, list.query) ?? true
  // Exports are for a selection or the list; in the menu of each row, they would be in the way.
  const offered = row === null ? list.actions : list.actions.filter(({ action }) => !isExport(action))
  const actions = offered.filter(({ action }) =>
    known.length === count ? known.some((one) => applies(action, one)) : applies(action, row),
  )
  // Rows on other pages may have changed since they were selected.
  const onPage = new Set(row === null ? list.rows : known)
  const shown = known.filter((one) => onPage.has(one))
  const inputs = (action: string, ids: readonly string[]) => {
    const rows = shown.filter(({ id }) => ids.includes(id))
    return rows.length === ids.length ? undoInputs?.(action, rows) : undefined
  }
  return [
    ...(trashed ? [] : (extraCommands?.(row) ?? [])),
    ...serverCommands(list, actions, known, { trashed, undoInputs: inputs, loadContents }),
  ]
}

/** Where a row opens, unless it is trashed, and the links of its menu. */
function useRowLinks<M extends ListedModel>({ basePath, openIn, rowHref, hasForm = true }: DatatableProps<M>, mayUpdate: boolean) {
  const { panel: _closed, ...params } = useSearchParams()
  const search = stringifySearch(params)
  const navigate = useNavigate()
  const addressOf = (row: Rows[M]) => rowHref?.(row) ?? `${basePath}/${row.id}${openIn === 'panel' ? search : ''}`
  const hrefOf = (row: Rows[M]) => (row.deleted_at === null ? addressOf(row) : null)
  const linksFor = (row: Rows[M]): RowCommand[] => {
    const href = hrefOf(row)
    if (href === null) return []
    const open = { label: 'Open', run: () => void navigate({ href }) }
    const edit = { label: 'Edit', run: () => void navigate({ to: `${basePath}/${row.id}/edit`, search: true }) }
    return hasForm && mayUpdate && ruleAllows(row, 'update') ? [open, edit] : [open]
  }
  return { hrefOf, linksFor }
}

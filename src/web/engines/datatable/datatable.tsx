import { useLocation } from '@tanstack/react-router'
import type { ListedModel, Rows } from '#web/data/queries.ts'
import { ColumnSettings } from './column-settings.tsx'
import type { DatatableProps } from './datatable-props.ts'
import { FilterBar } from './filter-bar.tsx'
import { nextSort } from './list-state.ts'
import { Pager } from './pager.tsx'
import { PromptDialog } from './prompt-dialog.tsx'
import { commandsFor } from './row-command.ts'
import { RowMenu } from './row-menu.tsx'
import { SelectionBar } from './selection-bar.tsx'
import { SkeletonBody, SkeletonHead } from './skeleton-body.tsx'
import { TableBodyRow } from './table-body-row.tsx'
import { TableFoot } from './table-foot.tsx'
import { TableHead } from './table-head.tsx'
import { tableMessage } from './table-message.tsx'
import { rowName } from './table-row.ts'
import { TableView } from './table-view.tsx'
import { Toolbar } from './toolbar.tsx'
import { useDatatable } from './use-datatable.ts'
import classes from './datatable.module.css'

const always = () => true
const NO_CELLS = {}

/** The list of a model: search, filters, columns, pages, selection and row actions, all from what the server says about it. */
export function Datatable<M extends ListedModel>(props: DatatableProps<M>) {
  const { label, basePath, opens, cells = NO_CELLS, fits = always, createLabel, toolbarStart, toolbarEnd, totals } = props
  const table = useDatatable(props)
  const { address, data, rights, rows, columns, selection, menu, commands, trashedOnly } = table
  const withCheck = rights.act || rights.delete
  const withMenu = withCheck || rights.update
  const loading = data.rows === undefined && data.error === null
  // A panel opens over the list and keeps what is set there; another page starts afresh.
  const kept = useLocation().searchStr
  const linkOf = (id: string) => `${basePath}/${id}${opens === 'panel' ? kept : ''}`
  const rowCommands = (row: Rows[M] | null) => {
    const fitting = data.actions.filter((action) => fits(action.action, row))
    const trashed = row === null ? trashedOnly : row.deleted_at !== null
    return [...(trashed ? [] : (props.own?.(row) ?? [])), ...commandsFor(trashed, fitting, rights)]
  }
  const boneColumns = Math.max(columns.length, 5) + (withCheck ? 1 : 0) + (withMenu ? 1 : 0)
  return (
    <section className={classes['root']} aria-label={label}>
      {selection.ids.size > 0 ? (
        <SelectionBar
          count={table.selectedCount}
          commands={rowCommands(null)}
          onCommand={(command) => commands.start(command, table.target)}
          onClear={selection.clear}
        />
      ) : (
        <Toolbar
          label={label}
          state={address.state}
          change={address.change}
          search={rights.search}
          filters={rights.filters ? table.offeredFilters : null}
          onColumns={rights.columns ? table.columnPanel.open : null}
          perPage={table.perPage}
          onPerPage={table.setPerPage}
          create={createLabel !== undefined && rights.create ? { label: createLabel, to: `${basePath}/create` } : null}
          start={toolbarStart}
          end={toolbarEnd}
        />
      )}
      <FilterBar chips={table.chips} onClear={table.clearFilter} onClearAll={table.clearFilters} />
      <TableView
        label={label}
        columns={columns}
        withCheck={withCheck}
        withMenu={withMenu}
        rows={rows}
        busy={loading || data.stale}
        head={
          columns.length === 0 ? (
            loading && <SkeletonHead columns={boneColumns} />
          ) : (
            <TableHead
              columns={columns}
              state={address.state}
              onSort={(key) => address.change(nextSort(address.state, key))}
              selectAll={withCheck ? table.selectAll : null}
              withMenu={withMenu}
            />
          )
        }
        body={loading ? <SkeletonBody rows={table.perPage} columns={boneColumns} /> : undefined}
        message={tableMessage(table, props.empty)}
        foot={
          totals && rows.length > 0 ? (
            <TableFoot columns={columns} totals={totals(rows)} withCheck={withCheck} withMenu={withMenu} />
          ) : undefined
        }
        drawRow={(row) => (
          <TableBodyRow
            key={row.id}
            row={row}
            columns={columns}
            drawings={cells}
            link={row.deleted_at === null ? linkOf(row.id) : null}
            selected={selection.ids.has(row.id)}
            onToggle={withCheck ? selection.toggle : null}
            onMenu={withMenu ? menu.open : null}
          />
        )}
      />
      {data.meta && <Pager meta={data.meta} label={label} onPage={(page) => address.change({ page })} />}
      {menu.menu && (
        <RowMenu
          place={menu.menu.place}
          links={table.linksOf(menu.menu.row)}
          commands={rowCommands(menu.menu.row)}
          onCommand={(command) =>
            menu.menu && commands.start(command, { ids: [menu.menu.row.id], name: rowName(menu.menu.row, table.primary) })
          }
          onClose={menu.close}
        />
      )}
      {commands.prompt && (
        <PromptDialog
          key={commands.prompt.title}
          prompt={commands.prompt}
          busy={commands.busy}
          onAnswer={commands.answer}
          onClose={commands.cancel}
        />
      )}
      {table.columnPanel.opened && (
        <ColumnSettings
          columns={table.offeredColumns}
          chosen={table.chosenColumns}
          onChange={table.columnPanel.choose}
          onReset={() => table.columnPanel.choose({})}
          onClose={table.columnPanel.close}
        />
      )}
    </section>
  )
}

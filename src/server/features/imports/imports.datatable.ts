import { sql, type SqlBool } from 'kysely'
import type { HistoryItem } from '#contract/imports.ts'
import { IMPORT_STATE_LABELS, propertyImportCalls, type PropertyImportRow } from '#contract/property-imports.ts'
import { visibleImports } from '#server/access/imports.ts'
import { timezoneOf, type Viewer } from '#server/access/viewer.ts'
import type { Context } from '#server/engines/context.ts'
import { dateCell, labelCell, textCell, wholeCell } from '#server/engines/datatable/cells.ts'
import { defineDatatable, type Unmarked } from '#server/engines/datatable/define-datatable.ts'
import { choiceFilter, idFilter } from '#server/engines/datatable/filters.ts'
import { listHandlers } from '#server/engines/datatable/list-routes.ts'
import { implement } from '#server/engines/http/answer.ts'
import { presentHistory } from './import-history.presenter.ts'
import { importsWithIds, undoableImport } from './imports.queries.ts'

const column = (name: string) => sql.ref(`imports.${name}`)

/** The imports of the accounts that a viewer imports into. Their pages are opened and changed by `importCalls`. */
export const importDatatable = defineDatatable<PropertyImportRow>({
  model: 'property_imports',
  marksNew: true,
  table: 'imports',
  hasTrash: false,
  visible: visibleImports,
  canSearch: 'view_account_properties_datatable_search',
  accountColumn: 'account_id',
  dependsOn: ['property_imports', 'account_properties', 'account_files'],
  defaultSort: { column: 'created_at', order: 'desc' },
  columns: {
    file_name: { label: 'File', primary: true, width: 190, sort: { by: column('file_name') } },
    state: { label: 'Status', width: 268, sort: { by: column('state') } },
    total: { label: 'Locations', align: 'right', width: 94 },
    created: { label: 'Added', align: 'right', width: 78 },
    updated: { label: 'Changed', align: 'right', width: 90 },
    divested: { label: 'Divested', align: 'right', width: 92 },
    failed: { label: 'Errors', align: 'right', width: 76 },
    created_by: { label: 'Imported by', width: 118, sort: { by: column('created_by_name') } },
    created_at: { label: 'Started', width: 116, sort: { by: column('created_at') } },
    committed_at: { label: 'Imported', default: false, width: 116, sort: { by: column('committed_at'), nullsLast: true } },
  },
  filters: {
    account_id: idFilter('Account', 'imports.account_id'),
    state: choiceFilter('Status', 'imports.state', IMPORT_STATE_LABELS),
  },
  matches: (pattern) => sql<SqlBool>`lower(concat_ws(' ', imports.file_name, imports.created_by_name)) LIKE ${pattern}`,
  // Jobs change imports without an event.
  changes: (account) =>
    sql`(SELECT coalesce(sum(extract(epoch FROM i.updated_at)), 0) FROM imports i ${account === undefined ? sql`` : sql`WHERE i.account_id = ${account}`})`,
  rows,
})

async function rows(ctx: Context, ids: readonly string[]): Promise<Unmarked<PropertyImportRow>[]> {
  const records = await importsWithIds(ctx.db, ids)
  const [account, ...others] = new Set(records.map(({ account_id }) => account_id))
  // The undo is offered in the account of an import.
  const undoable = account === undefined || others.length > 0 ? undefined : await undoableImport(ctx.db, account)
  return records.map((record) => presentRow(ctx.viewer, presentHistory(record, undoable), record.sums?.file.rows ?? null))
}

const dateOf = (iso: string | null) => (iso === null ? null : new Date(iso))

/** @param locations of the file, without titles and totals; null while they are not known */
function presentRow(viewer: Viewer, item: HistoryItem, locations: number | null): Unmarked<PropertyImportRow> {
  const timezone = timezoneOf(viewer)
  const isDone = item.state === 'committed' || item.state === 'undone'
  // Before the commit nothing was added, changed or divested.
  const done = (count: number) => wholeCell(isDone ? count : null)
  return {
    id: item.id,
    deleted_at: null,
    file_name: textCell(item.file_name),
    state: labelCell(item.state, IMPORT_STATE_LABELS),
    total: wholeCell(locations),
    created: done(item.created),
    updated: done(item.updated),
    divested: done(item.counts.remove ?? 0),
    failed: wholeCell(isDone || item.state === 'validated' ? item.failed : null),
    created_by: textCell(item.created_by),
    created_at: dateCell(new Date(item.created_at), timezone),
    committed_at: dateCell(dateOf(item.committed_at), timezone),
    item,
  }
}

export const propertyImportRoutes = implement(propertyImportCalls, listHandlers(importDatatable, propertyImportCalls.index))

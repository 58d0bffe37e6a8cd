import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import { sql } from 'kysely'
import { EXPORTS, IndexQuery, type ActionBody, type ExportAction } from '#contract/datatable.ts'
import { formatNumber, sentenceCase } from '#contract/format.ts'
import { EXPORTS_PER_MINUTE, EXPORT_ROWS_MAX, MINUTE_MS } from '#contract/limits.ts'
import { MODELS } from '#contract/models.ts'
import { uuids } from '#server/access/scope.ts'
import { viewerId } from '#server/access/viewer.ts'
import { countIds, idsAsText } from '#server/db/read-batches.ts'
import { AppError, invalid, notFound, tooLarge } from '#server/kernel/errors.ts'
import type { Context } from '../context.ts'
import { issueText } from '../http/issue-text.ts'
import { packageWorkbook } from '../packages/package-properties.ts'
import { newPackage } from '../packages/packages.ts'
import { countAttempt } from '../secrets/limiter.ts'
import { writeCsv } from '../spreadsheet/write/write-csv.ts'
import { writeWorkbook, type SheetData, type Workbook } from '../spreadsheet/write/write-workbook.ts'
import { accepted, accountOf, conditions } from './conditions.ts'
import type { Datatable } from './define-datatable.ts'
import { recordedExport } from './export-activity.ts'
import { exportedColumns, exportedRows } from './export-rows.ts'
import { ordering } from './index-list.ts'

const FORMATS: Readonly<
  Record<ExportAction, { contentType: string; write: (sheet: SheetData, about: Omit<Workbook, 'sheets'>) => Readable }>
> = {
  export_excel: {
    contentType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    write: (sheet, about) => writeWorkbook({ sheets: [sheet], ...about }),
  },
  export_csv: { contentType: 'text/csv; charset=utf-8', write: writeCsv },
}

/** The file of an export: "properties.xlsx". */
export const exportFile = ({ model }: Pick<Datatable, 'model'>, action: ExportAction) => ({
  name: `${MODELS[model].many}.${EXPORTS[action].extension}`,
  supportsPrefix: true,
})

/**
 * The rows of a list as a file: those that match the filters in the order of the list, or the selected ones. Their ids are read first, then
 * the rows in batches as fast as the client reads the file, so that memory stays small and other requests are not delayed. A row that the
 * viewer no longer sees when its batch is read is left out. The export is recorded when its file is complete.
 * Errors: `invalid` for a filter, order or column that the list does not have, `not_found` without rows and for a selected record that is
 * not visible, `too_large` for more rows than an export can contain, `throttled` after too many exports.
 */
export async function exportList(ctx: Context, table: Datatable, body: ActionBody & { action: ExportAction }) {
  const columns = exportedColumns(ctx, table, body.columns)
  const ids = await exportedIds(ctx, table, body)
  const limit = { key: `exports ${viewerId(ctx.viewer)}`, points: EXPORTS_PER_MINUTE, perMs: MINUTE_MS }
  await countAttempt(ctx, limit, 'You have exported many lists.')
  const { contentType, write } = FORMATS[body.action]
  const sheet = { name: sentenceCase(MODELS[table.model].many), columns: columns.map(({ column }) => column), frozenHeader: true }
  const written = { rows: 0, content: body.action === 'export_excel' ? createHash('sha256') : undefined }
  const made = newPackage(ctx)
  const about = packageWorkbook(ctx, made, { title: sheet.name, content: written.content })
  const file = write({ ...sheet, rows: exportedRows(ctx, table, { columns, ids, written }), autoFilter: true }, about)
  const account = accountOf(table, queryOf(body))
  const series = seriesOf(ctx, table, body)
  return { contentType, body: recordedExport(ctx, file, { table, action: body.action, account, ids, written, made, series }) }
}

/** A user's exports of the same rows and columns replace each other. */
const seriesOf = ({ viewer }: Context, { model }: Datatable, { action, input, filters, selectedIds, columns, account_id }: ActionBody) => [
  'list',
  action,
  model,
  viewerId(viewer),
  account_id ?? null,
  columns ?? null,
  input === 'all'
    ? Object.keys(filters)
        .toSorted()
        .map((name) => [name, filters[name]])
    : selectedIds.toSorted(),
]

const accountFilter = ({ account_id }: ActionBody) => (account_id === undefined ? {} : { filter__account_id: account_id })
const queryOf = (body: ActionBody) => ({ ...body.filters, ...accountFilter(body) })

/** The ids in order (`idsAsText`). */
async function exportedIds(ctx: Context, table: Datatable, body: ActionBody): Promise<string> {
  const { input, selectedIds } = body
  const inAccount = accountFilter(body)
  const query = IndexQuery.parse(queryOf(body), { error: issueText })
  const { message } = await accepted(ctx, table, query)
  if (message !== '') throw invalid({ filters: [message] })
  const chosen = input !== 'all'
  const { sort, order } = query
  const id = sql.ref(`${table.table}.id`)
  const { many } = MODELS[table.model]
  const { where } = conditions(ctx, table, chosen ? { ...inAccount, filter__trashed: 'with' } : query)
  const { by, join } = ordering(ctx, table, { sort, order })
  const rows = chosen ? sql`${id} = ANY(${uuids(selectedIds)}) AND ${where}` : where
  const listed = sql`SELECT ${id} FROM ${sql.table(table.table)} ${join} WHERE ${rows} ORDER BY ${by} LIMIT ${EXPORT_ROWS_MAX + 1}`
  const { rows: found } = await sql<{ ids: string }>`SELECT ${idsAsText(listed)} AS ids`.execute(ctx.db)
  const ids = found[0]?.ids ?? ''
  if (chosen && countIds(ids) !== new Set(selectedIds).size) throw notFound('One of the selected records was')
  if (ids === '') throw new AppError('not_found', `No ${many} found`)
  if (countIds(ids) > EXPORT_ROWS_MAX) {
    const most = formatNumber(EXPORT_ROWS_MAX)
    throw tooLarge(`An export contains at most ${most} ${many}, and this list has more. Narrow it with a search or a filter.`)
  }
  return ids
}

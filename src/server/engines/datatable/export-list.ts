import { createHash, type Hash } from 'node:crypto'
import type { Readable } from 'node:stream'
import { sql } from 'kysely'
import { EXPORTS, IndexQuery, type ActionBody, type Cell, type ExportAction } from '#contract/datatable.ts'
import { formatNumber, isoDateIn, sentenceCase } from '#contract/format.ts'
import { EXPORT_ROWS_MAX } from '#contract/limits.ts'
import { MODELS } from '#contract/models.ts'
import { uuids } from '#server/access/scope.ts'
import { timezoneOf, viewerId } from '#server/access/viewer.ts'
import { AppError, invalid, notFound, tooLarge } from '#server/kernel/errors.ts'
import type { Context } from '../context.ts'
import { issueText } from '../http/issue-text.ts'
import { packageProperties } from '../packages/package-properties.ts'
import { newPackage } from '../packages/packages.ts'
import type { SheetColumn, SheetValue } from '../spreadsheet/write/cell-xml.ts'
import type { FileProperties } from '../spreadsheet/write/property-parts.ts'
import { writeCsv } from '../spreadsheet/write/write-csv.ts'
import { writeWorkbook, type SheetData } from '../spreadsheet/write/write-workbook.ts'
import { accepted, accountOf, columnsFor, conditions } from './conditions.ts'
import { isDateColumn, type ColumnDefinition, type Datatable } from './define-datatable.ts'
import { recordedExport } from './export-activity.ts'
import { ordering, readPage } from './index-list.ts'

const FORMATS: Readonly<Record<ExportAction, { contentType: string; write: (sheet: SheetData, properties: FileProperties) => Readable }>> =
  {
    export_excel: {
      contentType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
      write: (sheet, properties) => writeWorkbook({ sheets: [sheet], properties }),
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
 * not visible, `too_large` for more rows than an export can contain.
 */
export async function exportList(ctx: Context, table: Datatable, body: ActionBody & { action: ExportAction }) {
  const columns = exportedColumns(ctx, table, body.columns)
  const ids = await exportedIds(ctx, table, body)
  const { contentType, write } = FORMATS[body.action]
  const sheet = { name: sentenceCase(MODELS[table.model].many), columns: columns.map(({ column }) => column), frozenHeader: true }
  const written = { rows: 0, content: body.action === 'export_excel' ? createHash('sha256') : undefined }
  const made = newPackage(ctx)
  const properties = packageProperties(ctx, made, sheet.name)
  const file = write({ ...sheet, rows: exportedRows(ctx, table, { columns, ids, written }), autoFilter: true }, properties)
  const account = table.accountColumn === undefined ? undefined : accountOf(queryOf(body))
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

const WIDTH_MIN = 10
const WIDTH_DEFAULT = 18
/** Of the font of a list, in pixels. */
const CHARACTER_PX = 7

interface Exported {
  column: SheetColumn
  valueOf: (row: ListedRow, timezone: string) => SheetValue
}

/** A row as engines see it: cells by the names of the columns, and the currency of its amounts if it has some, null for several. */
interface ListedRow {
  cells: Readonly<Record<string, Cell | undefined>>
  currency: string | null | undefined
}

function exportedColumns(ctx: Context, table: Datatable, requested: readonly string[] | undefined): Exported[] {
  const entries = columnsFor(ctx, table)
  const unknown = (requested ?? []).filter((src) => !entries.has(src))
  if (unknown.length > 0)
    throw invalid({ columns: [`The list of ${MODELS[table.model].many} does not have these columns: ${unknown.join(', ')}.`] })
  const names = (requested ?? [...entries.keys()]).flatMap((src) => {
    const { shows = [], followedBy = [] } = entries.get(src)?.exported ?? {}
    return [shows, src, followedBy].flat()
  })
  const columns = [...new Set(names)].flatMap((src) => {
    const column = entries.get(src)
    return column === undefined ? [] : [exportedColumn(src, column)]
  })
  return columns.some(({ column }) => column.kind === 'money') ? [...columns, CURRENCY] : columns
}

function exportedColumn(src: string, { label, width, align, exported }: ColumnDefinition): Exported {
  const header = exported?.label ?? label
  const kind = exported?.kind ?? (isDateColumn(src) ? 'date' : align === 'right' ? 'number' : 'text')
  const characters = width === undefined ? WIDTH_DEFAULT : Math.round(width / CHARACTER_PX)
  return {
    column: { header, kind, width: Math.max(WIDTH_MIN, header.length + 2, characters) },
    valueOf: ({ cells, currency }, timezone) => {
      const { value = null, text = '' } = cells[src] ?? {}
      if (kind === 'date') return typeof value === 'string' ? dayOf(value, timezone) : null
      // A sum of several currencies is no amount.
      if (kind === 'money' && currency === null) return null
      return kind === 'text' ? text : typeof value === 'number' ? value : text
    },
  }
}

const CURRENCY: Exported = {
  column: { header: 'Currency', kind: 'text', width: WIDTH_MIN },
  valueOf: ({ currency }) => (currency === null ? 'Several' : currency),
}

/** The date of a moment in the time zone of the viewer, as the list shows it; a calendar date as it is. */
const dayOf = (value: string, timezone: string): string => (value.includes('T') ? isoDateIn(new Date(value), timezone) : value)

const accountFilter = ({ account_id }: ActionBody) => (account_id === undefined ? {} : { filter__account_id: account_id })
const queryOf = (body: ActionBody) => ({ ...body.filters, ...accountFilter(body) })

/** The ids in order, separated by commas: as one text, a hundred thousand of them are read in a moment and take little memory. */
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
  const { rows: found } = await sql<{ ids: string }>`SELECT array_to_string(ARRAY(
    SELECT ${id} FROM ${sql.table(table.table)} ${join} WHERE ${rows} ORDER BY ${by} LIMIT ${EXPORT_ROWS_MAX + 1}), ',') AS ids`.execute(
    ctx.db,
  )
  const ids = found[0]?.ids ?? ''
  if (chosen && countOf(ids) !== new Set(selectedIds).size) throw notFound('One of the selected records was')
  if (ids === '') throw new AppError('not_found', `No ${many} found`)
  if (countOf(ids) > EXPORT_ROWS_MAX) {
    const most = formatNumber(EXPORT_ROWS_MAX)
    throw tooLarge(`An export contains at most ${most} ${many}, and this list has more. Narrow it with a search or a filter.`)
  }
  return ids
}

const ID_LENGTH = '00000000-0000-0000-0000-000000000000,'.length
const BATCH_ROWS = 500
const countOf = (ids: string): number => Math.ceil(ids.length / ID_LENGTH)

interface Rows {
  columns: readonly Exported[]
  /** Those to read. */
  ids: string
  /** Counts the rows that are in the file, and hashes their values for a file with a date, which always has another checksum. */
  written: { rows: number; content: Hash | undefined }
}

async function* exportedRows(ctx: Context, table: Datatable, { columns, ids, written }: Rows): AsyncGenerator<SheetValue[]> {
  const timezone = timezoneOf(ctx.viewer)
  for (let start = 0; start < ids.length; start += BATCH_ROWS * ID_LENGTH) {
    const batch = ids.slice(start, start + BATCH_ROWS * ID_LENGTH - 1).split(',')
    for (const row of await readBatch(ctx, table, batch)) {
      const cells = row as unknown as ListedRow['cells'] // the cells of a row have the names of its columns
      const { currency } = row as Partial<ListedRow> // rows with amounts have it as a plain field
      written.rows += 1
      const values = columns.map(({ valueOf }) => valueOf({ cells, currency }, timezone))
      written.content?.update(JSON.stringify(values))
      yield values
    }
  }
}

/** The rows with these ids in this order, without those that the viewer does not see now. */
async function readBatch(ctx: Context, table: Datatable, batch: readonly string[]) {
  const id = sql.ref(`${table.table}.id`)
  const { rows } = await readPage(ctx, table, {
    common: sql``,
    ids: sql`SELECT listed.id FROM unnest(${uuids(batch)}) WITH ORDINALITY AS listed(id, place)
      WHERE EXISTS (SELECT 1 FROM ${sql.table(table.table)} WHERE ${id} = listed.id AND ${table.visible(ctx.viewer)}) ORDER BY listed.place`,
    total: sql`0`,
    totals: sql`NULL::jsonb`,
    version: sql`''`,
    fresh: () => sql`'{}'::uuid[]`,
    prepared: true,
    // What was found where is not exported.
    search: '',
  })
  return rows
}

import { sql, type RawBuilder } from 'kysely'
import { labelOf } from '#contract/code-lists.ts'
import type { Cell } from '#contract/datatable.ts'
import { isoDateIn } from '#contract/format.ts'
import { MODELS } from '#contract/models.ts'
import { timezoneOf } from '#server/access/viewer.ts'
import { copyBatches, readBatches } from '#server/db/read-batches.ts'
import { invalid } from '#server/kernel/errors.ts'
import type { Context } from '../context.ts'
import type { ColumnKind, SheetColumn, SheetValue } from '../spreadsheet/write/cell-xml.ts'
import { columnsFor } from './conditions.ts'
import { isDateColumn, type ColumnDefinition, type Datatable, type ExportValues } from './define-datatable.ts'
import { readPage } from './index-list.ts'

const WIDTH_MIN = 10
const WIDTH_DEFAULT = 18
/** Of the font of a list, in pixels. */
const CHARACTER_PX = 7

export interface Exported {
  /** The name of the column. */
  src: string
  column: SheetColumn
  valueOf: (row: ListedRow, timezone: string) => SheetValue
}

/** A row as engines see it: cells by the names of the columns, and the currency of its amounts if it has some, null for several. */
interface ListedRow {
  cells: Readonly<Record<string, Cell | undefined>>
  currency: string | null | undefined
}

export function exportedColumns(ctx: Context, table: Datatable, requested: readonly string[] | undefined): Exported[] {
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
    return column === undefined ? [] : [exportedColumn(src, column, table.exportValues !== undefined)]
  })
  return columns.some(({ column }) => column.kind === 'money') ? [...columns, CURRENCY] : columns
}

/** @param isStored whether values come as the database writes them */
function exportedColumn(src: string, { label, width, align, exported }: ColumnDefinition, isStored: boolean): Exported {
  const header = exported?.label ?? label
  const kind = exported?.kind ?? (isDateColumn(src) ? 'date' : align === 'right' ? 'number' : 'text')
  const characters = width === undefined ? WIDTH_DEFAULT : Math.round(width / CHARACTER_PX)
  return {
    src,
    column: {
      header,
      kind,
      width: Math.max(WIDTH_MIN, header.length + 2, characters),
      digits: isStored && kind !== 'text' && kind !== 'date',
    },
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
  src: 'currency',
  column: { header: 'Currency', kind: 'text', width: WIDTH_MIN },
  valueOf: ({ currency }) => (currency === null ? 'Several' : currency),
}

/** The date of a moment in the time zone of the viewer, as the list shows it; a calendar date as it is. */
const dayOf = (value: string, timezone: string): string => (value.includes('T') ? isoDateIn(new Date(value), timezone) : value)

interface Rows {
  columns: readonly Exported[]
  /** Those to read. */
  ids: string
  /** Counts the rows that are in the file. */
  written: { rows: number }
}

const BATCH_ROWS = 500
/** Without the formatted texts of whole rows, more fit into the same time and memory. */
const BATCH_VALUES = 8_000
/** Two, because the rows of a list are small, or wait as bytes. */
const AHEAD = 2

/** The values of the rows in batches, without rows that the viewer does not see when their batch is read. */
export async function* exportedRows(ctx: Context, table: Datatable, { columns, ids, written }: Rows): AsyncGenerator<SheetValue[][]> {
  const batches =
    table.exportValues === undefined
      ? readBatches(ids, { size: BATCH_ROWS, ahead: AHEAD }, (batch) => readCells(ctx, table, columns, batch))
      : storedRows(ctx, ids, columns, table.exportValues)
  for await (const rows of batches) {
    written.rows += rows.length
    yield rows
  }
}

async function readCells(ctx: Context, table: Datatable, columns: readonly Exported[], batch: RawBuilder<unknown>) {
  const timezone = timezoneOf(ctx.viewer)
  const id = sql.ref(`${table.table}.id`)
  const { rows } = await readPage(ctx, table, {
    common: sql``,
    ids: sql`SELECT listed.id FROM unnest(${batch}) WITH ORDINALITY AS listed(id, place)
      WHERE EXISTS (SELECT 1 FROM ${sql.table(table.table)} WHERE ${id} = listed.id AND ${table.visible(ctx.viewer)}) ORDER BY listed.place`,
    total: sql`0`,
    totals: sql`NULL::jsonb`,
    version: sql`''`,
    fresh: () => sql`'{}'::uuid[]`,
    prepared: true,
    // What was found where is not exported.
    search: '',
  })
  return rows.map((row) => {
    const cells = row as unknown as ListedRow['cells'] // the cells of a row have the names of its columns
    const { currency } = row as Partial<ListedRow> // rows with amounts have it as a plain field
    return columns.map(({ valueOf }) => valueOf({ cells, currency }, timezone))
  })
}

/** The same values as those of `readCells`, from values as they are stored. */
async function* storedRows(ctx: Context, ids: string, columns: readonly Exported[], { select, labels }: ExportValues) {
  const names = columns.map(({ src }) => src)
  const values = columns.map(({ src, column }) => storedValue(column.kind, labels[src], timezoneOf(ctx.viewer)))
  for await (const rows of copyBatches(ctx.reader, ids, { size: BATCH_VALUES, ahead: AHEAD }, (batch) => select(ctx, names, batch)))
    yield rows.map((row) => row.map((text, at) => values[at]?.(text)))
}

/** '' is no value. */
function storedValue(
  kind: ColumnKind,
  labels: Readonly<Record<string, string>> | undefined,
  timezone: string,
): (stored: string) => SheetValue {
  if (kind === 'date') return dayReader(timezone)
  return labels === undefined ? (stored) => stored : (stored) => labelOf(stored, labels)
}

/** Rows of one import have the same moment, and to find its date takes longer than to read a row. */
function dayReader(timezone: string): (stored: string) => SheetValue {
  let [last, day] = ['', '']
  return (stored) => {
    if (stored.length <= ISO_DATE_CHARACTERS) return stored
    if (stored !== last) [last, day] = [stored, isoDateIn(new Date(stored), timezone)]
    return day
  }
}

const ISO_DATE_CHARACTERS = 'YYYY-MM-DD'.length

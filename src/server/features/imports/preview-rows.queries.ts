import { sql, type Selectable } from 'kysely'
import { z } from 'zod'
import type { PageMeta } from '#contract/datatable.ts'
import { formatDate } from '#contract/format.ts'
import { SPLIT_TARGETS } from '#contract/import-inputs.ts'
import type { ImportRow, RowKind } from '#contract/import-rows.ts'
import type { importCalls } from '#contract/import-calls.ts'
import { TIV_PARTS, isInsuredValue } from '#contract/property-fields.ts'
import type { DB } from '#server/db/schema.gen.ts'
import type { Context } from '#server/engines/context.ts'
import { pageMeta } from '#server/engines/datatable/index-list.ts'
import { columnOf } from '#server/engines/spreadsheet/sheet.ts'
import { isLiteral, type Cell } from '#server/features/imports/pipeline/read/cells.ts'
import { MERGED_FIELDS } from '#server/features/imports/pipeline/validate/validate-rows.ts'
import type { RowIssue } from '#server/features/imports/pipeline/validate/results.ts'
import { editedCells } from '#server/features/imports/staging/staged-rows.ts'
import type { ImportRecord } from './imports.queries.ts'
import { listRemovable, propertySummaries, type PropertySummary, type Removable } from './register.queries.ts'
import { rowLocator, sheetName, type RowLocation } from './selected-sheets.ts'

type Value = string | number | boolean | null

type Documents = 'cells' | 'edits' | 'issues' | 'changes' | 'fields'

interface StoredRow extends Omit<Selectable<DB['import_rows']>, Documents | 'import_id' | 'has_error' | 'match_rule' | 'match_keys'> {
  kind: RowKind
  cells: Cell[]
  edits: Record<string, string | null>
  issues: RowIssue[]
  changes: Record<string, [Value, Value]> | null
  currency: string | null
  /** What was read from the row; not selected for the sheet as in the file. */
  fields?: Record<string, unknown>
}

export type StoredCells = Pick<StoredRow, 'row_number' | 'sheet_index' | 'sheet_row' | 'cells' | 'edits'>

type Page = z.output<typeof importCalls.rows.query>
type RowPage = { rows: ImportRow[]; meta: PageMeta }

/** Whether a row has amounts in several currencies, which have no sum. */
const HAS_CURRENCIES = sql`(has_error AND jsonb_path_exists(issues, '$[*] ? (@.code == "mixed_currency" && @.value like_regex ",")'))`

/**
 * The rows of one tab, or without a tab all rows of the schedule, including the blank ones, which are not stored. Past the last page of a
 * tab, which gets shorter as the user decides its rows, the last page is answered.
 */
export async function importRows(ctx: Context, record: ImportRecord, requested: Page): Promise<RowPage> {
  const { paginate, tab, reading } = requested
  const asRead = reading === 'register'
  const page =
    tab === undefined ? requested.page : Math.min(requested.page, Math.max(1, Math.ceil((record.counts.tabs[tab] ?? 0) / paginate)))
  const query = { ...requested, page }
  const offset = (page - 1) * paginate
  if (tab === 'remove') return removedRows(ctx, record, query, offset)
  const end = Math.min(offset + paginate, record.counts.lastRow)
  // The offset of a page far beyond the end is larger than any number that PostgreSQL compares with a row number.
  const start = Math.min(offset, end)
  const condition = tab === undefined ? sql`row_number > ${start} AND row_number <= ${end}` : sql`tab = ${tab}`
  const limit = tab === undefined ? sql`` : sql`LIMIT ${paginate} OFFSET ${offset}`
  const { rows: stored } = await sql<StoredRow>`SELECT row_number, sheet_index, sheet_row, kind, excluded, included, matched_by_hand,
      hidden, cells, edits, issues, property_id, candidates, changes, tab,
      CASE WHEN fields ?| ${sql.val([...TIV_PARTS])}::text[] AND NOT ${HAS_CURRENCIES} THEN tiv END AS tiv, fields->>'currency' AS currency ${tab === undefined && !asRead ? sql`` : sql`, fields`}
    FROM import_rows WHERE import_id = ${record.id} AND ${condition} ORDER BY row_number ${limit}`.execute(ctx.db)
  const ids = stored.flatMap(({ property_id, candidates }) => [...(property_id === null ? [] : [property_id]), ...(candidates ?? [])])
  const properties = await propertySummaries(ctx, record.account_id, ids)
  const present = (row: StoredRow) => ({
    ...presentRow(row, record, properties),
    ...(asRead && row.fields && { cells: readCells(row, record, row.fields) }),
  })
  if (tab !== undefined) return { rows: stored.map(present), meta: pageMeta(query, record.counts.tabs[tab] ?? 0, stored.length, offset) }
  const locate = rowLocator(record)
  const byNumber = new Map(stored.map((row) => [row.row_number, row]))
  const rows = Array.from({ length: Math.max(0, end - offset) }, (_, index) => {
    const number = offset + index + 1
    return present(byNumber.get(number) ?? blankRow(number, locate(number)))
  })
  return { rows, meta: pageMeta(query, record.counts.lastRow, rows.length, offset) }
}

const blankRow = (row_number: number, { sheet, row }: RowLocation): StoredRow => ({
  row_number,
  sheet_index: sheet?.index ?? 0,
  sheet_row: row,
  kind: 'blank',
  excluded: false,
  included: false,
  matched_by_hand: false,
  hidden: false,
  cells: [],
  edits: {},
  issues: [],
  property_id: null,
  candidates: null,
  changes: null,
  tab: null,
  tiv: null,
  currency: null,
})

async function removedRows(ctx: Context, record: ImportRecord, query: Page, offset: number): Promise<RowPage> {
  const removable = await listRemovable(ctx, record, query.paginate, offset)
  const rows = removable.map((removal): ImportRow => {
    const { id, name, full_address, currency, tiv, row_number, sheet_row, exact } = removal
    const sheet = record.sheets.find(({ index }) => index === removal.sheet_index)
    return {
      ...presentRow(blankRow(row_number ?? 0, { sheet, row: sheet_row ?? 0 }), record, new Map()),
      kind: 'data',
      reason: removalReason(removal, sheet?.name),
      property: { id, name, full_address },
      tiv,
      currency,
      ticked: exact !== false,
    }
  })
  return { rows, meta: pageMeta(query, record.counts.tabs.remove ?? 0, rows.length, offset) }
}

function removalReason({ sheet_row, sold_on, exact }: Removable, sheet: string | undefined): string {
  if (sheet === undefined) return 'Not in the file'
  const date = sold_on === null ? '' : `, sold on ${formatDate(sold_on, 'UTC')}`
  return `Row ${sheet_row} of “${sheet}”${date}${exact === true ? '' : ': probably this property, please check'}`
}

const REASONS: Readonly<Record<RowKind, string>> = {
  data: 'A location to import',
  blank: 'Blank row',
  header: 'The header row',
  repeated_header: 'The header again',
  title: 'Above the header',
  section: 'Title of a section',
  subtotal: 'Subtotal of rows above',
  total: 'Total of rows above',
  note: 'Note',
}

function presentRow(row: StoredRow, record: ImportRecord, properties: ReadonlyMap<string, PropertySummary>): ImportRow {
  const { row_number, excluded, included, property_id } = row
  const property = (property_id === null ? undefined : properties.get(property_id)) ?? null
  return {
    row: row_number,
    sheet: sheetName(record, row.sheet_index),
    sheet_row: row.sheet_row,
    kind: included ? 'data' : row.kind,
    excluded: excluded || row.tab === 'excluded',
    choice: excluded ? 'excluded' : included ? 'included' : null,
    reason: reasonOf(row),
    matched_by_hand: row.matched_by_hand,
    hidden: row.hidden,
    struck: record.sheets.find(({ index }) => index === row.sheet_index)?.struckRows.includes(row.sheet_row) ?? false,
    cells: row.fields === undefined ? shownCells(row) : previewCells(row, record, row.fields),
    edited: Object.fromEntries(Object.keys(row.edits).map((letter) => [letter, shownCell(row.cells[columnOf(letter) - 1])])),
    issues: row.issues.map(({ suggestion, ...issue }) => ({
      ...issue,
      row: row_number,
      header: record.columns.find(({ column }) => column === issue.column)?.header ?? null,
      suggestion: suggestion === undefined ? null : String(suggestion),
    })),
    property,
    candidates: (row.candidates ?? []).flatMap((id) => properties.get(id) ?? []),
    changes: Object.entries(row.changes ?? {}).map(([field, [before, after]]) => ({ field, before, after })),
    tiv: row.tiv,
    // A row that does not name a currency does not change that of its property.
    currency: property && row.changes?.['currency'] === undefined ? property.currency : row.currency,
    ticked: false,
  }
}

function reasonOf({ excluded, included, kind, tab, issues }: StoredRow): string | null {
  if (excluded) return 'Excluded by hand or by an answer, now or in the last import of this layout'
  if (included) return `Included by hand; read as: ${REASONS[kind]}`
  if (kind !== 'data') return REASONS[kind]
  if (tab !== 'excluded') return null
  const decided = issues.find(
    ({ code, column, field, severity }) =>
      code === 'marked_ended' ||
      (code === 'included_elsewhere' && column === null) ||
      code === 'no_location' ||
      (code === 'duplicate_in_file' && field === 'location_number' && severity === 'warning'),
  )
  return decided?.message ?? 'New, and the mode only updates'
}

function shownCell(cell: Cell | undefined): Value {
  if (isLiteral(cell)) return cell.literal
  return typeof cell === 'object' && cell !== null ? cell.formula : (cell ?? null)
}

export const shownCells = (row: StoredCells): Value[] => editedCells(row).map(shownCell)

/** The texts of the fields that a column is split into, or of its only field. */
function textOfTarget(target: string, fields: Record<string, unknown>): string {
  const textOf = (...names: string[]) => names.flatMap((name) => (typeof fields[name] === 'string' ? [fields[name]] : [])).join(' ')
  const cityStateZip = [textOf('city'), textOf('state', 'postal_code')].filter(Boolean).join(', ')
  if (target === 'location_building') return textOf('location_number', 'building_number')
  if (target === 'city_state_zip') return cityStateZip
  return target === 'full_address' ? [textOf('address'), cityStateZip].filter(Boolean).join(', ') : textOf(target)
}

/** The cells of a row, with what it has from cells that are merged over several rows. */
function previewCells(row: StoredRow, { mapping }: ImportRecord, fields: Record<string, unknown>): Value[] {
  const cells = shownCells(row)
  for (const [letter, target] of Object.entries(mapping)) {
    const index = columnOf(letter) - 1
    if (!MERGED_FIELDS.has(target) || (cells[index] ?? '') !== '') continue
    const text = textOfTarget(target, fields)
    if (text !== '') cells[index] = text
  }
  // A row that ends before the column has gaps.
  return Array.from(cells, (cell) => cell ?? null)
}

const ReadValue = z.union([z.string(), z.number(), z.boolean()]).nullable().catch(null)

/** What each column of a row becomes in the register: null for a column that is not imported, and for all but the first of one field. */
function readCells(row: StoredRow, { mapping, columns, counts, constants }: ImportRecord, fields: Record<string, unknown>): Value[] {
  const cells = shownCells(row)
  if (Object.keys(fields).length === 0) return cells
  const written = new Set<string>()
  // The amount of a row of a coverage is a value of another field than its column says.
  const isCovered = counts.coverageColumn !== null && constants['coverage_rows'] !== 'ignore'
  return columns.map(({ column }) => {
    const target = mapping[column]
    if (target === undefined || target === 'ignore') return null
    if (target === 'custom' || target === 'house_number' || (isCovered && isInsuredValue(target)))
      return cells[columnOf(column) - 1] ?? null
    if (written.has(target)) return null
    written.add(target)
    return target in SPLIT_TARGETS ? textOfTarget(target, fields) : ReadValue.parse(fields[target])
  })
}
